import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PaymentGateway, stripeGateway } from '../../modules/payments/gateway.ts'
import { ForgedStripeWebhookError, WebhookWithoutObjectError } from '../../modules/payments/stripe/webhook-verification.ts'
import { signatureHeader } from '../../src/embedded/stripe/webhook-deliveries.ts'
import { testCardDetails } from '../support/test-card-details.ts'
import { getPageOrPostForm, startTestSandbox, startWebhookReceiver } from './test-sandbox.ts'

const key = () => randomUUID()

describe("the gateway's check of a webhook", () => {
  const secret = 'whsec_one'
  const gateway = stripeGateway({ secretKey: 'sk_test_x', origin: 'http://ours.test', webhookSecret: `whsec_two,${secret}` })
  const body = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'charge.succeeded',
    created: 1_790_000_000,
    data: { object: { id: 'ch_1', object: 'charge', amount: 5 } },
  })
  const now = 1_790_000_100_000
  const at = (seconds: number, by = secret, content = body) => signatureHeader(content, by, now / 1000 + seconds)

  test('accepts a signature with any of our secrets if its time is off by up to 5 min', () => {
    const notice = { id: 'evt_1', type: 'charge.succeeded', object: { id: 'ch_1', kind: 'charge' }, created: '2026-09-21T14:13:20.000Z' }
    expect(gateway.webhook(body, at(0), now)).toEqual(notice)
    for (const seconds of [-299, 300]) expect(gateway.webhook(Buffer.from(body), at(seconds), now)).toEqual(notice)
    expect(gateway.webhook(body, at(0, 'whsec_two'), now)).toEqual(notice)
  })
  const unsigned = 'The webhook is not signed by Stripe.'
  const early = 'The webhook is signed for a time that has not come yet.'
  test.each([
    ['signed with another secret', body, at(0, 'whsec_three'), unsigned],
    ['changed body', body.replace('ch_1', 'ch_2'), at(0), unsigned],
    ['the same JSON with different whitespace', JSON.stringify(JSON.parse(body), null, 2), at(0), unsigned],
    ['too old', body, at(-301), unsigned],
    ['from the future', body, at(301), early],
    ['from the future, with a second timestamp', body, `${at(301)},t=${now / 1000}`, early],
    ['from the future, with another timestamp before it', body, `t=${now / 1000},${at(301)}`, early],
    ['no signature', body, '', unsigned],
    ['malformed signature', body, 't=,v1=', unsigned],
    ['no timestamp', body, at(0).split(',')[1]!, unsigned],
  ])('refuses a webhook: %s', (_, content, header, why) => {
    const refused = () => gateway.webhook(content, header, now)
    expect(refused).toThrow(ForgedStripeWebhookError)
    expect(refused).toThrow(why)
  })
  test('distinguishes a forged webhook from a signed one without an object', () => {
    const of = (content: string, secret?: string) => {
      try {
        gateway.webhook(content, at(0, secret, content), now)
      } catch (error) {
        return error
      }
    }
    const hollow = of(JSON.stringify({ ...JSON.parse(body), data: { object: {} } }))
    expect(hollow).toBeInstanceOf(WebhookWithoutObjectError)
    expect(hollow).toMatchObject({ message: 'The webhook names no object.', cause: { issues: [{ path: ['data', 'object', 'id'] }, {}] } })
    expect((of(body, 'whsec_three') as ForgedStripeWebhookError).cause).toBeInstanceOf(Stripe.errors.StripeSignatureVerificationError)
  })
})

describe('the webhooks of the sandbox', () => {
  let hook: Awaited<ReturnType<typeof startWebhookReceiver>>
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
  let gateway: PaymentGateway
  let stripe: Stripe
  let customer: string
  let visa: string

  beforeAll(async () => {
    hook = await startWebhookReceiver()
    sandbox = await startTestSandbox({ webhookUrl: hook.url })
    gateway = stripeGateway(sandbox.config)
    const { hostname, port } = new URL(sandbox.pages)
    stripe = new Stripe(sandbox.config.secretKey, { host: hostname, port, protocol: 'http', telemetry: false })
    customer = await gateway.customer('player-1', key())
    visa = (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id
    await hook.until(got => got.length === 2)
  })
  beforeEach(async () => {
    await sandbox.clearFaults()
    hook.endpoint.status = 200
    hook.received.length = 0
  })
  afterAll(async () => {
    await sandbox.stop()
    await hook.stop()
  })
  const charge = (method = visa) => gateway.charge({ payment: key(), attempt: '1', customer, method, amount: 1750, key: key() })

  test('report each step of a charge, signed and with the id of the object', async () => {
    const paid = await charge()
    await hook.until(got => got.length === 3)
    expect(hook.types().sort()).toEqual(['charge.succeeded', 'payment_intent.created', 'payment_intent.succeeded'])
    const last = hook.received.find(g => g.type === 'payment_intent.succeeded')!
    const notice = gateway.webhook(last.body, last.signature)
    expect(notice).toMatchObject({ id: last.id, type: 'payment_intent.succeeded', object: { id: paid.intent, kind: 'payment_intent' } })
    expect(await stripe.events.retrieve(last.id)).toMatchObject({ id: last.id, type: last.type })
    expect((await stripe.events.list({ type: 'payment_intent.succeeded', limit: 1 })).data[0]!.id).toBe(last.id)
  })

  test('report a decline, a refund, a dispute and a removed card', async () => {
    await charge('pm_card_visa_chargeDeclined')
    const paid = await charge()
    if (paid.outcome !== 'succeeded') throw new Error()
    await gateway.refund({ refund: 'r', charge: paid.charge, amount: 100, reason: 'duplicate', key: key() })
    await sandbox.injectFaults({ disputes: [paid.charge] })
    await gateway.removeCard((await stripe.paymentMethods.attach('pm_card_visa', { customer })).id)
    const expected = [
      ...['payment_intent.payment_failed', 'charge.failed', 'charge.refunded', 'charge.dispute.created'],
      ...['payment_method.attached', 'payment_method.detached'],
    ]
    await hook.until(() => expected.every(type => hook.types().includes(type)))
  })

  test('report a saved card, a completed account, a transfer and its reversal', async () => {
    const links = { returnUrl: 'https://app.example/', cancelUrl: 'https://app.example/', refreshUrl: 'https://app.example/' }
    const page = await gateway.setupPage({ customer, payer: 'player-1', ...links, key: key() })
    await getPageOrPostForm(page.url, testCardDetails('4242424242424242'))
    const account = await gateway.payoutAccount('instructor-1', 'coach@example.com', key())
    expect(await gateway.instructorIdOfPayoutAccount(account)).toBe('instructor-1')
    const form = { first: 'Jenny', last: 'Rosen', birth: '1990-01-01', ssn: '0000', routing: '110000000', account: '000123456789' }
    await getPageOrPostForm(`${sandbox.pages}${(await getPageOrPostForm(await gateway.onboardingLink(account, links))).to}`, {
      ...form,
      action: 'submit',
    })
    const transfer = await gateway.transfer({ payment: key(), nth: 1, amount: 1200, destination: account, key: key() })
    await gateway.reverse(transfer, 200, key())
    const objects = {
      'checkout.session.completed': page.session,
      'setup_intent.succeeded': expect.stringMatching(/^seti_/),
      'account.updated': account,
      'transfer.created': transfer,
      'transfer.reversed': transfer,
    }
    await hook.until(() => Object.keys(objects).every(type => hook.types().includes(type)))
    const told = hook.received.map(g => [g.type, gateway.webhook(g.body, g.signature).object.id] as const)
    expect(Object.fromEntries(told)).toMatchObject(objects)
  })

  test('are sent again until they are accepted', async () => {
    hook.endpoint.status = 500
    await gateway.customer('player-2', key())
    await hook.until(got => got.length === 1)
    hook.endpoint.status = 200
    await hook.until(got => got.length === 2)
    expect(hook.received[1]!.id).toBe(hook.received[0]!.id)
    // Each delivery gets a new signature.
    expect(gateway.webhook(hook.received[1]!.body, hook.received[1]!.signature).id).toBe(hook.received[0]!.id)
  })

  test('can be held back, sent twice and sent in reverse order', async () => {
    await sandbox.injectFaults({ webhooks: { hold: true } })
    await charge()
    expect(await sandbox.waiting()).toBe(3)
    expect(hook.received).toEqual([])
    await sandbox.injectFaults({ webhooks: { copies: 2, order: 'reversed' } })
    await hook.until(got => got.length === 6)
    expect(hook.types()).toEqual([
      ...['payment_intent.succeeded', 'payment_intent.succeeded'],
      ...['charge.succeeded', 'charge.succeeded'],
      ...['payment_intent.created', 'payment_intent.created'],
    ])
  })

  test('are sent after a restart if they were not accepted before', async () => {
    await sandbox.injectFaults({ webhooks: { hold: true } })
    await charge()
    await sandbox.restart()
    await hook.until(got => got.length === 3)
  })
})
