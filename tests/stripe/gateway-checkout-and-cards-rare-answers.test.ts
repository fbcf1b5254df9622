import { beforeEach, describe, expect, test } from 'vitest'
import { OutcomeUnknownError } from '../../modules/payments/stripe/client.ts'
import { stripeCards } from '../../modules/payments/stripe/stripe-cards.ts'
import { stripeHostedSales } from '../../modules/payments/stripe/stripe-hosted-sales.ts'
import { connectionError, invalidRequestError, type ScriptedAnswers, scriptedStripe } from './scripted-stripe.ts'

// These tests script responses that Stripe rarely sends; the other tests use the sandbox.

let answers: ScriptedAnswers
let calls: unknown[][]
beforeEach(() => {
  answers = {}
  calls = []
})
const scripted = scriptedStripe(
  () => answers,
  call => calls.push(call),
)

const visit = { customer: 'cus_1', payer: 'ana', cancelUrl: 'https://ours.test/no', key: 'k' }
/** The parameters of every hosted page; with the last two, Stripe requires an address and stores it with the customer. */
const back = {
  customer: 'cus_1',
  client_reference_id: 'ana',
  cancel_url: 'https://ours.test/no',
  billing_address_collection: 'required',
  customer_update: { address: 'auto' },
}

describe('a package bought on a checkout page', () => {
  const { checkout, fetchCheckout, saleOf } = stripeHostedSales(scripted)
  test("has its purchase in the charge's metadata, and its session id in the return URL", async () => {
    answers = { 'checkout.sessions.create': [{ url: 'https://pay.test/', id: 'cs_1' }] }
    const sell = (returnUrl: string) =>
      checkout({ ...visit, returnUrl, item: { name: 'Triple', amount: 4200 }, metadata: { package: 'triple' } })
    expect(await sell('https://ours.test/back')).toEqual({ url: 'https://pay.test/', session: 'cs_1' })
    await sell('https://ours.test/back?a=1')
    const metadata = { package: 'triple', player: 'ana' }
    const item = { quantity: 1, price_data: { currency: 'usd', unit_amount: 4200, product_data: { name: 'Triple' } } }
    const sold = { ...back, mode: 'payment', metadata, payment_intent_data: { metadata }, line_items: [item] }
    expect(calls).toMatchObject([
      [
        'checkout.sessions.create',
        { ...sold, success_url: 'https://ours.test/back?session={CHECKOUT_SESSION_ID}' },
        { idempotencyKey: 'k' },
      ],
      ['checkout.sessions.create', { ...sold, success_url: 'https://ours.test/back?a=1&session={CHECKOUT_SESSION_ID}' }, {}],
    ])
  })
  test('is complete once it is paid, and has the card if Stripe names one', async () => {
    const session = { payment_status: 'paid', client_reference_id: 'ana', customer: { id: 'cus_1' }, amount_total: 4200 }
    const by = (card: object | undefined) => ({
      ...session,
      payment_intent: { id: 'pi_1', latest_charge: { id: 'ch_1', payment_method_details: { card } } },
      metadata: { package: 'triple' },
    })
    answers = {
      'checkout.sessions.retrieve': [
        by({ brand: 'visa', last4: '4242', funding: 'credit' }),
        by({ brand: null, last4: '4242' }),
        by({ brand: 'visa', last4: null }),
        by(undefined),
        { ...session, payment_status: 'unpaid', amount_total: null, payment_intent: { id: 'pi_1', latest_charge: null }, metadata: null },
      ],
    }
    const done = {
      paid: true,
      payer: 'ana',
      customer: 'cus_1',
      intent: 'pi_1',
      charge: 'ch_1',
      amount: 4200,
      metadata: { package: 'triple' },
    }
    expect(await fetchCheckout('cs_1')).toEqual({ ...done, card: { brand: 'visa', last4: '4242' } })
    for (let n = 0; n < 3; n++) expect(await fetchCheckout('cs_1')).toEqual({ ...done, card: null })
    expect(await fetchCheckout('cs_1')).toEqual({ ...done, paid: false, charge: null, amount: 0, card: null, metadata: {} })
    expect(calls[0]).toEqual(['checkout.sessions.retrieve', 'cs_1', { expand: ['payment_intent.latest_charge'] }])
  })
  test('is found by its payment intent', async () => {
    answers = { 'checkout.sessions.list': [{ data: [{ id: 'cs_1' }] }, { data: [] }] }
    expect([await saleOf('pi_1'), await saleOf('pi_1')]).toEqual(['cs_1', null])
    expect(calls[0]).toEqual(['checkout.sessions.list', { payment_intent: 'pi_1' }])
  })
})

describe('a card', () => {
  const { setupPage, fetchSetupCard, card, cards: all, removeCard } = stripeCards(scripted)
  const visa = { id: 'pm_1', customer: 'cus_1', card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2030 } }
  const known = { method: 'pm_1', brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 }
  test('is entered on a page that knows its player and returns with the session id', async () => {
    answers = { 'checkout.sessions.create': [{ url: 'https://pay.test/', id: 'cs_1' }] }
    await setupPage({ ...visit, returnUrl: 'https://ours.test/back' })
    const metadata = { player: 'ana' }
    const success_url = 'https://ours.test/back?setup={CHECKOUT_SESSION_ID}'
    expect(calls[0]).toMatchObject([
      ...['checkout.sessions.create', { ...back, mode: 'setup', metadata, setup_intent_data: { metadata }, success_url }],
      { idempotencyKey: 'k' },
    ])
  })
  test('is saved only after a page for saving cards was completed', async () => {
    const session = {
      mode: 'setup',
      customer: 'cus_1',
      client_reference_id: 'ana',
      setup_intent: { status: 'succeeded', payment_method: visa },
    }
    answers = {
      'checkout.sessions.retrieve': [
        session,
        { ...session, mode: 'payment' },
        { ...session, setup_intent: { status: 'requires_action' } },
        { ...session, setup_intent: null },
      ],
    }
    expect(await fetchSetupCard('cs_1')).toEqual({ customer: 'cus_1', payer: 'ana', method: known })
    expect([await fetchSetupCard('cs_1'), await fetchSetupCard('cs_1'), await fetchSetupCard('cs_1')]).toEqual([null, null, null])
    expect(calls[0]).toEqual(['checkout.sessions.retrieve', 'cs_1', { expand: ['setup_intent.payment_method'] }])
  })
  test('exists as long as it is attached to a customer', async () => {
    answers = {
      'paymentMethods.retrieve': [visa, { ...visa, customer: null }],
      'paymentMethods.list': [{ data: [visa, { ...visa, id: 'pm_2' }] }],
    }
    expect([await card('pm_1'), await card('pm_1')]).toEqual([known, null])
    expect(await all('cus_1')).toEqual([known, { ...known, method: 'pm_2' }])
    expect(calls.at(-1)).toEqual(['paymentMethods.list', { customer: 'cus_1', type: 'card', limit: 100 }])
  })
  test('may be removed twice, and a failed removal is reported', async () => {
    answers = {
      'paymentMethods.detach': [invalidRequestError({ code: 'odd' })],
      'paymentMethods.retrieve': [{ ...visa, customer: null }, visa],
    }
    await removeCard('pm_1')
    await expect(removeCard('pm_1')).rejects.toMatchObject({ code: 'odd' })
    answers = { 'paymentMethods.detach': [connectionError] }
    await expect(removeCard('pm_1')).rejects.toThrow(OutcomeUnknownError)
  })
})
