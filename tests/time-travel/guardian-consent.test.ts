import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { CLOCK_START_YEAR, DAY_MS, type ServerWithMovableClock, startServerWithMovableClock } from './server-with-movable-clock.ts'

let t: ServerWithMovableClock
beforeAll(async () => {
  t = await startServerWithMovableClock(`${CLOCK_START_YEAR}-03-10T15:00:00Z`)
})
afterAll(() => t.end())

const exists = async (id: string) => (await t.sql`select 1 from users where id = ${id}`).length === 1

test("a guardian's link works for 30 days; after that the minor can request a new one", async () => {
  const { minor, guardian, guardianEmail, answer, email } = await t.family()
  const { minor: other, answer: answerOfOther } = await t.family()
  await t.advanceClock(29 * DAY_MS)
  expect((await answerOfOther({ answer: 'yes' })).status).toBe(204)
  await t.advanceClock(2 * DAY_MS)
  expect((await answer({ answer: 'yes' })).status).toBe(404)
  expect([await exists(minor.id), await exists(other.id)]).toEqual([true, true])

  await t.signIn(minor, email)
  expect((await minor.call('POST', '/api/guardian', { name: 'Maria García', email: guardianEmail })).status).toBe(204)
  await t.waitUntilIdle()
  const token = guardianTokenIn((await t.letters(guardianEmail)).at(-1))
  expect((await guardian.call('POST', `/api/guardian/${token}`, { answer: 'yes' })).status).toBe(204)
  expect((await minor.call('GET', '/api/user')).body.guardian).toBe('confirmed')
})

test('an account is deleted 30 days after its guardian refused, unless they then agree', async () => {
  const [refused, reconsidered] = [await t.family(), await t.family()]
  for (const { answer } of [refused, reconsidered]) expect((await answer({ answer: 'no' })).status).toBe(204)
  await t.advanceClock(29 * DAY_MS)
  expect([await exists(refused.minor.id), await exists(reconsidered.minor.id)]).toEqual([true, true])
  const again = `/api/family/children/${reconsidered.minor.id}/consent`
  expect((await reconsidered.guardian.call('POST', again, { answer: 'yes' })).status).toBe(204)
  await t.advanceClock(2 * DAY_MS)
  expect([await exists(refused.minor.id), await exists(reconsidered.minor.id)]).toEqual([false, true])
})

test('a player is informed 30 days before turning 18, and takes over on the birthday', async () => {
  const birthday = new Date(t.now().getTime() + 40 * DAY_MS)
  const { minor, email, guardian, guardianEmail, answer } = await t.family({
    dateOfBirth: `${birthday.getUTCFullYear() - 18}${birthday.toISOString().slice(4, 10)}`,
  })
  expect((await answer({ answer: 'yes' })).status).toBe(204)
  const notices = async () => [
    (await t.subjects(guardianEmail)).filter(subject => subject.includes("becomes Leo's own")).length,
    (await t.subjects(email)).filter(subject => subject.includes('is all yours')).length,
  ]
  await t.advanceClock(9 * DAY_MS)
  expect(await notices()).toEqual([0, 0])
  await t.advanceClock(2 * DAY_MS)
  expect(await notices()).toEqual([1, 1])
  // This request renews the guardian's login, which would otherwise end before the birthday.
  expect((await guardian.call('GET', '/api/family')).body.children).toMatchObject([{ id: minor.id }])
  await t.advanceClockTo(new Date(birthday.getTime() + DAY_MS))
  expect((await guardian.call('GET', '/api/family')).body.children).toEqual([])
  expect(await notices()).toEqual([1, 1])
})
