import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consentTokenFor } from './consent-token.ts'
import { expectRefusal, type FullServer, startFullServer, type TestUser } from './full-server.ts'
import { birthDateOf, type CookieClient, newPlayerInput } from './test-server.ts'

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

const newMinor = () => s.player({ dateOfBirth: birthDateOf(14), guardianName: 'Rosa García', guardianEmail: newPlayerInput().email })
async function minorWithConsent() {
  const minor = await newMinor()
  const answer = await s.browser().call('POST', `/api/guardian/${await consentTokenFor(s.sql, minor.id)}`, { answer: 'yes' })
  expect(answer.status).toBe(204)
  return minor
}
const answerOf = async (who: TestUser) => (await who.call('GET', '/api/user')).body.guardian
const lettersAboutChange = (guardian: string) =>
  s.sql`select 1 from errands where kind = 'letter.guardian-changed' and payload ->> 'guardian' = ${guardian}`
const changeByAdmin = (minor: TestUser, key: string = randomUUID(), email = newPlayerInput().email) =>
  admin.call('POST', `/api/admin/people/${minor.id}/guardian`, { name: 'Mo Lane', email, reason: 'By phone.' }, { 'idempotency-key': key })

test('of two changes of guardian at once, the second is refused', async () => {
  const minor = await minorWithConsent()
  let changes: Promise<TestReply>[] = []
  await s.sql.begin(async tx => {
    await tx`select 1 from users where id = ${minor.id} for update`
    changes = [changeByAdmin(minor), changeByAdmin(minor)]
    // Not within the transaction, because that would see the same statistics every time.
    const waiting = () => s.sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from users%'`
    await expect.poll(async () => (await waiting()).length, { interval: 10, timeout: 8000 }).toBe(2)
  })
  const refused = (await Promise.all(changes)).filter(answer => answer.status !== 204)
  expect(refused).toHaveLength(1)
  expectRefusal(refused[0]!, 409, 'guardian-changed', 'Someone else changed this a moment ago. Reload the page.')
})

test('a guardian who never agreed gets no letter about their replacement', async () => {
  const minor = await newMinor()
  const [{ guardian }] = (await s.sql`select guardian from guardianships where player = ${minor.id}`) as unknown as [{ guardian: string }]
  expect((await changeByAdmin(minor)).status).toBe(204)
  expect(await lettersAboutChange(guardian)).toHaveLength(0)
})

test('a player under 18 without a guardian gets one from an administrator', async () => {
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
  await changeByAdmin(minor, key, email)
  expect((await minor.call('GET', '/api/guardian')).body.email).toBe(latest)
})

test('adult players, instructors and unknown ids cannot get a guardian', async () => {
  const body = { name: 'Mo Lane', email: newPlayerInput().email, reason: 'A mistake.' }
  const grown = await s.player()
  expectRefusal(await admin.call('POST', `/api/admin/people/${grown.id}/guardian`, body), 409, 'of-age')
  for (const id of [coach.id, randomUUID()]) {
    expectRefusal(await admin.call('POST', `/api/admin/people/${id}/guardian`, body), 404, 'not-found')
  }
})
