import { brotliDecompressSync } from 'node:zlib'
import { pino } from 'pino'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Profile } from '../../modules/instructors/contract.ts'
import { invalidateProfilePages } from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { contentSecurityPolicyFor } from '../../src/security-headers.ts'
import { astroRenderer } from '../../src/server/astro-renderer.ts'
import type { PageOrRedirect } from '../../src/server/page-responses.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { createPublicPageCache } from '../../src/server/public-page-cache.ts'
import { newInstructorInput, newPlayerInput, registerAdmin, startTestServer, type TestServer } from '../api/test-server.ts'

const render = astroRenderer(new URL('../../dist/server/entry.mjs', import.meta.url).href)
const HOUR_MS = 3600_000
const siteOrigins = { origin: 'https://ours.test', storage: 'https://videos.test' }

const profile: Profile = {
  id: '018f0000-0000-7000-8000-000000000001',
  user: { firstName: 'Casey', lastName: '"Bat" <O\'Neil>', profileSlug: 'casey' },
  profilePicture: null,
  type: ['softball', 'baseball'],
  skills: ['pitching', 'catching'],
  featured: false,
  about: '</script><script>alert(1)</script><i style="color:red">',
  experience: '',
  followers: 1,
  since: '2025-04-28T00:00:00.000Z',
  responseHours: 20.2,
  sessionsGiven: 12,
  checks: [{ kind: 'identity' as const, checked: '2026-05-02' }],
  rating: null,
  ratings: [],
}

describe("the page of an instructor's profile", () => {
  let html: string
  const made = async (more: Partial<Profile> = {}) =>
    (await render('/i/casey', { origin: siteOrigins.origin, profile: { ...profile, ...more } })).body
  beforeAll(async () => {
    html = await made()
  })
  test('has the name and description, also as structured data', () => {
    expect(html).toMatch(/<h1[^>]*>Casey &quot;Bat&quot; &lt;O&#39;Neil&gt;<\/h1>/)
    expect(html).toContain('>Baseball/Softball Instructor</p>')
    expect(html).toMatch(/>Pitching<\/li><li[^>]*>Catching<\/li>/)
    expect(html).toMatch(/From \$15\.50 a session<.*12 sessions completed<.*Usually answers within 21 hours<.*1 follower</s)
    expect(html).toContain('<link rel="canonical" href="https://ours.test/i/casey">')
    expect(html).toContain('<meta property="og:image" content="https://ours.test/img/social.png">')
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)![1]!)
    expect(data.mainEntity).toMatchObject({ '@type': 'Person', jobTitle: 'Baseball/Softball Instructor', url: 'https://ours.test/i/casey' })
    expect(data.mainEntity.description).toContain('</script>')
  })
  test('escapes everything that an instructor wrote', async () => {
    expect(html).toContain('>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;i style=&quot;color:red&quot;&gt;</p>')
    const harmless = await made({ about: 'Hello.' })
    expect(contentSecurityPolicyFor(html, siteOrigins)).toBe(contentSecurityPolicyFor(harmless, siteOrigins))
    expect(contentSecurityPolicyFor(html, siteOrigins)).not.toContain("'unsafe-inline'")
  })
  test('shows ratings, also as structured data, only if there are enough', async () => {
    const said = { stars: 5, comment: 'Clear <b>and</b> quick.', rated: '2026-05-02T12:00:00.000Z', answer: 'Thank you.' }
    const rated = await made({
      rating: { average: 4.7, count: 3 },
      ratings: [
        { ...said, name: 'Mia', rater: 'player' },
        { ...said, name: null, rater: 'player' },
      ],
    })
    expect(rated).toMatch(
      /4\.7 out of 5 from 3 ratings<.*What players say<.*Clear &lt;b&gt;and&lt;\/b&gt; quick\..*Mia, May 2026<.*A player, May 2026</s,
    )
    expect(rated).toContain('"aggregateRating":{"@type":"AggregateRating","ratingValue":4.7,"ratingCount":3,')
    expect(html).not.toMatch(/What players say|aggregateRating/i)
  })
  test('omits empty sections', async () => {
    const bare = await made({ about: '', followers: 0, responseHours: null, sessionsGiven: 0 })
    expect(bare).not.toMatch(/>About<|>Experience<|sessions? completed|Usually answers|followers?</)
    expect(bare).toContain('is a baseball/softball instructor on')
    expect(html).not.toContain('>Experience<')
  })
})

describe('pages rendered on demand', () => {
  let h: TestServer
  const here: ReturnType<typeof createPublicPageCache>[] = []
  const connections: ReturnType<typeof createPostgresPool>[] = []
  beforeAll(async () => {
    h = await startTestServer({ work: true })
    // Two caches, each with its own connections, stand in for two processes.
    for (const _ of [1, 2]) {
      const sql = createPostgresPool(h.deps.config.databaseUrl)
      const pages = createPublicPageCache(sql, render, siteOrigins, h.deps)
      await pages.listening
      here.push(pages)
      connections.push(sql)
    }
  })
  afterAll(async () => {
    for (const pages of here) await pages.stop()
    for (const sql of connections) await sql.end()
    await h.end()
  })
  const html = (found?: PageOrRedirect | null) => (found && 'page' in found ? brotliDecompressSync(found.page.br!.body).toString() : found)

  test('are rendered once, and again in every process after a profile change', async () => {
    const who = h.browser()
    const { body } = await who.call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Robin' }))
    await h.approve(body.id)
    const slug = body.profileSlug
    for (const pages of here) expect(html(await pages.find(`/i/${slug}`, ''))).toContain('Robin')
    // The notification of the approval may arrive only now and cause one more rendering.
    const isKept = () => {
      const [first, second] = [1, 2].map(() => here[1]!.find(`/i/${slug}`, ''))
      return !(first instanceof Promise) && first === second
    }
    await expect.poll(isKept).toBe(true)

    const change = { type: ['softball'], skills: ['pitching'], about: 'New words.', experience: '', slug }
    expect((await who.call('PUT', '/api/profile', change)).status).toBe(200)
    for (const pages of here) await expect.poll(async () => html(await pages.find(`/i/${slug}`, ''))).toContain('New words.')

    const player = h.browser()
    await player.call('POST', '/api/register/player', newPlayerInput())
    await player.call('PUT', `/api/instructors/${body.id}/follow`)
    for (const pages of here) await expect.poll(async () => html(await pages.find(`/i/${slug}`, ''))).toContain('1 follower')
    await player.call('DELETE', `/api/instructors/${body.id}/follow`)
    for (const pages of here) await expect.poll(async () => html(await pages.find(`/i/${slug}`, ''))).not.toContain('follows')
  })

  test('are reached by a redirect from the old URL, the id or another letter case', async () => {
    const who = h.browser()
    const { body } = await who.call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Sam' }))
    await h.approve(body.id)
    const page = (slug: string) => here[0]!.find(`/i/${slug}`, '')
    expect(html(await page(body.profileSlug))).toContain('Sam')
    await who.call('PUT', '/api/profile', { type: ['softball'], skills: ['pitching'], about: '', experience: '', slug: 'coach-sam' })
    for (const one of here)
      await expect.poll(() => one.find(`/i/${body.profileSlug}`, '')).toEqual({ moved: '/i/coach-sam', mayMoveBack: true })
    expect(await page(body.id)).toEqual({ moved: '/i/coach-sam', mayMoveBack: true })
    expect(await page('Coach-SAM')).toEqual({ moved: '/i/coach-sam', mayMoveBack: true })
    expect(html(await page('coach-sam'))).toContain('Sam')
    expect(await page('nobody-at-all')).toBeNull()
  })

  test('are in the sitemap with their current URL once they are published', async () => {
    const listed = async () => html(await here[1]!.find('/sitemap.xml', ''))
    const who = h.browser()
    const { body } = await who.call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Toni' }))
    // Nobody approves this instructor.
    const pending = await h.browser().call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Petra' }))
    await h.approve(body.id)
    await expect.poll(listed).toContain(`<loc>https://ours.test/i/${body.profileSlug}</loc>`)
    expect(await listed()).toContain('<loc>https://ours.test/pricing</loc>')
    expect(await listed()).not.toContain(`/i/${pending.body.profileSlug}<`)
    await who.call('PUT', '/api/profile', { type: ['softball'], skills: ['pitching'], about: '', experience: '', slug: 'coach-toni' })
    await expect.poll(listed).toContain('<loc>https://ours.test/i/coach-toni</loc>')
    expect(await listed()).not.toContain(`/i/${body.profileSlug}<`)
    await h.sql`update instructors set skills = '{}' where slug = 'coach-toni'`
    await invalidateProfilePages(h.sql, ['coach-toni'])
    await expect.poll(listed).not.toContain('coach-toni')
    expect(html(await here[0]!.find('/robots.txt', ''))).toContain('Sitemap: https://ours.test/sitemap.xml')
  })

  test('of the sign-up steps contain the typed text, and are not cached', async () => {
    const step = async (search: string) => {
      const found = await here[0]!.find('/start', search)
      return (found as { page: { identity: { body: Buffer; headers: string[] } } }).page.identity
    }
    const login = await step('?step=login&email=%22%3Ca%40b.test')
    expect(login.body.toString()).toMatch(/Account Found.*value="&quot;(<|&lt;)a@b\.test"/s)
    expect(login.headers.join('|')).toContain('cache-control|no-store')
    expect((await step('?step=role')).body.toString()).toContain('Tell us who you are')
    expect((await step('?step=email&why=blocked')).body.toString()).toContain('Please use your regular email address')
    expect((await step('')).body.toString()).not.toContain('valid email address')
  })

  test('of a profile that changes many times in a row are rendered only a few times', async () => {
    const { body } = await h.browser().call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Alex' }))
    const slug = body.profileSlug
    await h.approve(body.id)
    // The notification of the approval must not count among those below.
    await expect.poll(() => h.sql`select 1 from errands where kind = 'instructor.publish' and done is null`).toEqual([])
    let calls = 0
    const slow = Promise.withResolvers<void>()
    const counting = createPublicPageCache(
      connections[0]!,
      async (path, given) => {
        if (++calls === 1) await slow.promise
        return render(path, given)
      },
      siteOrigins,
      h.deps,
    )
    await counting.listening
    for (let i = 0; i < 20; i++) await invalidateProfilePages(h.sql, [slug])
    await expect.poll(() => calls).toBe(1)
    slow.resolve()
    await expect.poll(() => counting.find(`/i/${slug}`, '')).toMatchObject({ page: expect.anything() })
    // All changes during the first rendering cause only one more rendering; those whose notifications arrive later may cause a few.
    expect(calls).toBeLessThan(10)
    await counting.stop()
  })

  test('of a profile that nobody opened for hours show no check that has expired since', async () => {
    const { body } = await h.browser().call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Kim' }))
    await h.approve(body.id)
    const admin = h.browser()
    await registerAdmin(h.deps, admin)
    const expires = new Date(Date.now() + 24 * HOUR_MS).toISOString().slice(0, 10)
    const check = { check: 'background', checked: '2026-05-02', reference: 'Report 20931', expires }
    expect((await admin.call('POST', `/api/admin/instructors/${body.id}/checks`, check)).status).toBe(204)
    // The notifications of the approval and of the check, which cause further renderings, must come before those below.
    const published = () =>
      h.sql`select 1 from errands where kind = 'instructor.publish' and payload ->> 'instructor' = ${body.id} and done is not null`
    await expect.poll(published).toHaveLength(2)
    let now = Date.now()
    let isRenderingBroken = false
    const pages = createPublicPageCache(
      connections[0]!,
      (path, given) => (isRenderingBroken ? Promise.reject(new Error('out of memory')) : render(path, given)),
      siteOrigins,
      { clock: () => new Date(now), log: pino({ level: 'silent' }) },
    )
    const open = async () => html(await pages.find(`/i/${body.profileSlug}`, ''))
    try {
      await pages.listening
      expect(await open()).toContain('background, May 2026')
      now += 1.5 * HOUR_MS
      isRenderingBroken = true
      expect(await open()).toContain('background, May 2026')
      now += 48 * HOUR_MS
      expect(await open()).toContain('background, May 2026')
      isRenderingBroken = false
      expect(await open()).not.toContain('background, May 2026')
    } finally {
      await pages.stop()
    }
  })
})

describe('a hanging database', () => {
  test('does not delay visitors: they get the pages that were rendered before', async () => {
    const db = await startTestServer({ work: true })
    const { body } = await db.browser().call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Jo' }))
    const slug = body.profileSlug
    await db.approve(body.id)
    // Wait, because the notification of the approval causes the page to be rendered again.
    await expect
      .poll(() => db.sql`select done is not null as "isDone" from errands where kind = 'instructor.publish'`)
      .toEqual([{ isDone: true }])
    const { sql } = db
    const log = pino({ level: 'silent' })
    const pages = createPublicPageCache(sql, render, siteOrigins, { clock: () => new Date(), log, databaseTimeoutMs: 1500 })
    await pages.listening
    const kept = await pages.find(`/i/${slug}`, '')
    const blocker = postgres(db.deps.config.databaseUrl, { max: 1 })
    await blocker`begin`
    await blocker`lock table instructors in access exclusive mode`
    await expect(Promise.resolve(pages.find('/i/someone-else', ''))).rejects.toThrow('no result within')
    expect(pages.find(`/i/${slug}`, '')).toBe(kept)
    await blocker`rollback`
    await expect.poll(() => Promise.resolve(pages.find('/i/someone-else', '')).catch(() => 'later')).toBeNull()
    await blocker.end()
    await pages.stop()
    await db.end()
  })
})
