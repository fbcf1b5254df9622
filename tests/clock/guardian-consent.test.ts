import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, NEXT_YEAR, type ServerWithClock, startServerWithClock } from './server-with-clock.ts'

let t: ServerWithClock
beforeAll(async () => {
  t = await startServerWithClock(`${NEXT_YEAR}-03-10T15:00:00Z`)
})
afterAll(() => t.end())

const exists = async (id: string) => (await t.sql`select 1 from users where id = ${id}`).length === 1

test("a guardian's link works for 30 days; after that the minor can request a new one", async () => {
  const { kid, guardian, guardianEmail, answer, email } = await t.family()
  const { kid: other, answer: answerOfOther } = await t.family()
  await t.pass(29 * DAY_MS)
  expect((await answerOfOther({ answer: 'yes' })).status).toBe(204)
  await t.pass(2 * DAY_MS)
  expect((await answer({ answer: 'yes' })).status).toBe(404)
  expect([await exists(kid.id), await exists(other.id)]).toEqual([true, true])

  await t.signIn(kid, email)
  expect((await kid.call('POST', '/api/guardian', { name: 'Maria García', email: guardianEmail })).status).toBe(204)
  await t.quiet()
  const token = /guardian\/([\w-]{43})/.exec((await t.letters(guardianEmail)).at(-1)!.text)![1]!
  expect((await guardian.call('POST', `/api/guardian/${token}`, { answer: 'yes' })).status).toBe(204)
  expect((await kid.call('GET', '/api/user')).body.guardian).toBe('confirmed')
})

test('an account is deleted 30 days after its guardian refused, unless they then agree', async () => {
  const [refused, reconsidered] = [await t.family(), await t.family()]
  for (const { answer } of [refused, reconsidered]) expect((await answer({ answer: 'no' })).status).toBe(204)
  await t.pass(29 * DAY_MS)
  expect([await exists(refused.kid.id), await exists(reconsidered.kid.id)]).toEqual([true, true])
  const again = `/api/family/children/${reconsidered.kid.id}/consent`
  expect((await reconsidered.guardian.call('POST', again, { answer: 'yes' })).status).toBe(204)
  await t.pass(2 * DAY_MS)
  expect([await exists(refused.kid.id), await exists(reconsidered.kid.id)]).toEqual([false, true])
})

test('a player is informed 30 days before turning 18, and takes over on the birthday', async () => {
  const birthday = new Date(t.now().getTime() + 40 * DAY_MS)
  const { kid, email, guardian, guardianEmail, answer } = await t.family({
    dateOfBirth: `${birthday.getUTCFullYear() - 18}${birthday.toISOString().slice(4, 10)}`,
  })
  expect((await answer({ answer: 'yes' })).status).toBe(204)
  const notices = async () => [
    (await t.subjects(guardianEmail)).filter(subject => subject.includes("becomes Leo's own")).length,
    (await t.subjects(email)).filter(subject => subject.includes('is all yours')).length,
  ]
  await t.pass(9 * DAY_MS)
  expect(await notices()).toEqual([0, 0])
  await t.pass(2 * DAY_MS)
  expect(await notices()).toEqual([1, 1])
  // Using the session keeps it alive.
  expect((await guardian.call('GET', '/api/family')).body.children).toMatchObject([{ id: kid.id }])
  await t.passUntil(new Date(birthday.getTime() + DAY_MS))
  expect((await guardian.call('GET', '/api/family')).body.children).toEqual([])
  expect(await notices()).toEqual([1, 1])
})
