import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consentDecider } from '../../modules/consent/consent.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import { consentErrandHandlers } from '../../src/server/consent-answer-and-folder-return-errands.ts'
import { consentTokenFor } from './consent-token.ts'
import { expectRefusal, type FullServer, startFullServer, type TestUser } from './full-server.ts'
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

const newMinor = () => s.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Rosa García', guardianEmail: newPlayerInput().email })
async function agree(minor: TestUser) {
  const answer = await s.browser().call('POST', `/api/guardian/${await consentTokenFor(s.sql, minor.id)}`, { answer: 'yes' })
  expect(answer.status).toBe(204)
}
async function minorWithConsent() {
  const minor = await newMinor()
  await agree(minor)
  return minor
}
const guardianIdOf = async ({ id }: TestUser) =>
  (await s.sql`select guardian from guardianships where player = ${id} and until is null`)[0]!.guardian as string
/** The new guardian of each change in the log, oldest first. */
const recordedChangesOf = async ({ id }: TestUser) =>
  (await s.deps.store.read(`consent-${id}`)).filter(e => e.type === 'GuardianChanged').map(e => (e.data as { guardian: string }).guardian)
const answerOf = async (who: TestUser) => (await who.call('GET', '/api/user')).body.guardian
const lettersAboutChange = (guardian: string) =>
  s.sql`select 1 from errands where kind = 'letter.guardian-changed' and payload ->> 'guardian' = ${guardian}`
const changeByAdmin = (minor: TestUser, key: string = randomUUID(), email = newPlayerInput().email) =>
  admin.call('POST', `/api/admin/people/${minor.id}/guardian`, { name: 'Mo Lane', email, reason: 'By phone.' }, { 'idempotency-key': key })

test('of two simultaneous changes of guardian, one is refused', async () => {
  const minor = await minorWithConsent()
  let changes: Promise<TestReply>[] = []
  await s.sql.begin(async tx => {
    await tx`select 1 from users where id = ${minor.id} for update`
    changes = [changeByAdmin(minor), changeByAdmin(minor)]
    // This query runs outside the transaction, which would see the same statistics every time. An errand that records the guardian's
    // answer may wait for the same row with another statement.
    const waiting = () => s.sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%born from users%'`
    await expect.poll(async () => (await waiting()).length, { interval: 10, timeout: 8000 }).toBe(2)
  })
  const answers = await Promise.all(changes)
  const refused = answers.filter(answer => answer.status !== 204)
  expect(refused).toHaveLength(1)
  expectRefusal(refused[0]!, 409, 'guardian-changed', 'Someone else changed this a moment ago. Reload the page.')
  // The refused change is not in the log either.
  expect(await recordedChangesOf(minor)).toEqual([await guardianIdOf(minor)])
})

test('the same change sent twice concurrently is made once, and both requests succeed', async () => {
  const minor = await minorWithConsent()
  const [key, email] = [randomUUID(), newPlayerInput().email]
  const answers = await Promise.all([changeByAdmin(minor, key, email), changeByAdmin(minor, key, email)])
  expect(answers.map(answer => answer.status)).toEqual([204, 204])
  expect(await recordedChangesOf(minor)).toEqual([await guardianIdOf(minor)])
})

test('a guardian who never agreed gets no letter about their replacement', async () => {
  const minor = await newMinor()
  const guardian = await guardianIdOf(minor)
  expect((await changeByAdmin(minor)).status).toBe(204)
  expect(await lettersAboutChange(guardian)).toHaveLength(0)
})

test('an administrator can give a guardian to a player under 18 who has none', async () => {
  const minor = await minorWithConsent()
  await s.sql`delete from guardianships where player = ${minor.id}`
  expect((await changeByAdmin(minor)).status).toBe(204)
  expect(await answerOf(minor)).toBe('waiting')
})

test('an earlier change is not repeated after a later one', async () => {
  const minor = await minorWithConsent()
  const [key, email, latest] = [randomUUID(), newPlayerInput().email, newPlayerInput().email]
  expect((await changeByAdmin(minor, key, email)).status).toBe(204)
  expect((await changeByAdmin(minor, randomUUID(), latest)).status).toBe(204)
  expectRefusal(await changeByAdmin(minor, key, email), 409, 'guardian-changed')
  expect((await minor.call('GET', '/api/guardian')).body.email).toBe(latest)
})

test('a change is not repeated after the player has named somebody who agreed', async () => {
  const minor = await newMinor()
  const [key, email] = [randomUUID(), newPlayerInput().email]
  expect((await changeByAdmin(minor, key, email)).status).toBe(204)
  expect((await minor.call('POST', '/api/guardian', { name: 'Maria Lane', email: newPlayerInput().email })).status).toBe(204)
  await agree(minor)
  const maria = await guardianIdOf(minor)
  expectRefusal(await changeByAdmin(minor, key, email), 409, 'guardian-changed')
  expect([await guardianIdOf(minor), await answerOf(minor)]).toEqual([maria, 'confirmed'])
})

test('repeating an interrupted change of guardian completes it', async () => {
  const minor = await minorWithConsent()
  const [key, email, former] = [randomUUID(), newPlayerInput().email, await guardianIdOf(minor)]
  expect((await changeByAdmin(minor, key, email)).status).toBe(204)
  // Restores the account tables to their state before the change.
  await s.sql`delete from guardianships where player = ${minor.id} and until is null`
  await s.sql`update guardianships set until = null where player = ${minor.id} and guardian = ${former}`
  expect((await changeByAdmin(minor, key, email)).status).toBe(204)
  expect((await minor.call('GET', '/api/guardian')).body.email).toBe(email)
  expect(await recordedChangesOf(minor)).toEqual([await guardianIdOf(minor)])
})

test('an idempotency key reused for another guardian is refused', async () => {
  const minor = await minorWithConsent()
  const key = randomUUID()
  expect((await changeByAdmin(minor, key)).status).toBe(204)
  expectRefusal(await changeByAdmin(minor, key), 422, 'key-reused')
})

test('a late request for consent does not set the log back to an earlier guardian', async () => {
  const minor = await newMinor()
  const former = await guardianIdOf(minor)
  expect((await changeByAdmin(minor)).status).toBe(204)
  await agree(minor)
  await consentErrandHandlers(s.deps)['consent.ask']({ player: minor.id, guardian: former, link: randomUUID() })
  expect(await loadState(s.deps.store, consentDecider, minor.id)).toMatchObject({ status: 'given', guardian: await guardianIdOf(minor) })
})

test('adult players, instructors and unknown ids cannot get a guardian', async () => {
  const body = { name: 'Mo Lane', email: newPlayerInput().email, reason: 'A mistake.' }
  const grown = await s.player()
  expectRefusal(await admin.call('POST', `/api/admin/people/${grown.id}/guardian`, body), 409, 'of-age')
  for (const id of [coach.id, randomUUID()]) {
    expectRefusal(await admin.call('POST', `/api/admin/people/${id}/guardian`, body), 404, 'not-found')
  }
})
