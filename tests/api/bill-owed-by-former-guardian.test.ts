import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consentTokenFor } from './consent-token.ts'
import { readFamilyMoney, type ServerWithFamilies, startServerWithFamilyHelpers } from './server-with-families.ts'
import { newPlayerInput } from './test-server.ts'

/** The bank declines this card only when it is charged. */
const DECLINED_CARD = '4000000000000341'

let t: ServerWithFamilies['t']
let families: ServerWithFamilies['families']
beforeAll(async () => {
  ;({ t, families } = await startServerWithFamilyHelpers())
})
afterAll(() => t.end())

/** Creates a family whose guardian Maria owes a bill and has handed her child over to Mo, who has given consent. */
async function familyHandedOverWithBill() {
  const its = await families.familyWithBill()
  const email = newPlayerInput().email
  expect((await its.maria.call('POST', `/api/family/children/${its.leo.id}/guardian`, { name: 'Mo Lane', email })).status).toBe(204)
  const mo = t.browser()
  expect((await mo.call('POST', `/api/guardian/${await consentTokenFor(t.sql, its.leo.id)}`, { answer: 'yes' })).status).toBe(204)
  return { ...its, mo, moEmail: email }
}

test("the next guardian learns that an open bill is the former guardian's", async () => {
  const { maria, mo, payment } = await familyHandedOverWithBill()
  expect((await readFamilyMoney(mo)).payments).toMatchObject([{ id: payment, isOwedByAnother: true }])
  expect((await readFamilyMoney(maria)).payments).toMatchObject([{ id: payment, isOwedByAnother: false }])
})

test("a player who turned 18 learns that an open bill is the guardian's", async () => {
  const { leo, payment } = await families.familyWithBill()
  await t.sql`update users set born = '1990-01-01' where id = ${leo.id}`
  expect((await leo.call('GET', '/api/billing/open')).body.payments).toMatchObject([{ id: payment, isOwedByAnother: true }])
})

test("letters about the next guardian's card go to the next guardian", async () => {
  const { maria, mo, payment, email, moEmail } = await familyHandedOverWithBill()
  const subjects = async (to: string) => (await t.letters(to)).map(letter => letter.subject)
  await t.waitUntilIdle()
  const earlier = await subjects(email)
  const pay = async (card: { id: string }) =>
    (await mo.call('POST', `/api/family/payments/${payment}/pay`, { tip: 0, total: 1550, card: card.id })).body.status
  expect(await pay(await families.addCard(mo, DECLINED_CARD))).toBe('failed')
  await t.waitUntilIdle()
  expect(await pay(await families.addCard(mo))).toBe('paid')
  const refund = { refund: randomUUID(), cents: 500, reason: 'Cut off.' }
  expect((await (await t.admin()).call('POST', `/api/admin/payments/${payment}/refund`, refund)).status).toBe(204)
  await t.waitUntilIdle()
  const about = [/did not go through/, /Receipt/, /on its way back/]
  for (const subject of about) expect(await subjects(moEmail)).toContainEqual(expect.stringMatching(subject))
  expect(await subjects(email)).toEqual(earlier)
  expect((await readFamilyMoney(maria)).payments).toMatchObject([{ id: payment, refunded: 500 }])
})
