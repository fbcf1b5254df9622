import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PaymentGateway, stripeGateway } from '../../modules/payments/gateway.ts'
import { StripeRejectedRequestError } from '../../modules/payments/stripe/client.ts'
import type { FailedCharge } from '../../modules/payments/stripe/stripe-charges.ts'
import { startTestSandbox } from './test-sandbox.ts'

const real = process.env.STRIPE_SECRET_KEY
const key = () => randomUUID()

/** Runs against Stripe's test mode if STRIPE_SECRET_KEY is set, otherwise against the sandbox. */
describe(`the gateway over ${real ? 'Stripe' : 'the sandbox'}`, { timeout: real ? 60_000 : 20_000 }, () => {
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>> | undefined
  let gateway: PaymentGateway
  let stripe: Stripe
  let customer: string
  let visa: string

  beforeAll(async () => {
    sandbox = real ? undefined : await startTestSandbox()
    const config = sandbox?.config ?? { secretKey: real!, webhookSecret: 'whsec_none', origin: 'https://ours.test' }
    gateway = stripeGateway(config)
    const at = sandbox && new URL(sandbox.pages)
    stripe = new Stripe(config.secretKey, at ? { host: at.hostname, port: at.port, protocol: 'http', telemetry: false } : {})
    customer = await gateway.customer('player-1', key())
    visa = (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id
  })
  afterAll(() => sandbox?.stop())

  const charge = (method: string, o: Partial<Parameters<PaymentGateway['charge']>[0]> = {}) =>
    gateway.charge({ payment: key(), attempt: '1', customer, method, amount: 1750, key: key(), ...o })

  test('a customer at Stripe has no personal data except the id of the player', async () => {
    const found = (await stripe.customers.retrieve(customer)) as Stripe.Customer
    expect(found.metadata).toEqual({ player: 'player-1' })
    expect(found.email).toBeNull()
  })

  test('a page to save a card is created, and has no card before it is used', async () => {
    const page = await gateway.setupPage({
      customer,
      payer: 'player-1',
      returnUrl: 'https://app.example/cards?saved=1',
      cancelUrl: 'https://app.example/cards',
      key: key(),
    })
    expect(page.session).toMatch(/^cs_test_/)
    expect(page.url).toContain(page.session)
    expect(await gateway.fetchSetupCard(page.session)).toBeNull()
    const session = await stripe.checkout.sessions.retrieve(page.session)
    expect(session.success_url).toBe('https://app.example/cards?saved=1&setup={CHECKOUT_SESSION_ID}')
  })

  test('saved cards can be listed, charged and removed; a removed card is not charged', async () => {
    const { id } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer })
    expect(await gateway.card(id)).toEqual({
      method: id,
      brand: 'mastercard',
      last4: '4444',
      expMonth: expect.any(Number),
      expYear: expect.any(Number),
    })
    expect((await gateway.cards(customer)).map(c => c.method)).toEqual([id, visa])
    await gateway.removeCard(id)
    await gateway.removeCard(id)
    expect(await gateway.card(id)).toBeNull()
    expect((await gateway.cards(customer)).map(c => c.method)).toEqual([visa])
    expect(await charge(id)).toEqual({ outcome: 'failed', reason: 'incorrect-details' })
  })

  test('a successful charge can be found again, and has the data for accounting', async () => {
    const payment = key()
    const done = await charge(visa, { payment, metadata: { folder: 'f-1' } })
    expect(done).toMatchObject({
      outcome: 'succeeded',
      intent: expect.stringMatching(/^pi_/),
      charge: expect.stringMatching(/^ch_/),
      amount: 1750,
    })
    if (done.outcome !== 'succeeded') throw new Error()
    expect(await gateway.findCharge(payment, '1')).toEqual(done)
    expect(await gateway.findCharge(payment, '2')).toBeNull()
    expect(await gateway.findCharge(key(), '1')).toBeNull()
    expect(await gateway.outcomeOfIntent(done.intent)).toEqual(done)
    const found = await stripe.charges.retrieve(done.charge)
    expect(found).toMatchObject({ transfer_group: payment, metadata: { payment, attempt: '1', folder: 'f-1' } })
    expect(await gateway.fetchCharge(done.charge)).toEqual({
      id: done.charge,
      intent: done.intent,
      payment,
      attempt: '1',
      paid: true,
      amount: 1750,
    })
  })

  test('repeating an idempotency key charges once', async () => {
    const asked = { payment: key(), attempt: '1', customer, method: visa, amount: 900, key: key() }
    const [first, second] = [await gateway.charge(asked), await gateway.charge(asked)]
    expect(second).toEqual(first)
    const { data } = await stripe.charges.list({ transfer_group: asked.payment })
    expect(data).toHaveLength(1)
    await expect(gateway.charge({ ...asked, amount: 901 })).rejects.toThrow(StripeRejectedRequestError)
  })

  test.each<[string, FailedCharge['reason'], string | undefined]>([
    ['pm_card_visa_chargeDeclined', 'declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient-funds', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedLostCard', 'declined', 'lost_card'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired-card', undefined],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect-details', undefined],
    ['pm_card_chargeDeclinedProcessingError', 'processing-error', undefined],
    ['pm_card_authenticationRequired', 'authentication-needed', 'authentication_required'],
    ['pm_card_authenticationRequiredOnSetup', 'authentication-needed', 'authentication_required'],
    ['pm_card_radarBlock', 'declined', undefined],
  ])('%s fails: %s', async (method, reason, declineCode) => {
    const payment = key()
    const failed = await charge(method, { payment })
    expect(failed).toMatchObject({ outcome: 'failed', reason, intent: expect.stringMatching(/^pi_/) })
    if (declineCode) expect(failed).toMatchObject({ declineCode })
    expect(await gateway.outcomeOfIntent((failed as FailedCharge).intent!)).toMatchObject({ outcome: 'failed', reason })
    const found = await gateway.findCharge(payment, '1')
    if (found) expect(found).toMatchObject({ outcome: 'failed', reason })
  })

  test('a card that could be saved may still be declined', async () => {
    const { id } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    expect(await charge(id)).toMatchObject({ outcome: 'failed', reason: 'declined' })
  })

  test('an abandoned intent is never paid, and abandoning it twice is no error', async () => {
    const failed = (await charge('pm_card_visa_chargeDeclined')) as FailedCharge
    expect(await gateway.abandon(failed.intent!, key())).toEqual({ outcome: 'canceled', intent: failed.intent })
    expect(await gateway.abandon(failed.intent!, key())).toEqual({ outcome: 'canceled', intent: failed.intent })
    await expect(
      gateway.authenticatePage({ intent: failed.intent!, method: visa, returnUrl: 'https://app.example/', key: key() }),
    ).rejects.toThrow(StripeRejectedRequestError)
  })

  test('an intent that was paid cannot be abandoned', async () => {
    const done = await charge(visa)
    expect(await gateway.abandon(done.intent!, key())).toEqual(done)
  })

  test("an intent that needs authentication stays open until the bank's page is used", async () => {
    const failed = (await charge('pm_card_authenticationRequired')) as FailedCharge
    expect(failed.reason).toBe('authentication-needed')
    const asked = { intent: failed.intent!, method: 'pm_card_authenticationRequired', returnUrl: 'https://app.example/back', key: key() }
    const page = await gateway.authenticatePage(asked)
    expect(page).toMatchObject({ outcome: 'page', url: expect.stringMatching(/^https?:/), intent: failed.intent })
    expect(await gateway.outcomeOfIntent(failed.intent!)).toEqual({ outcome: 'open', intent: failed.intent })
    expect(await gateway.authenticatePage({ ...asked, key: key() })).toEqual(page)
  })

  test('after a failure, the intent can be paid with a card that needs no authentication', async () => {
    const failed = (await charge('pm_card_visa_chargeDeclined')) as FailedCharge
    const paid = await gateway.authenticatePage({ intent: failed.intent!, method: visa, returnUrl: 'https://app.example/', key: key() })
    expect(paid).toMatchObject({ outcome: 'succeeded', intent: failed.intent })
  })

  test('the error for a wrong request names the parameter', async () => {
    await expect(charge(visa, { amount: 10 })).rejects.toMatchObject({ code: 'amount_too_small', param: 'amount' })
    await expect(charge(visa, { customer: 'cus_nobody' })).rejects.toBeInstanceOf(StripeRejectedRequestError)
    await expect(gateway.outcomeOfIntent('pi_nothing')).rejects.toMatchObject({ code: 'resource_missing' })
  })

  test('a charge can be refunded in part and then in full, but not beyond', async () => {
    const done = await charge(visa, { amount: 2000 })
    if (done.outcome !== 'succeeded') throw new Error()
    const asked = { charge: done.charge, reason: 'requested_by_customer' as const }
    const refund = await gateway.refund({ ...asked, refund: 'r-1', amount: 500, key: key() })
    expect(refund).toMatchObject({ charge: done.charge, amount: 500, status: 'succeeded' })
    expect(await gateway.findRefund(done.charge, 'r-1')).toEqual(refund)
    expect(await gateway.findRefund(done.charge, 'r-2')).toBeNull()
    await expect(gateway.refund({ ...asked, refund: 'r-2', amount: 1501, key: key() })).rejects.toThrow(StripeRejectedRequestError)
    await gateway.refund({ ...asked, refund: 'r-3', amount: 1500, key: key() })
    expect((await gateway.refundsOf(done.charge)).map(r => [r.ours, r.amount])).toEqual([
      ['r-1', 500],
      ['r-3', 1500],
    ])
    await expect(gateway.refund({ ...asked, refund: 'r-4', amount: 1, key: key() })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
  })

  test('a new payout account has an onboarding link and cannot receive transfers', async () => {
    const account = await gateway.payoutAccount('instructor-1', 'coach@example.com', key())
    const status = await gateway.accountStatus(account)
    expect(status.takesTransfers).toBe(false)
    expect(status.requirements).toContain('identity.individual.given_name')
    const url = await gateway.onboardingLink(account, { returnUrl: 'https://app.example/paid', refreshUrl: 'https://app.example/again' })
    expect(url).toMatch(/^https?:/)
    await expect(gateway.dashboardLink(account)).rejects.toThrow(StripeRejectedRequestError)
    const done = await charge(visa, { amount: 2000 })
    if (done.outcome !== 'succeeded') throw new Error()
    await expect(
      gateway.transfer({ payment: key(), nth: 1, amount: 1200, destination: account, source: done.charge, key: key() }),
    ).rejects.toMatchObject({ code: 'insufficient_capabilities_for_transfer' })
  })

  test('a checkout page is unpaid until it is used', async () => {
    const page = await gateway.checkout({
      customer,
      payer: 'player-1',
      item: { name: '3 folders', amount: 4200 },
      metadata: { package: 'triple' },
      returnUrl: 'https://app.example/bought',
      cancelUrl: 'https://app.example/buy',
      key: key(),
    })
    expect(page.url).toContain(page.session)
    expect(await gateway.fetchCheckout(page.session)).toEqual({
      paid: false,
      payer: 'player-1',
      customer,
      intent: null,
      charge: null,
      amount: 4200,
      card: null,
      metadata: { package: 'triple', player: 'player-1' },
    })
  })
})
