import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PaymentGateway, stripeGateway } from '../../modules/payments/gateway.ts'
import { RetryLaterError } from '../../modules/payments/stripe/client.ts'
import { openPayoutAccount, startTestSandbox, startWebhookReceiver } from './test-sandbox.ts'

// These tests cover rules of Stripe that a simple test account never triggers.

const key = () => randomUUID()
let hook: Awaited<ReturnType<typeof startWebhookReceiver>>
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
let stripe: Stripe
let gateway: PaymentGateway
let account: string
let charge: string
beforeAll(async () => {
  hook = await startWebhookReceiver()
  sandbox = await startTestSandbox({ webhookUrl: hook.url })
  const { hostname, port } = new URL(sandbox.pages)
  stripe = new Stripe(sandbox.config.secretKey, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 })
  gateway = stripeGateway(sandbox.config)
  account = await openPayoutAccount(gateway, sandbox.pages)
})
afterAll(async () => {
  await sandbox.stop()
  await hook.stop()
})
beforeEach(async () => {
  await sandbox.injectFaults({ startingCents: 1_000_000 })
  charge = await pay()
})
afterEach(() => sandbox.clearFaults())

async function pay(amount = 2000) {
  const customer = (await stripe.customers.create({})).id
  const method = (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id
  const asked = { amount, currency: 'usd', customer, payment_method: method, confirm: true, off_session: true }
  return (await stripe.paymentIntents.create({ ...asked, allowed_payment_method_types: ['card'] })).latest_charge as string
}
const transfer = (amount: number, source?: string, idempotencyKey = key()) =>
  stripe.transfers.create(
    { amount, currency: 'usd', destination: account, ...(source && { source_transaction: source }) },
    { idempotencyKey },
  )
const available = async () => (await stripe.balance.retrieve()).available[0]!.amount
const pending = async () => (await stripe.balance.retrieve()).pending[0]!.amount

describe('an idempotency key', () => {
  test('keeps a refusal for a day, and refuses different parameters', async () => {
    const first = key()
    const missing = (amount: number) => stripe.refunds.create({ charge: 'ch_missing', amount }, { idempotencyKey: first })
    for (const _ of ['first', 'again']) await expect(missing(100)).rejects.toMatchObject({ code: 'resource_missing' })
    await expect(missing(200)).rejects.toMatchObject({ rawType: 'idempotency_error' })
    await sandbox.injectFaults({ hours: 25 })
    await expect(missing(200)).rejects.toMatchObject({ code: 'resource_missing' })
  })
  test('is not used up by a request that cannot be parsed', async () => {
    const first = key()
    const broken = { charge, amount: 'much' as unknown as number }
    await expect(stripe.refunds.create(broken, { idempotencyKey: first })).rejects.toMatchObject({ param: 'amount' })
    expect((await stripe.refunds.create({ charge, amount: 100 }, { idempotencyKey: first })).amount).toBe(100)
  })
})

describe('money from card payments', () => {
  test('is pending for two days', async () => {
    const [before, waiting] = [await available(), await pending()]
    const paid = await pay(10_000)
    expect([await available(), await pending()]).toEqual([before, waiting + 10_000 - 320])
    const { balance_transaction } = await stripe.charges.retrieve(paid, { expand: ['balance_transaction'] })
    expect(balance_transaction).toMatchObject({ status: 'pending' })
    await sandbox.injectFaults({ hours: 48 })
    expect([await pending(), (await available()) >= before + 10_000 - 320]).toEqual([0, true])
  })
  test('can be transferred while it is pending only with its charge as the source', async () => {
    await sandbox.injectFaults({ hours: 48 })
    await sandbox.injectFaults({ startingCents: 1_000_000 - (await available()) })
    const paid = await pay()
    await expect(transfer(100)).rejects.toMatchObject({ code: 'balance_insufficient' })
    await transfer(100, paid)
    expect(await available()).toBe(0)
    await sandbox.injectFaults({ hours: 48 })
    await transfer(100)
  })
  test('leaves a refund pending if it does not cover the refund', async () => {
    await sandbox.injectFaults({ startingCents: -100_000_000 })
    expect(await stripe.refunds.create({ charge })).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' })
  })
})

describe('a reversal', () => {
  const payOut = () => sandbox.injectFaults({ payouts: [account] })
  test("is refused after the account's money was paid out, and works with new money", async () => {
    const { id } = await transfer(1000, charge)
    await payOut()
    expect(await gateway.availableCents(account)).toBe(0)
    await expect(stripe.transfers.createReversal(id)).rejects.toMatchObject({ code: 'balance_insufficient' })
    await transfer(1000, charge)
    expect(await gateway.availableCents(account)).toBe(1000)
    await stripe.transfers.createReversal(id)
    expect(await gateway.availableCents(account)).toBe(0)
  })
  test("is refused two days later, after Stripe's automatic payout", async () => {
    await payOut()
    const { id } = await transfer(1000, charge)
    await sandbox.injectFaults({ hours: 47 })
    await stripe.transfers.createReversal(id, { amount: 1 })
    await sandbox.injectFaults({ hours: 1 })
    await expect(stripe.transfers.createReversal(id)).rejects.toMatchObject({ code: 'balance_insufficient' })
  })
})

describe('an object that another request is changing', () => {
  test('refuses a second request with a lock timeout', async () => {
    const { id } = await transfer(1000, charge)
    await sandbox.injectFaults({ calls: [{ match: `POST /v1/transfers/${id}`, how: 'slow', ms: 60_000 }] })
    const first = gateway.reverse(id, 1, key())
    await expect
      .poll(() => stripe.transfers.createReversal(id, { amount: 1 }).catch((e: unknown) => e), { interval: 5 })
      .toMatchObject({ statusCode: 429, code: 'lock_timeout' })
    await sandbox.clearFaults()
    expect(await first).toMatch(/^trr_/)
  })
  test('causes an error that can be retried later', async () => {
    await sandbox.injectFaults({ calls: [{ match: 'POST /v1/refunds', how: 'lock' }] })
    await expect(gateway.refund({ refund: 'r', charge, amount: 1, reason: 'duplicate', key: key() })).rejects.toThrow(RetryLaterError)
  })
})

describe('a dispute', () => {
  const disputeOf = async (id: string) => (await stripe.disputes.list({ charge: id })).data[0]!
  test('that is prevented takes the money without a fee and is closed', async () => {
    const before = await available()
    await sandbox.injectFaults({ prevented: [charge] })
    const { id, status } = await disputeOf(charge)
    expect([status, await available()]).toEqual(['prevented', before - 2000])
    expect(await gateway.fetchDispute(id)).toMatchObject({ status: 'lost' })
    await expect(sandbox.injectFaults({ outcomes: { [id]: 'won' } })).rejects.toThrow('already prevented')
    await expect(stripe.refunds.create({ charge })).rejects.toMatchObject({ code: 'charge_disputed' })
  })
  test('that was lost can later be won, once', async () => {
    await sandbox.injectFaults({ disputes: [charge] })
    const { id } = await disputeOf(charge)
    await sandbox.injectFaults({ outcomes: { [id]: 'lost' } })
    const before = await available()
    await sandbox.injectFaults({ outcomes: { [id]: 'won' } })
    expect([await gateway.fetchDispute(id), await available()]).toMatchObject([{ status: 'won' }, before + 2000])
    await expect(sandbox.injectFaults({ outcomes: { [id]: 'lost' } })).rejects.toThrow('already won')
  })
})

test('events of payout accounts are signed with the secret of a separate endpoint', async () => {
  await stripe.accounts.update(account, { metadata: { again: 'yes' } })
  await hook.until(got => got.some(g => g.type === 'account.updated') && got.some(g => g.type === 'charge.succeeded'))
  const [business, connect] = sandbox.config.webhookSecret
    .split(',')
    .map(webhookSecret => stripeGateway({ ...sandbox.config, webhookSecret }))
  expect(hook.types()).toContain('v2.core.account[configuration.recipient].capability_status_updated')
  for (const { type, body, signature } of hook.received) {
    const [right, wrong] = /^(v2\.core\.)?account/.test(type) ? [connect!, business!] : [business!, connect!]
    expect(right.webhook(body, signature)).toMatchObject({ type })
    expect(() => wrong.webhook(body, signature)).toThrow('not signed')
  }
})
