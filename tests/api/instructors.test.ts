import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onProfilePagesInvalidated } from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { nextPagePath } from './next-page-path-from-link-header.ts'
import { type CookieClient, newInstructorInput, newPlayerInput, startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
let player: CookieClient
beforeAll(async () => {
  h = await startTestServer({ work: true })
})
beforeEach(async () => {
  player = h.browser()
  await player.call('POST', '/api/register/player', newPlayerInput())
})
afterAll(() => h.end())

let addresses = 0
const unusedSlug = (slug: string) => `${slug}-${++addresses}`
const instructor = async (more: object = {}) => {
  const who = h.browser()
  const { body } = await who.call('POST', '/api/register/instructor', newInstructorInput(more))
  await h.approve(body.id)
  return { who, id: body.id as string, slug: body.profileSlug as string }
}
const change = (more: object = {}) => ({
  type: ['softball'],
  skills: ['pitching'],
  about: 'Twenty years.',
  experience: 'NCAA',
  slug: 'x-y-z',
  ...more,
})

describe('instructors', () => {
  test('are listed in pages; a header names the next page', async () => {
    const made = [await instructor(), await instructor(), await instructor()]
    const ids: string[] = []
    for (let path: string | undefined = '/api/instructors?limit=2'; path; ) {
      const { body, headers } = await h.browser().call('GET', path)
      expect(path).toMatch(/[?&]limit=2$/)
      expect(body.length).toBeLessThanOrEqual(2)
      ids.push(...body.map((found: { id: string }) => found.id))
      path = nextPagePath(headers)
    }
    expect(ids).toEqual(expect.arrayContaining(made.map(({ id }) => id)))
    expect(new Set(ids).size).toBe(ids.length)
  })
  test('are found by name, with their number and the next page', async () => {
    const lastName = `Search${randomUUID().replaceAll(/[\d-]/g, '')}`
    const made = [await instructor({ lastName }), await instructor({ lastName })]
    const search = async (more = '') => (await h.browser().call('GET', `/api/instructor-search?limit=1&name=${lastName}${more}`)).body
    const first = await search()
    const second = await search(`&after=${encodeURIComponent(first.next)}`)
    expect([first.total, second.next]).toEqual([2, null])
    expect([...first.instructors, ...second.instructors].map((found: { id: string }) => found.id).toSorted()).toEqual(
      made.map(({ id }) => id).toSorted(),
    )
  })
  // @spec:7.15
  test('are listed for everybody; those with a referral code come first for 30 days', async () => {
    const plain = await instructor({ firstName: 'Plain' })
    const { code } = (await player.call('GET', '/api/rewards')).body
    const referred = await instructor({ firstName: 'Referred', referralCode: ` ${code.toLowerCase()} ` })
    const made = await instructor({ firstName: 'Alone' })
    const list = async () => (await h.browser().call('GET', '/api/instructors')).body as { id: string; featured: boolean }[]
    const places = (all: { id: string }[]) => [referred.id, plain.id].map(id => all.findIndex(i => i.id === id))
    const before = await list()
    expect(before.find(i => i.id === plain.id)).toEqual({
      id: plain.id,
      user: { firstName: 'Plain', lastName: 'García', profileSlug: plain.slug },
      profilePicture: null,
      type: ['baseball'],
      skills: ['hitting', 'catching'],
      featured: false,
      checks: [],
      responseHours: null,
      sessionsGiven: 0,
      rating: null,
    })
    expect(places(before)[0]).toBe(0)
    expect(before.filter(i => i.featured).map(i => i.id)).toEqual([referred.id])
    expect(before.map(i => i.id)).toContain(made.id)
    h.advanceClock(31 * 24 * 3600 * 1000)
    const [r, p] = places(await list())
    expect(r).toBeGreaterThan(p!)
  })

  test('have a public profile by slug and by id', async () => {
    const { id, slug } = await instructor({ firstName: 'Public' })
    const { body } = await h.browser().call('GET', `/api/instructors/${slug}`)
    expect(body).toMatchObject({ id, followers: 0, about: '', responseHours: null, sessionsGiven: 0 })
    expect(body.email).toBeUndefined()
    expect((await h.browser().call('GET', `/api/instructors/${id}`)).body.id).toBe(id)
    expect((await h.browser().call('GET', '/api/instructors/nobody-at-all')).status).toBe(404)
  })

  test('can edit their profile; all processes are notified, and the old URL still works', async () => {
    const { who, slug } = await instructor({ firstName: 'Former' })
    const heard: (string[] | null)[] = []
    const listening = await onProfilePagesInvalidated(h.sql, slugs => heard.push(slugs))
    const wanted = unusedSlug('coach-new')
    const { status, body } = await who.call('PUT', '/api/profile', change({ slug: ` ${wanted.toUpperCase()} ` }))
    expect([status, body.user.profileSlug, body.about]).toEqual([200, wanted, 'Twenty years.'])
    // The instructor's approval also causes a notification about this profile, which may arrive only now.
    await expect.poll(() => heard).toContainEqual([slug, wanted])
    await listening.unlisten()
    expect((await h.browser().call('GET', `/api/instructors/${slug}`)).body.user.profileSlug).toBe(wanted)
    const back = await who.call('PUT', '/api/profile', change({ slug }))
    expect(back.body.user.profileSlug).toBe(slug)
  })

  test('cannot choose a URL that is in use, was in use, or is reserved', async () => {
    const one = await instructor({ firstName: 'Taken' })
    const second = unusedSlug('taken-second')
    await one.who.call('PUT', '/api/profile', change({ slug: second }))
    const { who } = await instructor()
    const at = async (slug: string) => (await who.call('GET', `/api/profile/slugs/${slug}`)).body
    for (const slug of [second, one.slug]) {
      expect(await at(slug)).toEqual({ available: false, message: 'This address is taken. Choose another.' })
      const refused = await who.call('PUT', '/api/profile', change({ slug }))
      expect([refused.status, refused.body.field]).toEqual([409, 'slug'])
    }
    expect((await at('dashboard')).message).toContain('reserved')
    expect((await at('ab')).message).toBe('At least 3 characters')
    expect((await at('a--b')).message).toBe('Use letters, numbers and single dashes')
    expect(await at('quite-free')).toEqual({ available: true, message: null })
    expect(await one.who.call('GET', `/api/profile/slugs/${second}`).then(a => a.body.available)).toBe(true)
  })

  test('keep their former URLs, and can change their URL ten times at most', async () => {
    const { who, slug } = await instructor({ firstName: 'Hoarding' })
    const to = (slug: string) => who.call('PUT', '/api/profile', change({ slug }))
    const all = [slug, ...Array.from({ length: 10 }, () => unusedSlug('hoard'))]
    for (const one of all.slice(1)) expect((await to(one)).status).toBe(200)
    const refused = await to(unusedSlug('hoard'))
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([409, 'too-many-slugs', 'slug'])
    // Former slugs stay reserved for their instructor.
    for (const one of [slug, all[5]!, all[10]!]) expect((await to(one)).status).toBe(200)
    const { body } = await h.browser().call('GET', `/api/instructors/${all[3]}`)
    expect(body.user.profileSlug).toBe(all[10])
  })

  test("cannot have another instructor's id as their URL", async () => {
    const [one, other] = [await instructor({ firstName: 'Asked' }), await instructor({ firstName: 'Posing' })]
    const refused = await other.who.call('PUT', '/api/profile', change({ slug: one.id }))
    expect([refused.status, refused.body.field ?? refused.body.errors[0].field]).toEqual([422, 'slug'])
    // An earlier version allowed a slug that is another instructor's id. The second update moves the correct row to the end of the table,
    // where Postgres finds it last.
    await h.sql`update instructors set slug = ${one.id} where id = ${other.id}`
    await h.sql`update instructors set about = 'The one.' where id = ${one.id}`
    expect((await h.browser().call('GET', `/api/instructors/${one.id}`)).body.id).toBe(one.id)
  })

  test('count a repeated follow once; connecting and following are undone separately', async () => {
    const { id, slug } = await instructor({ firstName: 'Followed' })
    for (const _ of [1, 2]) expect((await player.call('PUT', `/api/instructors/${id}/follow`)).status).toBe(204)
    expect((await player.call('PUT', `/api/instructors/${id}/connection`)).status).toBe(204)
    expect((await h.browser().call('GET', `/api/instructors/${slug}`)).body.followers).toBe(1)
    const mine = async () => (await player.call('GET', '/api/my/instructors')).body.instructors
    expect(await mine()).toMatchObject([{ id, connected: true, followed: true }])
    await player.call('DELETE', `/api/instructors/${id}/connection`)
    expect(await mine()).toMatchObject([{ id, connected: false, followed: true }])
    await player.call('DELETE', `/api/instructors/${id}/follow`)
    expect(await mine()).toEqual([])
    expect((await player.call('PUT', '/api/instructors/018f0000-0000-7000-8000-000000000000/follow')).status).toBe(404)
  })

  test('can renew their invite code, which ends the old one', async () => {
    const { who, id } = await instructor()
    const { code, url } = (await who.call('GET', '/api/invite')).body
    expect([code, url]).toEqual([expect.stringMatching(/^[2-9A-Z]{8}$/), `http://ours.test/invite/${code}`])
    expect((await h.browser().call('GET', `/api/instructors/by-invite/${code.toLowerCase()}`)).body.id).toBe(id)
    const renewed = (await who.call('POST', '/api/invite')).body
    expect(renewed.code).not.toBe(code)
    expect((await h.browser().call('GET', `/api/instructors/by-invite/${code}`)).status).toBe(404)
  })
})

describe('a profile picture', () => {
  test('is decoded one at a time, queued once per person, and limited to 24 megapixels', async () => {
    const people = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const who = h.browser()
        await who.call('POST', '/api/register/player', newPlayerInput())
        return who
      }),
    )
    const large = await sharp({ create: { width: 6000, height: 4000, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    const put = (who: CookieClient, bytes: Uint8Array) => who.call('PUT', '/api/user/picture', bytes, { 'content-type': 'image/jpeg' })
    const twice = await Promise.all([put(people[0]!, large), put(people[0]!, large)])
    expect(twice.map(a => a.status).sort()).toEqual([200, 503])
    const busy = twice.find(a => a.status === 503)!
    expect([busy.headers.get('retry-after'), busy.body.message]).toEqual(['2', expect.stringContaining('Many photos are being uploaded')])
    let most = 0
    const look = setInterval(() => {
      most = Math.max(most, sharp.counters().process)
    }, 1)
    const statuses = (await Promise.all(people.map(who => put(who, large)))).map(a => a.status)
    clearInterval(look)
    // The picture being processed and the eight in the queue succeed, and so does every request that arrives after a place has become free.
    expect(statuses.filter(s => s === 200).length).toBeGreaterThanOrEqual(9)
    expect(statuses.filter(s => s !== 200 && s !== 503)).toEqual([])
    expect(most).toBe(1)
    const bomb = await sharp({ create: { width: 6001, height: 4000, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    expect((await put(people[0]!, bomb)).status).toBe(422)
    expect((await put(people[0]!, large)).status).toBe(200)
  })
  const photo = (o: { format?: 'jpeg' | 'png' | 'webp' | 'gif'; width?: number } = {}) =>
    sharp({ create: { width: o.width ?? 900, height: 600, channels: 3, background: '#14532D' } })
      .withExif({ IFD0: { Copyright: 'where I live' } })
      .toFormat(o.format ?? 'jpeg')
      .toBuffer()
  const jpeg = { 'content-type': 'image/jpeg' }

  test('becomes a square without metadata, under a name that is never reused', async () => {
    const { body, status } = await player.call('PUT', '/api/user/picture', await photo(), jpeg)
    expect([status, body.profilePicture]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}\.webp$/)])
    expect((await player.call('GET', '/api/user')).body.profilePicture).toBe(body.profilePicture)
    const response = await h.app.fetch(new Request(`http://ours.test/uploads/profile/${body.profilePicture}`))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const kept = await sharp(await response.arrayBuffer()).metadata()
    expect([kept.width, kept.height, kept.exif]).toEqual([512, 512, undefined])

    const second = await player.call('PUT', '/api/user/picture', await photo({ format: 'png' }), { 'content-type': 'image/png' })
    expect(second.body.profilePicture).not.toBe(body.profilePicture)
    expect((await h.browser().call('GET', `/uploads/profile/${body.profilePicture}`)).status).toBe(404)
    expect((await player.call('DELETE', '/api/user/picture')).status).toBe(204)
    expect((await h.browser().call('GET', `/uploads/profile/${second.body.profilePicture}`)).status).toBe(404)
  })

  test('is refused if the file is no picture, whatever type is declared', async () => {
    const say = (bytes: Uint8Array, type = 'image/jpeg') => player.call('PUT', '/api/user/picture', bytes, { 'content-type': type })
    const script = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    expect((await say(script)).body).toMatchObject({
      status: 422,
      errors: [{ field: 'picture', message: expect.stringContaining('JPEG') }],
    })
    expect((await say(script, 'image/svg+xml')).status).toBe(415)
    expect((await say((await photo()).subarray(0, 900))).status).toBe(422)
    expect((await say(await photo({ format: 'gif' }))).status).toBe(422)
    expect((await say(new Uint8Array(0))).status).toBe(422)
    expect((await say(new Uint8Array(5 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await player.call('GET', '/api/user')).body.profilePicture).toBeNull()
  })
})
