import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errand } from '../../modules/kernel/process.ts'
import { ACCOUNT_DAYS_AFTER_REFUSAL, DAYS_TO_WAIT_FOR_FAILED_PAYMENT, DELETION_GRACE_DAYS } from '../../modules/privacy/policy.ts'
import { deleteDataPastRetention } from '../../src/server/delete-data-past-retention.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { readAllTables } from './deletion-scan.ts'
import { expectRefusal } from './full-server.ts'
import { type ServerWithFamilies, startServerWithFamilyHelpers, type TestGuardian } from './server-with-families.ts'
import { newPlayerInput } from './test-server.ts'

const DAY_MS = 24 * 3600_000

let t: ServerWithFamilies['t']
let families: ServerWithFamilies['families']
beforeAll(async () => {
  ;({ t, families } = await startServerWithFamilyHelpers())
})
afterAll(() => t.end())

const guardians = (id: string) => t.sql`select 1 from guardians where id = ${id}`
const users = (id: string) => t.sql`select 1 from users where id = ${id}`
async function deleteOwnRecord(guardian: TestGuardian) {
  expect((await guardian.call('DELETE', '/api/family')).status).toBe(204)
  await t.makeDue('guardian.delete')
}

test("a deleted guardian's name and email are not kept with a child who has turned 18", async () => {
  const { leo, maria, email } = await families.family()
  await t.sql`update users set born = '1990-01-01' where id = ${leo.id}`
  await deleteOwnRecord(maria)
  expect((await readAllTables(t)).split('\n').filter(row => row.toLowerCase().includes(email))).toEqual([])
  const [kept] = await t.sql`select guardian_name, guardian_email, guardian_confirmed from users where id = ${leo.id}`
  expect(kept).toEqual({ guardian_name: null, guardian_email: null, guardian_confirmed: null })
})

test('a guardian who has to pay for a grown child is deleted after the payment', async () => {
  const { leo, maria, id, payment } = await families.familyWithBill()
  await t.sql`update users set born = '1990-01-01' where id = ${leo.id}`
  await t.deps.post(t.sql, [errand({ id: randomUUID() }, 'guardian.delete', { guardian: id, position: '0' })])
  for (const _ of ['first attempt', 'second attempt']) await t.makeDue('guardian.delete')
  expect(await guardians(id)).toHaveLength(1)
  expect((await maria.call('POST', `/api/family/payments/${payment}/pay`, { tip: 0, total: 1550 })).body.status).toBe('paid')
  await t.waitUntilIdle()
  await t.makeDue('guardian.delete')
  expect(await guardians(id)).toHaveLength(0)
})

test('a bill that a closed account left unpaid does not keep its guardian', async () => {
  const { leo, id } = await families.familyWithBill()
  expect((await (await t.admin()).call('POST', `/api/admin/people/${leo.id}/close`, { reason: 'Threats.' })).status).toBe(204)
  await t.waitUntilIdle()
  for (const days of [DELETION_GRACE_DAYS, DAYS_TO_WAIT_FOR_FAILED_PAYMENT]) {
    expect([(await users(leo.id)).length, (await guardians(id)).length]).toEqual([1, 1])
    t.advanceClock(days * DAY_MS + 1000)
    await t.makeDue('account.delete')
  }
  await t.makeDue('guardian.delete')
  expect([(await users(leo.id)).length, (await guardians(id)).length]).toEqual([0, 0])
})

test('a "No" deletes no account whose former guardian had agreed and has been deleted', async () => {
  const { leo, maria, id } = await families.family({ card: false })
  const mo = { name: 'Mo Lane', email: newPlayerInput().email }
  expect((await maria.call('POST', `/api/family/children/${leo.id}/guardian`, mo)).status).toBe(204)
  await deleteOwnRecord(maria)
  expect(await guardians(id)).toHaveLength(0)

  const another = { name: 'Lee Lane', email: newPlayerInput().email }
  expectRefusal(await leo.call('POST', '/api/guardian', another), 409, 'guardian-chosen')
  expect((await leo.call('GET', '/api/guardian')).body).toMatchObject({ canNameAnother: false })
  // The letter is written anew.
  expect((await leo.call('POST', '/api/guardian', mo)).status).toBe(204)
  await t.waitUntilIdle()
  const letter = (await t.letters(mo.email)).at(-1)!
  expect(letter.text).toContain("You were named as Ana's parent or guardian there.")

  const answer = `/api/guardian/${guardianTokenIn(letter)}`
  expect((await t.browser().call('GET', answer)).body).toMatchObject({ isAccountKept: true })
  expect((await t.browser().call('POST', answer, { answer: 'no' })).status).toBe(204)
  await t.waitUntilIdle()
  expect((await leo.call('GET', '/api/guardian')).body).toMatchObject({ keptUntil: null })
  expect((await leo.call('GET', '/api/user')).body.guardian).toBe('refused')
  expect((await leo.call('GET', '/api/support/my-requests')).body).toMatchObject([
    { content: expect.stringContaining('newly named as parent or guardian said no') },
  ])
  t.advanceClock((ACCOUNT_DAYS_AFTER_REFUSAL + 1) * DAY_MS)
  await deleteDataPastRetention(t.deps, new AbortController().signal)
  await t.makeDue('account.delete')
  expect(await users(leo.id)).toHaveLength(1)
})
