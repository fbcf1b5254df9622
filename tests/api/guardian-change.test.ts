import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { payerOf } from '../../modules/accounts/payer.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import { accountDecider } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { ACCOUNT_DAYS_AFTER_REFUSAL } from '../../modules/privacy/policy.ts'
import { apiRoutes } from '../../src/api/index.ts'
import { deleteDataPastRetention } from '../../src/server/delete-data-past-retention.ts'
import { arbitraryOfSchema } from '../support/arbitrary-requests.ts'
import { consentTokenFor } from './consent-token.ts'
import {
  createAssignedFolder,
  createFolderWithVideo,
  expectRefusal,
  type FullServer,
  startFullServer,
  type TestUser,
} from './full-server.ts'
import { birthDateForAge, type CookieClient, newPlayerInput } from './test-server.ts'

type TestReply = Awaited<ReturnType<CookieClient['call']>>
let s: FullServer
let coach: TestUser
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  coach = await s.instructor()
  admin = await s.admin()
})
afterAll(() => s.end())

async function agree(player: string) {
  const guardian = s.browser()
  expect((await guardian.call('POST', `/api/guardian/${await consentTokenFor(s.sql, player)}`, { answer: 'yes' })).status).toBe(204)
  const { id } = (await guardian.call('GET', '/api/family')).body.guardian as { id: string }
  await s.saveCard(id)
  expect((await guardian.call('PUT', `/api/family/children/${player}/limit`, { monthly: 50_000 })).status).toBe(204)
  return Object.assign(guardian, { id })
}
/** Creates a minor whose guardian has given consent, saved a card and set a limit. */
async function family() {
  const minor = await s.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Rosa García', guardianEmail: newPlayerInput().email })
  return { minor, rosa: await agree(minor.id) }
}
const handOver = (who: Pick<TestUser, 'call'>, minor: Pick<TestUser, 'id'>, email: string, key: string = randomUUID()) =>
  who.call('POST', `/api/family/children/${minor.id}/guardian`, { name: 'Mo Lane', email }, { 'idempotency-key': key })
const assign = (who: TestUser, folder: string) =>
  who.call('POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: coach.id })
const statusOf = async (who: TestUser, folder: string) => (await who.call('GET', `/api/folders/${folder}`)).body.status
const answerOf = async (who: TestUser) => (await who.call('GET', '/api/user')).body.guardian
const lettersTo = async (guardian: string) => {
  const rows = await s.sql<
    { kind: string }[]
  >`select kind from errands where kind = 'letter.guardian-changed' and payload ->> 'guardian' = ${guardian}`
  return rows.map(row => row.kind)
}

test('a change of guardian returns open sessions and asks the new guardian to agree', async () => {
  const { minor, rosa } = await family()
  const [unread, started] = [await createAssignedFolder(minor, coach), await createAssignedFolder(minor, coach)]
  await coach.call('POST', `/api/folders/${started.folder}/review`)
  const email = newPlayerInput().email
  expect((await handOver(rosa, minor, email)).status).toBe(204)

  expect((await rosa.call('GET', '/api/family')).body.children).toEqual([])
  expectRefusal(await rosa.call('GET', `/api/family/children/${minor.id}/consent`), 404, 'not-found')
  expect(await lettersTo(rosa.id)).toEqual(['letter.guardian-changed'])
  expect([await answerOf(minor), await payerOf(s.sql, minor.id, s.deps.clock())]).toEqual(['waiting', null])
  for (const { folder } of [unread, started]) await expect.poll(() => statusOf(minor, folder), { timeout: 8000 }).toBe('open')
  expectRefusal(await assign(minor, unread.folder), 409, 'guardian-needed')

  const mo = await agree(minor.id)
  expect((await mo.call('GET', '/api/family')).body).toMatchObject({ guardian: { email }, children: [{ id: minor.id, consent: 'given' }] })
  expect(await payerOf(s.sql, minor.id, s.deps.clock())).toEqual({ id: mo.id, isGuardian: true })
  const { history } = (await mo.call('GET', `/api/family/children/${minor.id}/consent`)).body
  expect(history.map((step: { type: string }) => step.type)).toEqual(['ConsentGiven'])
  expect((await assign(minor, unread.folder)).status).toBe(204)
})

// @spec:6.9
test("a guardian has no access to somebody else's child through any call", async () => {
  const { minor, rosa } = await family()
  const { folder, video, assignment } = await createAssignedFolder(minor, coach)
  await coach.call('POST', `/api/folders/${folder}/review`)
  const other = await family()
  await handOver(rosa, minor, newPlayerInput().email)
  const mo = s.browser()
  expect((await mo.call('POST', `/api/guardian/${await consentTokenFor(s.sql, minor.id)}`, { answer: 'no' })).status).toBe(204)
  const ids: Record<string, string> = {
    child: minor.id,
    player: minor.id,
    folder,
    video,
    assignment,
    payment: assignment,
    session: assignment,
  }
  // A guardian who has not given consent may read and change their answer, and nothing else.
  const isAnswer = (path: string) => /\/children\/\{child\}\/consent/.test(path)
  const named = apiRoutes.filter(
    route => route.endpoint.access === 'guardian' && /\{(child|player|folder|assignment|payment)\}/.test(route.path),
  )
  expect(named.length).toBeGreaterThan(10)
  for (const { method, path, endpoint } of named) {
    const query = endpoint.query && 'session' in endpoint.query.shape ? `?session=${assignment}` : ''
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? randomUUID()) + query
    for (const who of [rosa, other.rosa, ...(isAnswer(path) ? [] : [mo])]) {
      let answer: TestReply
      for (let seed = 1; ; seed++) {
        const body = endpoint.body && fc.sample(arbitraryOfSchema(endpoint.body), { numRuns: 1, seed })[0]
        answer = await who.call(method, address, body)
        if (answer.status !== 422 || seed === 200) break
      }
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
  }
})

test('repeating a guardian change is not an error; a second change finds no child', async () => {
  const { minor, rosa } = await family()
  const [email, key] = [newPlayerInput().email, randomUUID()]
  for (let i = 0; i < 2; i++) expect((await handOver(rosa, minor, email, key)).status).toBe(204)
  expect(await lettersTo(rosa.id)).toHaveLength(1)
  expectRefusal(await handOver(rosa, minor, newPlayerInput().email), 404, 'not-found')
})

test('a change is not repeated after the former guardian has the child again', async () => {
  const { minor, rosa } = await family()
  const [email, key] = [newPlayerInput().email, randomUUID()]
  expect((await handOver(rosa, minor, email, key)).status).toBe(204)
  const { name, email: own } = (await rosa.call('GET', '/api/family')).body.guardian
  const back = { name, email: own, reason: 'The mother called.' }
  expect((await admin.call('POST', `/api/admin/people/${minor.id}/guardian`, back)).status).toBe(204)
  await agree(minor.id)
  expectRefusal(await handOver(rosa, minor, email, key), 409, 'guardian-changed')
  expect(await answerOf(minor)).toBe('confirmed')
  expect(await payerOf(s.sql, minor.id, s.deps.clock())).toEqual({ id: rosa.id, isGuardian: true })
})

test("a guardian cannot name another guardian for somebody else's child", async () => {
  const { minor, rosa } = await family()
  const other = await family()
  expectRefusal(await handOver(other.rosa, minor, newPlayerInput().email), 404, 'not-found')
  expectRefusal(await handOver(rosa, { id: randomUUID() }, newPlayerInput().email), 404, 'not-found')
  expect(await answerOf(minor)).toBe('confirmed')
})

test('a guardian who has not agreed cannot name another guardian', async () => {
  const { minor, rosa } = await family()
  await handOver(rosa, minor, newPlayerInput().email)
  const mo = s.browser()
  expect((await mo.call('POST', `/api/guardian/${await consentTokenFor(s.sql, minor.id)}`, { answer: 'no' })).status).toBe(204)
  expectRefusal(await handOver(mo, minor, newPlayerInput().email), 404, 'not-found')
})

test('a guardian cannot name themselves or the player', async () => {
  const { minor, rosa } = await family()
  const { email } = (await rosa.call('GET', '/api/family')).body.guardian
  const sameGuardian = "This is already the guardian's email address. Enter a different one."
  expectRefusal(await handOver(rosa, minor, email.toUpperCase()), 409, 'same-guardian', sameGuardian)
  const playersAddress = (await minor.call('GET', '/api/user')).body.email
  const ownAddress = "Enter the guardian's own email address, not the player's"
  expectRefusal(await handOver(rosa, minor, playersAddress), 409, 'own-address', ownAddress)
  await createEmailedLinkToken(s.sql, s.deps.clock(), 'restore-email', { owner: minor.id, email: 'former@mail.test' })
  const former =
    "This was the player's email address until recently, and their account can still switch back to it. " +
    'Use a different one, or try again in 7 days.'
  expectRefusal(await handOver(rosa, minor, 'Former@mail.test'), 409, 'email-restorable', former)
  expect(await answerOf(minor)).toBe('confirmed')
})

test('the player can have the letter resent to the new guardian, but to nobody else', async () => {
  const { minor, rosa } = await family()
  const email = newPlayerInput().email
  await handOver(rosa, minor, email)
  const refused = await minor.call('POST', '/api/guardian', { name: 'A friend', email: newPlayerInput().email })
  const onlyOthers = 'Only our support team can replace Mo Lane.'
  expectRefusal(refused, 409, 'guardian-chosen', onlyOthers)
  expect(refused.body.field).toBe('email')
  expect((await minor.call('POST', '/api/guardian', { name: 'Mo Lane', email })).status).toBe(204)
  expect((await minor.call('GET', '/api/guardian')).body.email).toBe(email)
})

test("a player cannot bypass a guardian's refusal by naming somebody else", async () => {
  const email = newPlayerInput().email
  const minor = await s.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Rosa García', guardianEmail: email })
  expect((await minor.call('GET', '/api/guardian')).body).toMatchObject({ canNameAnother: true, keptUntil: null })
  const stranger = s.browser()
  const token = await consentTokenFor(s.sql, minor.id)
  expect((await stranger.call('GET', `/api/guardian/${token}`)).body.isAccountKept).toBe(false)
  expect((await stranger.call('POST', `/api/guardian/${token}`, { answer: 'no' })).status).toBe(204)
  const { canNameAnother, keptUntil } = (await minor.call('GET', '/api/guardian')).body
  expect(canNameAnother).toBe(false)
  expect(Math.round((Date.parse(keptUntil) - s.deps.clock().getTime()) / (24 * 3600_000))).toBe(ACCOUNT_DAYS_AFTER_REFUSAL)
  const letter = () => s.sql`select payload from errands where kind = 'letter.consent-refused' and payload ->> 'user' = ${minor.id} limit 1`
  await expect.poll(letter, { timeout: 8000 }).toMatchObject([{ payload: { deletedAt: keptUntil } }])
  expect((await minor.call('GET', '/api/support/my-requests')).body).toEqual([])
  const refused = await minor.call('POST', '/api/guardian', { name: 'A friend', email: newPlayerInput().email })
  expectRefusal(refused, 409, 'guardian-answered', 'Rosa García said no. Only our support team can name someone else.')
  expect(refused.body.field).toBe('email')
  expect((await minor.call('POST', '/api/guardian', { name: 'Rosa García', email })).status).toBe(204)
})

test('an administrator changes the guardian with a reason that the log keeps', async () => {
  const { minor, rosa } = await family()
  const change = (body: object, key: string = randomUUID()) =>
    admin.call('POST', `/api/admin/people/${minor.id}/guardian`, body, { 'idempotency-key': key })
  const to = { name: 'Mo Lane', email: newPlayerInput().email }
  expectRefusal(await change(to), 422, 'invalid')
  const [reason, key] = ['The mother asked by phone.', randomUUID()]
  for (let i = 0; i < 2; i++) expect((await change({ ...to, reason }, key)).status).toBe(204)
  expectRefusal(await change({ ...to, reason }), 409, 'same-guardian')
  expect(await answerOf(minor)).toBe('waiting')
  expect((await rosa.call('GET', '/api/family')).body.children).toEqual([])
  const { events } = (await admin.call('GET', `/api/admin/events?stream=consent-${minor.id}`)).body
  expect(events[0]).toMatchObject({ type: 'GuardianChanged', data: { former: rosa.id, reason }, who: { role: 'admin' } })
  const person = (await admin.call('GET', `/api/admin/people/${minor.id}`)).body
  expect(person.guardians).toMatchObject([
    { email: to.email, consent: null, until: null },
    { id: rosa.id, until: expect.any(String) },
  ])
  // The reason for the change is not shown on the family's pages.
  const mo = await agree(minor.id)
  expect(JSON.stringify((await mo.call('GET', `/api/family/children/${minor.id}/consent`)).body)).not.toContain(reason)
})

test("a private link to a minor's feedback ends when the guardian is replaced", async () => {
  const { minor, rosa } = await family()
  const { folder } = await createFolderWithVideo(minor)
  await s.sql`insert into review_links (id, hash, player, folder, session, name, created, expires)
    values (${randomUUID()}, ${Buffer.from(randomUUID())}, ${minor.id}, ${folder}, ${randomUUID()}, 'Grandma', now(), now() + interval '1 day')`
  await handOver(rosa, minor, newPlayerInput().email)
  expect(await s.sql`select 1 from review_links where player = ${minor.id}`).toHaveLength(0)
})

test('if the new guardian refuses, the player is blocked and nothing is deleted', async () => {
  const { minor, rosa } = await family()
  await createAssignedFolder(minor, coach)
  await handOver(rosa, minor, newPlayerInput().email)
  const mo = s.browser()
  const token = await consentTokenFor(s.sql, minor.id)
  expect((await mo.call('GET', `/api/guardian/${token}`)).body.isAccountKept).toBe(true)
  expect((await mo.call('POST', `/api/guardian/${token}`, { answer: 'no' })).status).toBe(204)

  expect((await minor.call('GET', '/api/guardian')).body).toMatchObject({ keptUntil: null, canNameAnother: false })
  expect((await minor.call('GET', '/api/account/retention')).body.account).toBeNull()
  const { folder } = await createFolderWithVideo(minor)
  const refused = await assign(minor, folder)
  expectRefusal(refused, 409, 'guardian-needed')
  expect(refused.body.message).toMatch(/Your account stays open, and our support team can correct who is listed as your parent or guardian/)

  const requests = async () =>
    (await admin.call('GET', '/api/admin/support')).body.requests.filter((r: { by: TestUser }) => r.by?.id === minor.id)
  await expect.poll(async () => (await requests()).length, { timeout: 8000 }).toBe(1)
  expect((await requests())[0]).toMatchObject({
    status: 'open',
    priority: 'high',
    content: expect.stringMatching(/newly named as parent or guardian said no/),
  })
  expect((await minor.call('GET', '/api/support/my-requests')).body).toHaveLength(1)
  // A request that the server wrote does not count as a complaint about the player's instructor; one that the player wrote does.
  const complaints = async () => (await admin.call('GET', `/api/admin/instructors/${coach.id}`)).body.complaints
  expect(await complaints()).toBe(0)
  await minor.call('POST', '/api/support/request', { requestType: 'issue', content: 'The drills hurt my arm.' })
  await minor.call('GET', '/api/support/my-requests')
  expect(await complaints()).toBe(1)
  const letter = () => s.sql`select payload from errands where kind = 'letter.consent-refused' and payload ->> 'user' = ${minor.id} limit 1`
  await expect.poll(letter, { timeout: 8000 }).toMatchObject([{ payload: { deletedAt: null } }])

  // Keep this test the last one of this file: moving the clock this far ends all login sessions.
  s.advanceClock((ACCOUNT_DAYS_AFTER_REFUSAL + 1) * 24 * 3600_000)
  await deleteDataPastRetention(s.deps, new AbortController().signal)
  const people = await s.sql`select 1 from users where id = ${minor.id}`
  expect([people.length, (await loadState(s.deps.store, accountDecider, minor.id)).deletion]).toEqual([1, 'none'])
  const again = await s.admin()
  const to = { name: 'Rosa García', email: newPlayerInput().email, reason: 'The address had a typing error.' }
  expect((await again.call('POST', `/api/admin/people/${minor.id}/guardian`, to)).status).toBe(204)
  await agree(minor.id)
  expect(await payerOf(s.sql, minor.id, s.deps.clock())).toMatchObject({ isGuardian: true })
})
