import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type PaymentGateway, stripeGateway } from '../../modules/payments/gateway.ts'
import { OutcomeUnknownError, RetryLaterError, StripeRejectedRequestError } from '../../modules/payments/stripe/client.ts'
import { getPageOrPostForm, startTestSandbox } from './test-sandbox.ts'

const key = () => randomUUID()
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
let gateway: PaymentGateway
/** A gateway that times out after a second, for calls to which the sandbox never responds. */
let impatientGateway: PaymentGateway
let stripe: Stripe
let customer: string
let visa: string
let account: string

beforeAll(async () => {
  sandbox = await startTestSandbox()
  gateway = stripeGateway(sandbox.config)
  impatientGateway = stripeGateway({ ...sandbox.config, timeout: 1000 })
  const { hostname, port } = new URL(sandbox.pages)
  stripe = new Stripe(sandbox.config.secretKey, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 })
  customer = await gateway.customer('player-1', key())
  visa = (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id
  account = await gateway.payoutAccount('instructor-1', 'coach@example.com', key())
  const link = await gateway.onboardingLink(account, { returnUrl: 'https://app.example/', refreshUrl: 'https://app.example/' })
  const form = { first: 'Jenny', last: 'Rosen', birth: '1990-01-01', ssn: '0000', routing: '110000000', account: '000123456789' }
  await getPageOrPostForm(`${sandbox.pages}${(await getPageOrPostForm(link)).to}`, { ...form, action: 'submit' })
})
afterEach(() => sandbox.clearFaults())
afterAll(() => sandbox.stop())

const asked = () => ({ payment: key(), attempt: '1', customer, method: visa, amount: 1750, key: key() })
const charges = async (payment: string) => (await stripe.charges.list({ transfer_group: payment })).data.filter(c => c.paid)
const INTENTS = 'POST /v1/payment_intents'

// Stripe's client always retries a dropped connection once, so it takes two drops to make the outcome unknown.
test.each([
  ['a call without an answer', { how: 'hang', when: 'before' }, 0],
  ['a completed call without an answer', { how: 'hang', when: 'after' }, 1],
  ['a dropped connection', { how: 'drop', when: 'before', times: 2 }, 0],
  ['a 500 before the work', { how: 'error', when: 'before' }, 0],
  ['a 500 after the work', { how: 'error', when: 'after' }, 1],
] as const)('%s has an unknown outcome; a lookup and a retry charge once', async (_, rule, done) => {
  const wanted = asked()
  await sandbox.injectFaults({ calls: [{ match: INTENTS, ...rule }] })
  await expect((rule.how === 'hang' ? impatientGateway : gateway).charge(wanted)).rejects.toThrow(OutcomeUnknownError)
  const found = await gateway.findCharge(wanted.payment, '1')
  expect(found ? 1 : 0).toBe(done)
  if (!found) expect(await gateway.charge(wanted)).toMatchObject({ outcome: 'succeeded' })
  else expect(found).toMatchObject({ outcome: 'succeeded', amount: 1750 })
  expect(await charges(wanted.payment)).toHaveLength(1)
})

test('a retry after a dropped connection gets the first answer', async () => {
  const wanted = asked()
  await sandbox.injectFaults({ calls: [{ match: INTENTS, how: 'drop', when: 'after' }] })
  expect(await gateway.charge(wanted)).toMatchObject({ outcome: 'succeeded' })
  expect(await charges(wanted.payment)).toHaveLength(1)
})

test('too many requests or too little balance are errors that can be retried later', async () => {
  await sandbox.injectFaults({ calls: [{ match: INTENTS, how: 'busy' }] })
  await expect(gateway.charge(asked())).rejects.toThrow(RetryLaterError)
  await expect(gateway.transfer({ payment: key(), nth: 1, amount: 90_000_000, destination: account, key: key() })).rejects.toMatchObject({
    code: 'balance_insufficient',
  })
})

test('an unreachable server means an unknown outcome', async () => {
  const nowhere = stripeGateway({ ...sandbox.config, url: 'http://127.0.0.1:9' })
  await expect(nowhere.outcomeOfIntent('pi_1')).rejects.toThrow(OutcomeUnknownError)
})

test('a wrong API key is an error that is logged and can be retried later', async () => {
  const logged: string[] = []
  const log = { info() {}, error: (_: object, message: string) => logged.push(message) }
  const stranger = stripeGateway({ ...sandbox.config, secretKey: 'sk_test_wrong_wrong_wrong', log })
  await expect(stranger.outcomeOfIntent('pi_1')).rejects.toThrow(RetryLaterError)
  expect(logged).toEqual(['Stripe refused our API key'])
})

const isKeyInUse = (error: unknown) => error instanceof OutcomeUnknownError && (error.cause as Stripe.errors.StripeError).statusCode === 409

test('an idempotency key in use leaves the outcome unknown (409); a retry gets it', async () => {
  const wanted = asked()
  await sandbox.injectFaults({ calls: [{ match: INTENTS, how: 'slow', when: 'after', ms: 60_000 }] })
  const slow = expect(stripeGateway(sandbox.config).charge(wanted)).resolves.toMatchObject({ outcome: 'succeeded' })
  const reads = () => stripe.charges.list({ transfer_group: wanted.payment })
  while ((await reads()).data.length === 0);
  // The work is done and its response is stored, but the first request is still waiting for it.
  const patient = stripeGateway(sandbox.config)
  expect(await patient.charge(wanted)).toMatchObject({ outcome: 'succeeded' })
  await sandbox.clearFaults()
  await slow
  await sandbox.injectFaults({ calls: [{ match: INTENTS, how: 'slow', ms: 60_000 }] })
  const other = asked()
  const first = stripeGateway(sandbox.config).charge(other)
  const busy = await Promise.race([
    first,
    (async () => {
      for (;;) {
        const error = await impatientGateway.charge(other).catch((e: unknown) => e)
        if (isKeyInUse(error)) return 'busy'
      }
    })(),
  ])
  expect(busy).toBe('busy')
  await sandbox.clearFaults()
  expect(await first).toEqual(await patient.charge(other))
  expect(await charges(other.payment)).toHaveLength(1)
})

test('a repeated idempotency key returns the same decline, or refuses new parameters', async () => {
  const declined = { ...asked(), method: 'pm_card_visa_chargeDeclined' }
  const first = await gateway.charge(declined)
  expect(first).toMatchObject({ outcome: 'failed', reason: 'declined' })
  expect(await gateway.charge(declined)).toEqual(first)
  await expect(gateway.charge({ ...declined, method: visa })).rejects.toMatchObject({ code: 'idempotency_error' })
  const small = { ...asked(), amount: 10 }
  for (const _ of ['first', 'again']) await expect(gateway.charge(small)).rejects.toMatchObject({ code: 'amount_too_small' })
  await expect(gateway.charge({ ...small, amount: 100 })).rejects.toMatchObject({ code: 'idempotency_error' })
})

test('a transfer is found, can be reversed in part, and never exceeds its charge', async () => {
  const wanted = asked()
  const paid = await gateway.charge(wanted)
  if (paid.outcome !== 'succeeded') throw new Error()
  expect(await gateway.findTransfer({ payment: wanted.payment, nth: 1 })).toBeNull()
  const share = { payment: wanted.payment, destination: account, nth: 1, source: paid.charge }
  await expect(gateway.transfer({ ...share, amount: 1751, key: key() })).rejects.toThrow(StripeRejectedRequestError)
  await sandbox.injectFaults({ calls: [{ match: 'POST /v1/transfers', how: 'hang', when: 'after' }] })
  await expect(impatientGateway.transfer({ ...share, amount: 1200, key: key() })).rejects.toThrow(OutcomeUnknownError)
  const found = await gateway.findTransfer({ payment: wanted.payment, nth: 1 })
  expect(found).toEqual({ id: expect.stringMatching(/^tr_/), payment: wanted.payment, destination: account, amount: 1200, reversed: 0 })
  expect(await gateway.reverse(found!.id, 300, key())).toMatch(/^trr_/)
  expect(await gateway.fetchTransfer(found!.id)).toMatchObject({ amount: 1200, reversed: 300 })
  await expect(gateway.reverse(found!.id, 901, key())).rejects.toThrow(StripeRejectedRequestError)
  expect(await gateway.transfer({ payment: key(), nth: 1, amount: 1200, destination: account, key: key() })).toMatch(/^tr_/)
})

test('a dispute takes the money of the charge, and can be won or lost', async () => {
  const paid = await gateway.charge(asked())
  if (paid.outcome !== 'succeeded') throw new Error()
  await sandbox.injectFaults({ disputes: [paid.charge] })
  expect(await stripe.charges.retrieve(paid.charge)).toMatchObject({ disputed: true })
  const { data } = await stripe.disputes.list({ charge: paid.charge })
  expect(await gateway.fetchDispute(data[0]!.id)).toEqual({
    id: data[0]!.id,
    charge: paid.charge,
    intent: paid.intent,
    amount: 1750,
    status: 'open',
    reason: 'fraudulent',
  })
  await getPageOrPostForm(`${sandbox.pages}/_/lost`, { id: data[0]!.id })
  expect(await gateway.fetchDispute(data[0]!.id)).toMatchObject({ status: 'lost' })
  await expect(gateway.refund({ refund: 'r', charge: paid.charge, amount: 1, reason: 'duplicate', key: key() })).rejects.toMatchObject({
    code: 'charge_disputed',
  })
})

test('a test can make a saved card decline', async () => {
  const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  await sandbox.injectFaults({ cards: { [id]: '4000000000009995' } })
  expect(await gateway.charge({ ...asked(), method: id })).toMatchObject({ outcome: 'failed', reason: 'insufficient-funds' })
})
