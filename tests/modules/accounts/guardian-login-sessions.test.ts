import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoginSessions, loginSessions } from '../../../modules/accounts/login-sessions.ts'
import { createTestDatabase } from '../../support/postgres.ts'
import { insertPlayer } from './insert-player.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
/** Two processes on one database. Their clock is stopped, so that nothing expires. */
let processA: LoginSessions
let processB: LoginSessions
const now = new Date()
beforeAll(async () => {
  db = await createTestDatabase()
  ;[processA, processB] = [loginSessions(db.sql, () => now), loginSessions(db.sql, () => now)]
  await Promise.all([processA.listening, processB.listening])
})
afterAll(async () => {
  await Promise.all([processA.stop(), processB.stop()])
  await db.end()
})

async function createGuardian() {
  const id = randomUUID()
  await db.sql`insert into guardians (id, email, name, created) values (${id}, ${`${id}@example.com`}, 'Odessa Pine', now())`
  return id
}
/** Starts a session for a guardian and looks it up in both processes, so that both cache it. */
async function cachedSession(guardian: string) {
  const token = await processA.startGuardian(guardian, 'Firefox on Windows')
  const [one, two] = await Promise.all([processA.findGuardian(token), processB.findGuardian(token)])
  expect([one?.id, two?.id]).toEqual([guardian, guardian])
  return { token, session: one!.session }
}
const expectEnded = (token: string) =>
  expect.poll(() => Promise.all([processA, processB].map(each => each.findGuardian(token))), { interval: 20 }).toEqual([null, null])

test("a guardian's session never opens an account, nor an account's session a family", async () => {
  const [guardian, user] = [await createGuardian(), await insertPlayer(db.sql)]
  const [family, account] = [await processA.startGuardian(guardian, 'Firefox'), await processA.start(user, 'Firefox')]
  expect(await processA.findGuardian(family)).toEqual({ id: guardian, session: expect.any(String) })
  expect(await processA.find(family)).toBeNull()
  expect(await processA.find(account)).toMatchObject({ id: user, role: 'player' })
  expect(await processA.findGuardian(account)).toBeNull()
  expect(await processA.findGuardian('unknown')).toBeNull()
})

test("a guardian's list of sessions has their own devices and nobody else's", async () => {
  const [guardian, other] = [await createGuardian(), await createGuardian()]
  const [mine, theirs] = [await cachedSession(guardian), await cachedSession(other)]
  expect(await processB.of(guardian)).toMatchObject([{ id: mine.session, device: 'Firefox on Windows' }])
  expect(await processB.of(other)).toMatchObject([{ id: theirs.session }])
})

test("a guardian ends one of their sessions in every process, but nobody else's", async () => {
  const guardian = await createGuardian()
  const [one, other] = [await cachedSession(guardian), await cachedSession(guardian)]
  expect(await processA.end(await createGuardian(), one.session)).toBe(false)
  expect(await processA.end(guardian, one.session)).toBe(true)
  await expectEnded(one.token)
  for (const each of [processA, processB]) expect(await each.findGuardian(other.token)).toMatchObject({ session: other.session })
})

test('a guardian signs out everywhere except on the device they use', async () => {
  const [guardian, stranger] = [await createGuardian(), await cachedSession(await createGuardian())]
  const [kept, one, two] = [await cachedSession(guardian), await cachedSession(guardian), await cachedSession(guardian)]
  await processA.endAll(guardian, kept.session)
  await Promise.all([expectEnded(one.token), expectEnded(two.token)])
  for (const each of [processA, processB])
    for (const { token, session } of [kept, stranger]) expect(await each.findGuardian(token)).toMatchObject({ session })
})

test("a guardian's session started in a transaction exists only after it commits", async () => {
  const guardian = await createGuardian()
  let token = ''
  await expect(
    db.sql.begin(async tx => {
      token = await processA.startGuardian(guardian, 'Firefox', tx)
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect([await processA.findGuardian(token), await processA.of(guardian)]).toEqual([null, []])
})
