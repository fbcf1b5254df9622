import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PaymentGateway, stripeGateway } from '../../modules/payments/gateway.ts'
import { openPayoutAccount, startTestSandbox } from './test-sandbox.ts'

const key = () => randomUUID()
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
let stripe: Stripe
let gateway: PaymentGateway
let account: string
let charge: string
beforeAll(async () => {
  sandbox = await startTestSandbox()
  const { hostname, port } = new URL(sandbox.pages)
  stripe = new Stripe(sandbox.config.secretKey, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 })
  gateway = stripeGateway(sandbox.config)
  account = await openPayoutAccount(gateway, sandbox.pages)
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  charge = (await pay('pm_card_visa')).charge
})

/** Charges $20, in no transfer group unless `more` names one. */
async function pay(token: string, more: object = {}) {
  const customer = (await stripe.customers.create({})).id
  const method = (await stripe.paymentMethods.attach(token, { customer })).id
  const asked = { amount: 2000, currency: 'usd', customer, payment_method: method, confirm: true, off_session: true, ...more }
  const intent = await stripe.paymentIntents.create({ ...asked, allowed_payment_method_types: ['card'] })
  return { intent: intent.id, charge: intent.latest_charge as string, method }
}
const transfer = (source: string, amount: number, more: object = {}, idempotencyKey = key()) =>
  stripe.transfers.create({ amount, currency: 'usd', destination: account, source_transaction: source, ...more }, { idempotencyKey })
const disputeOf = async (id: string) => (await stripe.disputes.list({ charge: id })).data[0]!.id

describe('a transfer out of a charge', () => {
  test('can be one of several, up to the amount that is left of the charge', async () => {
    await transfer(charge, 1200)
    await transfer(charge, 300)
    await expect(transfer(charge, 501)).rejects.toMatchObject({ param: 'amount' })
    await stripe.refunds.create({ charge, amount: 100 })
    await expect(transfer(charge, 500)).rejects.toMatchObject({ param: 'amount' })
    await transfer(charge, 400)
  })
  test('makes its amount available again when it is reversed', async () => {
    const { id } = await transfer(charge, 2000)
    await stripe.transfers.createReversal(id, { amount: 500 })
    await expect(transfer(charge, 501)).rejects.toMatchObject({ param: 'amount' })
    await transfer(charge, 500)
  })
  test('joins the group of its charge, or a new group if the charge has none', async () => {
    const grouped = await pay('pm_card_visa', { transfer_group: 'ours' })
    expect((await transfer(grouped.charge, 100)).transfer_group).toBe('ours')
    await expect(transfer(grouped.charge, 100, { transfer_group: 'other' })).rejects.toMatchObject({ param: 'transfer_group' })
    const bare = await pay('pm_card_visa')
    const group = `group_${bare.intent}`
    expect((await transfer(bare.charge, 100)).transfer_group).toBe(group)
    expect((await stripe.charges.retrieve(bare.charge)).transfer_group).toBe(group)
  })
  test('is refused while the charge is disputed, but not after the dispute is won', async () => {
    await sandbox.injectFaults({ disputes: [charge] })
    await expect(transfer(charge, 100)).rejects.toMatchObject({ param: 'source_transaction' })
    await sandbox.injectFaults({ outcomes: { [await disputeOf(charge)]: 'won' } })
    await transfer(charge, 100)
  })
  test('that was refused is refused again with the same key, even if it is possible now', async () => {
    const { id } = await transfer(charge, 2000)
    const first = key()
    await expect(transfer(charge, 100, {}, first)).rejects.toMatchObject({ param: 'amount' })
    await stripe.transfers.createReversal(id)
    await expect(transfer(charge, 100, {}, first)).rejects.toMatchObject({ param: 'amount' })
    await transfer(charge, 100)
  })
  test('fails if a test injects a refusal', async () => {
    await sandbox.injectFaults({ calls: [{ match: 'POST /v1/transfers', how: 'refuse' }] })
    const first = key()
    await expect(transfer(charge, 100, {}, first)).rejects.toMatchObject({ code: 'balance_insufficient' })
    await expect(transfer(charge, 100, {}, first)).rejects.toMatchObject({ code: 'balance_insufficient' })
    await transfer(charge, 100)
  })
})

describe('a refund', () => {
  const told = async (type: string, id: string) =>
    (await stripe.events.list({ type, limit: 100 })).data.filter(e => (e.data.object as { id: string }).id === id).length
  test('that fails returns its amount and can be made again', async () => {
    const { id } = await stripe.refunds.create({ charge, amount: 1500 })
    await sandbox.injectFaults({ refunds: { [id]: 'failed' } })
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'failed', failure_reason: 'expired_or_canceled_card' })
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 0, refunded: false })
    expect([await told('refund.failed', id), await told('refund.updated', id)]).toEqual([1, 1])
    await expect(sandbox.injectFaults({ refunds: { [id]: 'succeeded' } })).rejects.toThrow('already failed')
    await stripe.refunds.create({ charge })
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 2000, refunded: true })
  })
  test('to a slow bank is pending at first but already counts, and succeeds later', async () => {
    const slow = await pay('pm_card_pendingRefund')
    const { id, status } = await stripe.refunds.create({ charge: slow.charge, amount: 500 })
    expect(status).toBe('pending')
    expect((await stripe.charges.retrieve(slow.charge)).amount_refunded).toBe(500)
    await sandbox.injectFaults({ refunds: { [id]: 'succeeded' } })
    expect((await stripe.refunds.retrieve(id)).status).toBe('succeeded')
    expect([await told('refund.updated', id), await told('refund.failed', id)]).toEqual([1, 0])
  })
  test('that is pending fails if the charge is disputed', async () => {
    const slow = await pay('pm_card_pendingRefund')
    const { id } = await stripe.refunds.create({ charge: slow.charge, amount: 500 })
    await sandbox.injectFaults({ disputes: [slow.charge] })
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'failed', failure_reason: 'charge_for_pending_refund_disputed' })
  })
  test('is refused during a dispute and after a lost one, but not after a won one', async () => {
    await sandbox.injectFaults({ disputes: [charge] })
    const dispute = await disputeOf(charge)
    const refund = () => stripe.refunds.create({ charge, amount: 100 }, { idempotencyKey: key() })
    await expect(refund()).rejects.toMatchObject({ code: 'charge_disputed' })
    await sandbox.injectFaults({ outcomes: { [dispute]: 'won' } })
    expect((await refund()).status).toBe('succeeded')
    const lost = await pay('pm_card_visa')
    await sandbox.injectFaults({ disputes: [lost.charge] })
    await stripe.disputes.close(await disputeOf(lost.charge))
    await expect(stripe.refunds.create({ charge: lost.charge })).rejects.toMatchObject({ code: 'charge_disputed' })
  })
})
