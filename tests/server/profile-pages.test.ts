import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Profile } from '../../modules/instructors/contract.ts'
import { profilePage, profilePages } from '../../src/server/profile-pages.ts'
import { robots, sitemap } from '../../src/server/sitemap.ts'
import { connect } from '../../src/server/sql.ts'
import type { Found } from '../../src/server/static.ts'
import { fill } from '../../src/server/template.ts'
import { coach, type Harness, harness, somebody } from '../api/harness.ts'

const template = `<head><!--slot:head--></head><article data-id="[slot:id]"><img src="[slot:picture]" alt="[slot:name]"><h1><!--slot:name--></h1>
<p><!--slot:sport--></p><ul><!--each:skills--><li><!--slot:skill--></li><!--end:skills--></ul>
<!--if:response--><i><!--slot:response--></i><!--end:response--><!--if:followers--><b><!--slot:followers--></b><!--end:followers-->
<!--if:about--><section><!--slot:about--></section><!--end:about--></article>`

const profile: Profile = {
  id: '018f0000-0000-7000-8000-000000000001',
  user: { firstName: 'Casey', lastName: '"Bat" <O\'Neil>', profileSlug: 'casey' },
  profilePicture: null,
  type: ['softball', 'baseball'],
  skills: ['pitching'],
  featured: false,
  about: '</script><script>alert(1)</script><!--slot:id-->[slot:id] $& $1',
  experience: '',
  followers: 1,
  since: '2025-04-28T00:00:00.000Z',
  responseHours: 20.2,
}

describe('the page of a profile', () => {
  const html = profilePage(template, profile, 'https://ours.test')
  test('says who it is, to people and to machines', () => {
    expect(html).toContain('<h1>Casey &quot;Bat&quot; &lt;O&#39;Neil&gt;</h1>')
    expect(html).toContain('<p>Baseball/Softball Instructor</p><ul><li>Pitching</li></ul>')
    expect(html).toContain('<i>21 hours</i><b>1 player follows</b>')
    expect(html).toContain('<link rel="canonical" href="https://ours.test/i/casey">')
    expect(html).toContain('<meta property="og:image" content="https://ours.test/img/social.png">')
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)![1]!)
    expect(data.mainEntity).toMatchObject({ '@type': 'Person', jobTitle: 'Baseball/Softball Instructor', url: 'https://ours.test/i/casey' })
    expect(data.mainEntity.description).toContain('</script>')
  })
  test('takes nothing that an instructor wrote for HTML, or for a slot', () => {
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('<section>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!--slot:id--&gt;[slot:id] $&amp; $1</section>')
    expect(html.match(/<script/g)).toHaveLength(1)
  })
  test('shows no empty parts', () => {
    const bare = profilePage(template, { ...profile, about: '', followers: 0, responseHours: null }, 'https://ours.test')
    expect(bare).not.toMatch(/<section>|<i>|<b>|slot:|if:|each:|end:/)
    expect(bare).toContain('is a baseball/softball instructor on')
  })
  test('keeps what it does not know', () => {
    expect(fill('<!-- a comment --><p>[note]</p>', {})).toBe('<!-- a comment --><p>[note]</p>')
  })
})

describe('profile pages', () => {
  let h: Harness
  const around = { origin: 'https://ours.test', storage: 'https://videos.test' }
  const here: ReturnType<typeof profilePages>[] = []
  const connections: ReturnType<typeof connect>[] = []
  beforeAll(async () => {
    h = await harness({ work: true })
    // Two processes, each with connections of its own.
    for (const _ of [1, 2]) {
      const sql = connect(h.deps.config.databaseUrl)
      const pages = profilePages(sql, template, around, h.deps)
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
  const html = (found: Found | null) => (found && 'page' in found ? brotliDecompressSync(found.page.br!.body).toString() : found)

  test('are made once, and anew in every process when the profile changes', async () => {
    const who = h.browser()
    const { body } = await who.call('POST', '/api/register/instructor', coach({ firstName: 'Robin' }))
    const slug = body.profileSlug
    for (const { page } of here) expect(html(await page(slug))).toContain('Robin')
    const kept = await here[1]!.page(slug)
    expect(await here[1]!.page(slug)).toBe(kept)

    const change = { type: ['softball'], skills: ['pitching'], about: 'New words.', experience: '', slug }
    expect((await who.call('PUT', '/api/profile', change)).status).toBe(200)
    for (const { page } of here) await expect.poll(async () => html(await page(slug))).toContain('New words.')

    const player = h.browser()
    await player.call('POST', '/api/register/player', somebody())
    await player.call('PUT', `/api/instructors/${body.id}/follow`)
    for (const { page } of here) await expect.poll(async () => html(await page(slug))).toContain('1 player follows')
    await player.call('DELETE', `/api/instructors/${body.id}/follow`)
    for (const { page } of here) await expect.poll(async () => html(await page(slug))).not.toContain('follows')
  })

  test('move with the address, and are found by id and in any case', async () => {
    const who = h.browser()
    const { body } = await who.call('POST', '/api/register/instructor', coach({ firstName: 'Sam' }))
    const { page } = here[0]!
    expect(html(await page(body.profileSlug))).toContain('Sam')
    await who.call('PUT', '/api/profile', { type: ['softball'], skills: ['pitching'], about: '', experience: '', slug: 'coach-sam' })
    for (const one of here) await expect.poll(() => one.page(body.profileSlug)).toEqual({ moved: '/i/coach-sam' })
    expect(await page(body.id)).toEqual({ moved: '/i/coach-sam' })
    expect(await page('Coach-SAM')).toEqual({ moved: '/i/coach-sam' })
    expect(html(await page('coach-sam'))).toContain('Sam')
    expect(await page('nobody-at-all')).toBeNull()
  })

  test('are in the sitemap as soon as they are published, at the address of now', async () => {
    const listed = async () => (await sitemap(h.sql, around, new Date())).identity.body.toString()
    const who = h.browser()
    const { body } = await who.call('POST', '/api/register/instructor', coach({ firstName: 'Toni' }))
    expect(await listed()).toContain(`<loc>https://ours.test/i/${body.profileSlug}</loc>`)
    expect(await listed()).toContain('<loc>https://ours.test/pricing</loc>')
    await who.call('PUT', '/api/profile', { type: ['softball'], skills: ['pitching'], about: '', experience: '', slug: 'coach-toni' })
    expect(await listed()).toContain('<loc>https://ours.test/i/coach-toni</loc>')
    expect(await listed()).not.toContain(`/i/${body.profileSlug}<`)
    await h.sql`update instructors set skills = '{}' where slug = 'coach-toni'`
    expect(await listed()).not.toContain('coach-toni')
    expect(robots(around).identity.body.toString()).toContain('Sitemap: https://ours.test/sitemap.xml')
  })
})
