import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PaymentGateway, stripeGateway } from '../../modules/payments/gateway.ts'
import { openPayoutAccount, startTestSandbox } from './sandbox-client.ts'

const key = () => randomUUID()
let box: Awaited<ReturnType<typeof startTestSandbox>>
let stripe: Stripe
let gateway: PaymentGateway
let account: string
let charge: string
beforeAll(async () => {
  box = await startTestSandbox()
  const { hostname, port } = new URL(box.pages)
  stripe = new Stripe(box.config.secretKey, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 })
  gateway = stripeGateway(box.config)
  account = await openPayoutAccount(gateway, box.pages)
})
afterAll(() => box.stop())
beforeEach(async () => {
  charge = (await pay('pm_card_visa')).charge
})

/** A charge of $20, in no group. */
async function pay(token: string, more: object = {}) {
  const customer = (await stripe.customers.create({})).id
  const method = (await stripe.paymentMethods.attach(token, { customer })).id
  const asked = { amount: 2000, currency: 'usd', customer, payment_method: method, confirm: true, off_session: true, ...more }
  const intent = await stripe.paymentIntents.create({ ...asked, allowed_payment_method_types: ['card'] })
  return { intent: intent.id, charge: intent.latest_charge as string, method }
}
const pass = (source: string, amount: number, more: object = {}, idempotencyKey = key()) =>
  stripe.transfers.create({ amount, currency: 'usd', destination: account, source_transaction: source, ...more }, { idempotencyKey })
const disputeOf = async (id: string) => (await stripe.disputes.list({ charge: id })).data[0]!.id

describe('a transfer out of a charge', () => {
  test('can be one of several, up to the amount that is left of the charge', async () => {
    await pass(charge, 1200)
    await pass(charge, 300)
    await expect(pass(charge, 501)).rejects.toMatchObject({ param: 'amount' })
    await stripe.refunds.create({ charge, amount: 100 })
    await expect(pass(charge, 500)).rejects.toMatchObject({ param: 'amount' })
    await pass(charge, 400)
  })
  test('makes its amount available again when it is reversed', async () => {
    const { id } = await pass(charge, 2000)
    await stripe.transfers.createReversal(id, { amount: 500 })
    await expect(pass(charge, 501)).rejects.toMatchObject({ param: 'amount' })
    await pass(charge, 500)
  })
  test('joins the group of its charge, or a new group if the charge has none', async () => {
    const grouped = await pay('pm_card_visa', { transfer_group: 'ours' })
    expect((await pass(grouped.charge, 100)).transfer_group).toBe('ours')
    await expect(pass(grouped.charge, 100, { transfer_group: 'other' })).rejects.toMatchObject({ param: 'transfer_group' })
    const bare = await pay('pm_card_visa')
    const group = `group_${bare.intent}`
    expect((await pass(bare.charge, 100)).transfer_group).toBe(group)
    expect((await stripe.charges.retrieve(bare.charge)).transfer_group).toBe(group)
  })
  test('is refused if the charge was lost in a dispute', async () => {
    await box.trouble({ disputes: [charge] })
    await expect(pass(charge, 100)).rejects.toMatchObject({ param: 'source_transaction' })
    await box.trouble({ outcomes: { [await disputeOf(charge)]: 'won' } })
    await pass(charge, 100)
  })
  test('that was refused is refused again under the same key, even after changes', async () => {
    const { id } = await pass(charge, 2000)
    const first = key()
    await expect(pass(charge, 100, {}, first)).rejects.toMatchObject({ param: 'amount' })
    await stripe.transfers.createReversal(id)
    await expect(pass(charge, 100, {}, first)).rejects.toMatchObject({ param: 'amount' })
    await pass(charge, 100)
  })
  test('fails if a test requests that', async () => {
    await box.trouble({ calls: [{ match: 'POST /v1/transfers', how: 'refuse' }] })
    const first = key()
    await expect(pass(charge, 100, {}, first)).rejects.toMatchObject({ code: 'balance_insufficient' })
    await expect(pass(charge, 100, {}, first)).rejects.toMatchObject({ code: 'balance_insufficient' })
    await pass(charge, 100)
  })
})

describe('a refund', () => {
  const told = async (type: string, id: string) =>
    (await stripe.events.list({ type, limit: 100 })).data.filter(e => (e.data.object as { id: string }).id === id).length
  test('that fails returns its amount and can be made again', async () => {
    const { id } = await stripe.refunds.create({ charge, amount: 1500 })
    await box.trouble({ refunds: { [id]: 'failed' } })
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'failed', failure_reason: 'expired_or_canceled_card' })
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 0, refunded: false })
    expect([await told('refund.failed', id), await told('refund.updated', id)]).toEqual([1, 1])
    await expect(box.trouble({ refunds: { [id]: 'succeeded' } })).rejects.toThrow('already failed')
    await stripe.refunds.create({ charge })
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 2000, refunded: true })
  })
  test('to a slow bank is pending at first but counts already, and then succeeds', async () => {
    const slow = await pay('pm_card_pendingRefund')
    const { id, status } = await stripe.refunds.create({ charge: slow.charge, amount: 500 })
    expect(status).toBe('pending')
    expect((await stripe.charges.retrieve(slow.charge)).amount_refunded).toBe(500)
    await box.trouble({ refunds: { [id]: 'succeeded' } })
    expect((await stripe.refunds.retrieve(id)).status).toBe('succeeded')
    expect([await told('refund.updated', id), await told('refund.failed', id)]).toEqual([1, 0])
  })
  test('that is pending fails if the charge is lost in a dispute', async () => {
    const slow = await pay('pm_card_pendingRefund')
    const { id } = await stripe.refunds.create({ charge: slow.charge, amount: 500 })
    await box.trouble({ disputes: [slow.charge] })
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'failed', failure_reason: 'charge_for_pending_refund_disputed' })
  })
  test('is refused during a dispute and after a lost one, but not after a won one', async () => {
    await box.trouble({ disputes: [charge] })
    const dispute = await disputeOf(charge)
    const refund = () => stripe.refunds.create({ charge, amount: 100 }, { idempotencyKey: key() })
    await expect(refund()).rejects.toMatchObject({ code: 'charge_disputed' })
    await box.trouble({ outcomes: { [dispute]: 'won' } })
    expect((await refund()).status).toBe('succeeded')
    const lost = await pay('pm_card_visa')
    await box.trouble({ disputes: [lost.charge] })
    await stripe.disputes.close(await disputeOf(lost.charge))
    await expect(stripe.refunds.create({ charge: lost.charge })).rejects.toMatchObject({ code: 'charge_disputed' })
  })
})
