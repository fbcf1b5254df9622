import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { folderDecider, folderStatusOf } from '../../modules/folders/folder.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import { createAssignedFolder, expectRefusal, type FullServer, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  admin = await s.admin()
})
afterAll(() => s.end())

const DAY_MS = 24 * 3600_000
const day = (away: number) => new Date(Date.now() + away * DAY_MS).toISOString().slice(0, 10)
const decide = (instructor: { id: string }, what: string, body?: object) =>
  admin.call('POST', `/api/admin/instructors/${instructor.id}/${what}`, body)
const instructorRecord = async (instructor: { id: string }) => (await admin.call('GET', `/api/admin/instructors/${instructor.id}`)).body
const confirmEmail = async (instructor: { id: string }) => {
  const { token } = await createEmailedLinkToken(s.sql, new Date(), 'confirm-email', { owner: instructor.id })
  return s.browser().call('POST', `/api/email-confirmation/${token}`)
}
/** Repeats `check` until it does not throw, for at most 5 s, because errands take effect some time after a command. */
const eventually = (check: () => Promise<void>) =>
  expect.poll(async () => check().then(() => 'done', String), { timeout: 5000 }).toBe('done')

test('an emailed link confirms an email once; approval is refused until then', async () => {
  const ray = await s.instructor({ unvetted: true })
  expect((await instructorRecord(ray)).emailConfirmed).toBe(false)
  expectRefusal(await decide(ray, 'approve'), 409, 'email-unconfirmed')
  const { token } = await createEmailedLinkToken(s.sql, new Date(), 'confirm-email', { owner: ray.id })
  expect((await s.browser().call('GET', `/api/links/confirm-email/${token}`)).body).toEqual({ works: true })
  expect((await s.browser().call('POST', `/api/email-confirmation/${token}`)).status).toBe(204)
  expectRefusal(await s.browser().call('POST', `/api/email-confirmation/${token}`), 410, 'link-over')
  expectRefusal(await s.browser().call('POST', '/api/email-confirmation/made-up'), 410, 'link-over')
  expect((await decide(ray, 'approve')).status).toBe(204)
  expect(await instructorRecord(ray)).toMatchObject({ status: 'approved', emailConfirmed: true, decided: expect.any(String) })
})

test('instructors and admins can resend the confirmation, which ends the earlier link', async () => {
  const ray = await s.instructor({ unvetted: true })
  const letters = async () =>
    (await s.sql`select 1 from errands where kind = 'letter.confirm-email' and payload ->> 'user' = ${ray.id}`).length
  expect(await letters()).toBe(1)
  const { token } = await createEmailedLinkToken(s.sql, new Date(), 'confirm-email', { owner: ray.id })
  expect((await ray.call('POST', '/api/profile/email-confirmation')).status).toBe(204)
  expect((await decide(ray, 'email-confirmation')).status).toBe(204)
  expect(await letters()).toBe(3)
  expectRefusal(await s.browser().call('POST', `/api/email-confirmation/${token}`), 410, 'link-over')
})

test('a check is recorded with its author, and its expiry announced 30 days ahead', async () => {
  const ray = await s.instructor()
  const check = { check: 'background', checked: day(-3), reference: 'Report 20931', expires: day(40) }
  expect((await decide(ray, 'checks', check)).status).toBe(204)
  const { check: kind, ...rest } = check
  expect((await instructorRecord(ray)).checks).toEqual([
    { kind, ...rest, by: 'Ana García', recorded: expect.any(String), validity: 'valid' },
  ])
  expectRefusal(await decide(ray, 'checks', { ...check, checked: day(2) }), 409, 'check-day')
  await eventually(async () => {
    const [letter] = await s.sql<{ due: string }[]>`
      select due from errands where kind = 'letter.check-expiring' and payload ->> 'instructor' = ${ray.id}`
    expect(new Date(letter!.due).toISOString().slice(0, 10)).toBe(day(10))
  })
  expect((await decide(ray, 'checks/background/withdraw', { reason: 'The wrong person.' })).status).toBe(204)
  expect((await instructorRecord(ray)).checks).toEqual([])
})

test('a new name ends the identity and background checks, and administrators are told', async () => {
  const ray = await s.instructor()
  const check = { checked: day(-3), reference: 'Report 20931', expires: null }
  for (const kind of ['identity', 'background', 'safesport'])
    expect((await decide(ray, 'checks', { ...check, check: kind })).status).toBe(204)
  const { firstName, phone, isNameChecked } = (await ray.call('GET', '/api/account')).body
  expect(isNameChecked).toBe(true)
  expect((await ray.call('PUT', '/api/account/details', { firstName, lastName: 'Jeter', phone })).status).toBe(200)
  await eventually(async () => {
    expect((await instructorRecord(ray)).checks.map((c: { kind: string }) => c.kind)).toEqual(['safesport'])
  })
  expect((await ray.call('GET', '/api/account')).body.isNameChecked).toBe(false)
  const requests = (await admin.call('GET', '/api/admin/support?list=open')).body.requests
  expect(requests.filter((r: { by: { id: string } }) => r.by.id === ray.id)).toMatchObject([
    { priority: 'high', bySystem: true, content: expect.stringContaining('changed their name') },
  ])
  expect((await instructorRecord(ray)).status).toBe('approved')
})

test('a suspension returns open sessions without a bill, and keeps delivered feedback', async () => {
  const [ana, ray] = await s.playerAndInstructor()
  const { folder } = await createAssignedFolder(ana, ray)
  await ray.call('POST', `/api/folders/${folder}/review`)
  expect((await instructorRecord(ray)).sessions).toEqual({ open: 1, delivered: 0 })
  expect((await decide(ray, 'suspend', { reason: 'A parent wrote to us.' })).status).toBe(204)
  expect(await instructorRecord(ray)).toMatchObject({ status: 'suspended', reason: 'A parent wrote to us.' })
  await eventually(async () => {
    const { body } = await ana.call('GET', `/api/folders/${folder}`)
    expect([body.status, body.declined?.reason]).toEqual(['open', expect.stringContaining('returned your folder')])
  })
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, { notes: [], summary: 'x', grades: [] })).status).toBe(404)
  expect((await ana.call('GET', '/api/billing')).body.payments).toEqual([])
  expect((await decide(ray, 'reinstate')).status).toBe(204)
  expect((await instructorRecord(ray)).status).toBe('approved')
})

test('a session that is assigned after a reinstatement is not handed back', async () => {
  const [ana, ray] = await s.playerAndInstructor()
  expect((await decide(ray, 'suspend', { reason: 'The wrong person.' })).status).toBe(204)
  expect((await decide(ray, 'reinstate')).status).toBe(204)
  const { folder } = await createAssignedFolder(ana, ray)
  expect((await ray.call('POST', `/api/folders/${folder}/review`)).status).toBe(204)
  // The server answers only once the read model of open sessions has the new one, so the errand below could find it.
  expect((await instructorRecord(ray)).sessions).toEqual({ open: 1, delivered: 0 })
  const waiting = () =>
    s.sql`select due from errands where kind = 'instructor.hand-back' and payload ->> 'instructor' = ${ray.id} and done is null`
  // The first run happens immediately, and the second one after a minute.
  await eventually(async () => expect(await waiting()).toHaveLength(1))
  await s.sql`update errands set due = now() where kind = 'instructor.hand-back'`
  await s.sql`select pg_notify('errands', '')`
  await eventually(async () => expect(await waiting()).toHaveLength(0))
  // Read the log, because a response to the player may not show events that the server has just appended by itself.
  expect(folderStatusOf(await loadState(s.deps.store, folderDecider, folder))).toBe('in-review')
})

test("issues that an instructor's own players report count as complaints", async () => {
  const [[ana, ray], bob] = await Promise.all([s.playerAndInstructor(), s.player()])
  for (let i = 0; i < 2; i++) await createAssignedFolder(ana, ray)
  const report = async (who: TestUser, requestType: string) =>
    expect((await who.call('POST', '/api/support/request', { requestType, content: 'Something is wrong here.' })).status).toBeLessThan(300)
  await report(ana, 'issue')
  await report(ana, 'question')
  await report(bob, 'issue')
  expect(await instructorRecord(ray)).toMatchObject({ complaints: 1, requests: 0 })
})

test('instructors are listed by status, counted, and found by part of name or email', async () => {
  const zoe = await s.instructor({ firstName: 'Zoë', lastName: 'Percent', email: 'zoe_percent@example.com', unvetted: true })
  const list = async (query: string) => (await admin.call('GET', `/api/admin/instructors?${query}`)).body
  const ids = (of: { instructors: { id: string }[] }) => of.instructors.map(i => i.id)
  const pending = await list('status=pending')
  expect(ids(pending)).toContain(zoe.id)
  expect(pending.counts.pending).toBe(pending.instructors.length)
  expect(ids(await list('status=pending&search=oë perc'))).toEqual([zoe.id])
  expect(ids(await list('status=pending&search=E_P'))).toEqual([zoe.id])
  expect(ids(await list('status=pending&search=%25'))).toEqual([])
  expect(ids(await list('status=approved&search=percent'))).toEqual([])
  expect((await decide(zoe, 'decline', { reason: 'The references did not know you.' })).status).toBe(204)
  expect(ids(await list('status=declined'))).toContain(zoe.id)
})

test('an administrator sees and ends the featuring that came with a referral code', async () => {
  const { code: referralCode } = (await (await s.player()).call('GET', '/api/rewards')).body
  const ray = await s.instructor({ referralCode })
  const isListedFirst = async () =>
    (await admin.call('GET', '/api/instructors?limit=100')).body.find((i: { id: string }) => i.id === ray.id).featured
  expect([await isListedFirst(), (await instructorRecord(ray)).featuredUntil]).toEqual([true, expect.any(String)])
  for (let i = 0; i < 2; i++) expect((await decide(ray, 'feature', { days: 0 })).status).toBe(204)
  expect([await isListedFirst(), (await instructorRecord(ray)).featuredUntil]).toEqual([false, null])
  const { events } = (await admin.call('GET', `/api/admin/events?stream=vetting-${ray.id}`)).body
  expect(events.filter((e: { type: string }) => e.type === 'InstructorFeatured')).toHaveLength(1)
  expect((await decide(ray, 'feature', { days: 30 })).status).toBe(204)
  expect(await isListedFirst()).toBe(true)
})

test('the audit log names who took each step, and only instructors can be vetted', async () => {
  const ray: TestUser = await s.instructor({ unvetted: true })
  await confirmEmail(ray)
  await decide(ray, 'approve')
  await decide(ray, 'feature', { days: 30 })
  const { events } = (await admin.call('GET', `/api/admin/events?stream=vetting-${ray.id}`)).body
  expect(events.map((e: { type: string; who: { role: string } }) => [e.type, e.who.role])).toEqual([
    ['InstructorFeatured', 'admin'],
    ['InstructorApproved', 'admin'],
    ['EmailConfirmed', 'instructor'],
  ])
  expectRefusal(await decide({ id: randomUUID() }, 'approve'), 404, 'not-found')
  const ana = await s.player()
  expectRefusal(await decide(ana, 'suspend', { reason: 'No instructor.' }), 404, 'not-found')
})
