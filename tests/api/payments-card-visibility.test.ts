import { afterAll, beforeAll, expect, test } from 'vitest'
import { consentTokenFor } from './consent-token.ts'
import { readFamilyMoney, type ServerWithFamilies, startServerWithFamilyHelpers, type TestGuardian } from './server-with-families.ts'
import { newPlayerInput } from './test-server.ts'
import { textInDataExportOf } from './text-in-data-export.ts'

/** This card can be saved, but the bank declines every charge. */
const DECLINED_CARD = '4000000000000341'
const card = { brand: 'visa', last4: '4242' }

let t: ServerWithFamilies['t']
let coach: ServerWithFamilies['coach']
let families: ServerWithFamilies['families']
beforeAll(async () => {
  ;({ t, coach, families } = await startServerWithFamilyHelpers())
})
afterAll(() => t.end())

const pay = (maria: TestGuardian, payment: string, more: object = {}) =>
  maria.call('POST', `/api/family/payments/${payment}/pay`, { tip: 0, total: 1550, ...more })

/** Creates a family whose guardian has paid for a session and a package. */
async function familyWithPayments() {
  const its = await families.familyWithBill()
  const { body } = await its.maria.call('POST', '/api/family/packages/checkout', { package: 'triple', player: its.leo.id })
  const session = new URL(await t.enterCard(body.url)).searchParams.get('session')
  expect((await its.maria.call('POST', '/api/family/packages/confirm', { session })).status).toBe(200)
  expect((await pay(its.maria, its.payment)).body.status).toBe('paid')
  await t.waitUntilIdle()
  return its
}

test("a guardian's card is hidden from the child, on screens and in the export", async () => {
  const { leo, maria, payment } = await familyWithPayments()
  expect(await readFamilyMoney(maria)).toMatchObject({ payments: [{ id: payment, card }], purchases: [{ card }] })
  const { payments, purchases } = (await leo.call('GET', '/api/billing')).body
  expect({ payments, purchases }).toMatchObject({ payments: [{ id: payment, status: 'paid', card: null }], purchases: [{ card: null }] })
  expect((await leo.call('GET', '/api/billing/settled')).body.payments).toMatchObject([{ card: null }])
  expect((await leo.call('GET', `/api/payments/${payment}`)).body.card).toBeNull()
  expect((await leo.call('GET', `/api/purchases/${purchases[0].id}`)).body.card).toBeNull()
  const receipts = JSON.parse(await textInDataExportOf(t, leo, 'Payments/receipts.json'))
  expect(receipts).toMatchObject({ sessions: [{ id: payment, card: null }], packages: [{ card: null }] })
  const admin = await t.admin()
  expect((await admin.call('GET', `/api/payments/${payment}`)).body.card).toEqual(card)
  expect((await admin.call('GET', `/api/purchases/${purchases[0].id}`)).body.card).toEqual(card)
})

test("a former guardian's card is hidden from the next guardian", async () => {
  const { leo, maria, payment } = await familyWithPayments()
  const next = { name: 'Mo Lane', email: newPlayerInput().email }
  expect((await maria.call('POST', `/api/family/children/${leo.id}/guardian`, next)).status).toBe(204)
  const mo = t.browser()
  expect((await mo.call('POST', `/api/guardian/${await consentTokenFor(t.sql, leo.id)}`, { answer: 'yes' })).status).toBe(204)
  expect(await readFamilyMoney(mo)).toMatchObject({ payments: [{ id: payment, card: null }], purchases: [{ card: null }] })
  expect((await mo.call('GET', `/api/family/payments/${payment}`)).body.card).toBeNull()
  expect(await readFamilyMoney(maria)).toMatchObject({ payments: [{ card }], purchases: [{ card }] })
})

test('only the owner of a card learns why it was declined', async () => {
  const { leo, maria, payment, folder } = await families.familyWithBill()
  const declined = await families.addCard(maria, DECLINED_CARD)
  expect((await pay(maria, payment, { card: declined.id })).body.status).toBe('failed')
  await t.waitUntilIdle()
  expect((await readFamilyMoney(maria)).payments).toMatchObject([{ status: 'failed', failure: { reason: 'declined' } }])
  const failed = { status: 'failed', card: null, failure: null }
  expect((await leo.call('GET', '/api/billing/open')).body.payments).toMatchObject([failed])
  expect((await coach.call('GET', `/api/payments/${payment}`)).body).toMatchObject(failed)
  // The folder's history says only that the payment failed.
  const { story } = (await leo.call('GET', `/api/folders/${folder}`)).body
  expect(story.filter((e: { type: string }) => e.type === 'PaymentFailed')).toMatchObject([{ detail: { assignment: payment } }])
  expect(JSON.stringify(story)).not.toContain('declined')
})

test("the card of a player who pays the guardian's bill is hidden from the guardian", async () => {
  const { leo, maria, payment } = await families.familyWithBill()
  await t.sql`update users set born = '1990-01-01' where id = ${leo.id}`
  await t.saveCardOf(leo)
  expect((await leo.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: 1550 })).body.status).toBe('paid')
  await t.waitUntilIdle()
  expect((await leo.call('GET', `/api/payments/${payment}`)).body.card).toEqual(card)
  expect((await readFamilyMoney(maria)).payments).toMatchObject([{ status: 'paid', card: null }])
})
