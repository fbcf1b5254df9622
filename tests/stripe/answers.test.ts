import Stripe from 'stripe'
import { beforeEach, describe, expect, test } from 'vitest'
import { cards } from '../../modules/payments/stripe/cards.ts'
import { charges } from '../../modules/payments/stripe/charges.ts'
import { gatewayErrorOf, OutcomeUnknown, RejectedRequest, RetryLater, stripeIdOf } from '../../modules/payments/stripe/client.ts'
import { payouts } from '../../modules/payments/stripe/payouts.ts'
import { refunds } from '../../modules/payments/stripe/refunds.ts'
import { sales } from '../../modules/payments/stripe/sales.ts'

/** What Stripe may answer, and rarely does: the sandbox answers the rest. */

/** By call (`charges.list`), one answer after another, the last one again; an error is thrown. Others are not to be asked. */
let answers: Record<string, unknown[]>
let calls: unknown[][]
beforeEach(() => {
  answers = {}
  calls = []
})
const asked = () => calls.map(([call]) => call)
const at = (path: string): unknown =>
  new Proxy(() => {}, {
    get: (_, name: string) => at(path ? `${path}.${name}` : name),
    apply: async (_, __, all: unknown[]) => {
      calls.push([path, ...all])
      const left = answers[path]
      if (!left) throw new Error(`${path} was not to be asked`)
      const answer = left.length > 1 ? left.shift() : left[0]
      if (answer instanceof Error) throw answer
      return answer
    },
  })
const scripted = at('') as Stripe
type Raw = ConstructorParameters<typeof Stripe.errors.StripeError>[0]
const wrong = (more: object) => new Stripe.errors.StripeInvalidRequestError({ message: 'No.', statusCode: 400, ...more } as Raw)
const gone = wrong({ code: 'resource_missing', statusCode: 404 })
const silent = new Stripe.errors.StripeConnectionError({ message: 'No route' } as Raw)

describe('an error', () => {
  test.each<[string, object, object]>([
    ['too many requests', { statusCode: 429, code: 'rate_limit' }, { is: RetryLater, code: 'rate_limit' }],
    ['too little balance', { code: 'balance_insufficient' }, { is: RetryLater, code: 'balance_insufficient' }],
    ['another request at the same object', { code: 'lock_timeout' }, { is: RetryLater, code: 'lock_timeout' }],
    [
      'a wrong parameter',
      { code: 'amount_too_small', param: 'amount' },
      { is: RejectedRequest, code: 'amount_too_small', param: 'amount' },
    ],
    ['a wrong request without a code', { type: 'idempotency_error' }, { is: RejectedRequest, code: 'idempotency_error' }],
    ['the last of the wrong ones', { statusCode: 499, code: 'odd' }, { is: RejectedRequest, code: 'odd' }],
    ['a key that is under way', { statusCode: 409, code: 'idempotency_key_in_use' }, { is: OutcomeUnknown }],
    ['their fault', { statusCode: 500, code: 'odd' }, { is: OutcomeUnknown }],
    ['a redirect', { statusCode: 399, code: 'odd' }, { is: OutcomeUnknown }],
    ['no answer', { statusCode: undefined }, { is: OutcomeUnknown }],
  ])('%s', (_, raw, { is, ...more }: { is?: typeof RetryLater | typeof RejectedRequest | typeof OutcomeUnknown }) => {
    const cause = wrong(raw)
    const error = gatewayErrorOf(cause) as Error
    expect(error).toBeInstanceOf(is)
    expect(error).toMatchObject({ message: 'No.', cause, ...more })
  })
  test('without a word is that nobody answered', () => {
    const error = new Stripe.errors.StripeConnectionError({ message: '' } as Raw)
    expect(gatewayErrorOf(error)).toMatchObject({ message: 'Stripe did not answer.' })
  })
  test('of a card, and one that is not theirs, stays what it is', () => {
    for (const error of [new Stripe.errors.StripeCardError({ message: 'Declined', statusCode: 402 } as Raw), new Error('bug'), 'odd'])
      expect(gatewayErrorOf(error)).toBe(error)
  })
})

test('what is named by its id or as a whole is known by its id', () => {
  expect(['ch_1', { id: 'ch_1' }, null, undefined].map(stripeIdOf)).toEqual(['ch_1', 'ch_1', null, null])
})

const intent = (status: string, more: object = {}) => ({ id: 'pi_1', status, customer: 'cus_1', ...more })
const paid = intent('succeeded', { latest_charge: { id: 'ch_1' }, amount_received: 1750, amount: 1800 })
const succeeded = { outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1750 }
const declined = intent('requires_payment_method', { last_payment_error: { code: 'card_declined', decline_code: 'lost_card' } })
const failed = { outcome: 'failed', reason: 'declined', intent: 'pi_1', declineCode: 'lost_card' }
const open = { outcome: 'open', intent: 'pi_1' }
const canceled = { outcome: 'canceled', intent: 'pi_1' }

describe('a charge', () => {
  const { charge, findCharge, authenticatePage, paid: lookUp, abandon, fetchCharge } = charges(scripted, 'https://ours.test')
  const wanted = { payment: 'p1', attempt: 'a1', customer: 'cus_1', method: 'pm_1', amount: 1750, key: 'k' }

  test.each<[string, object, object]>([
    ['succeeded', paid, succeeded],
    ['was canceled', intent('canceled'), canceled],
    ['failed', declined, failed],
    ['was not tried yet', intent('requires_payment_method'), open],
    ['is being worked on', intent('processing', { last_payment_error: { code: 'card_declined' } }), open],
  ])('%s', async (_, answer, outcome) => {
    answers = { 'paymentIntents.retrieve': [answer] }
    expect(await lookUp('pi_1')).toEqual(outcome)
  })
  test('has an outcome, or is unsure', async () => {
    answers = {
      'paymentIntents.create': [
        paid,
        declined,
        intent('requires_action', { client_secret: 's' }),
        intent('processing'),
        intent('canceled'),
      ],
    }
    expect([await charge(wanted), await charge(wanted)]).toEqual([succeeded, failed])
    expect(await charge(wanted)).toEqual({ outcome: 'failed', reason: 'authentication-needed', intent: 'pi_1', clientSecret: 's' })
    await expect(charge(wanted)).rejects.toThrow(new OutcomeUnknown('Stripe is still working on pi_1 (processing).'))
    await expect(charge(wanted)).rejects.toThrow(OutcomeUnknown)
  })
  test.each([
    ['insufficient_funds', 'insufficient-funds'],
    ['expired_card', 'expired-card'],
    ['authentication_required', 'authentication-needed'],
    ['incorrect_zip', 'incorrect-details'],
    ['invalid_expiry_year', 'incorrect-details'],
    ['issuer_not_available', 'processing-error'],
    ['pickup_card', 'declined'],
  ])('that a bank declined with %s: %s; its word counts more than that of Stripe', async (code, reason) => {
    const said = { message: 'No', statusCode: 402, code: 'processing_error', decline_code: code }
    answers = { 'paymentIntents.create': [new Stripe.errors.StripeCardError(said as Raw)] }
    const known = reason !== 'declined'
    expect(await charge(wanted)).toEqual({ outcome: 'failed', reason: known ? reason : 'processing-error', declineCode: code })
    answers = { 'paymentIntents.create': [new Stripe.errors.StripeCardError({ ...said, code, decline_code: undefined } as Raw)] }
    expect(await charge(wanted)).toEqual({ outcome: 'failed', reason })
  })

  describe('that is a wrong request', () => {
    const removed = { outcome: 'failed', reason: 'incorrect-details' }
    const of = (error: Error, ...cards: unknown[]) => {
      answers = { 'paymentIntents.create': [error], ...(cards.length && { 'paymentMethods.retrieve': cards }) }
      return charge(wanted)
    }
    test('as its card was removed has failed', async () => {
      for (const card of [{ customer: null }, { customer: 'cus_2' }, gone]) {
        expect(await of(wrong({ param: 'payment_method' }), card)).toEqual(removed)
        expect(await of(wrong({}), card)).toEqual(removed)
      }
      expect(calls[1]).toEqual(['paymentMethods.retrieve', 'pm_1'])
    })
    test('with its card still there is a mistake of ours', async () => {
      await expect(of(wrong({ code: 'odd' }), { customer: { id: 'cus_1' } })).rejects.toMatchObject({ code: 'odd' })
    })
    test('for another reason is not looked into, and neither is what nobody knows', async () => {
      await expect(of(wrong({ param: 'amount' }))).rejects.toThrow(RejectedRequest)
      await expect(of(silent)).rejects.toThrow(OutcomeUnknown)
      expect(asked()).toEqual(['paymentIntents.create', 'paymentIntents.create'])
    })
    test('is unsure where its card cannot be asked about', async () => {
      await expect(of(wrong({}), silent)).rejects.toThrow(OutcomeUnknown)
    })
  })

  test('leads to the bank where its owner is present', async () => {
    answers = { 'paymentIntents.create': [paid] }
    await charge(wanted)
    await charge({ ...wanted, returnPath: '/player/folder/f1' })
    const asked = calls.map(([, params]) => params as { off_session: boolean; return_url?: string })
    expect(asked.map(({ off_session, return_url }) => [off_session, return_url])).toEqual([
      [true, undefined],
      [false, 'https://ours.test/player/folder/f1'],
    ])
  })
  test('is found by its attempt, the paid one first', async () => {
    const one = (attempt: string, paid: boolean, payment_intent: unknown) => ({ paid, metadata: { attempt }, payment_intent })
    const other = intent('succeeded', { id: 'pi_2', latest_charge: 'ch_2', amount_received: 1 })
    const data = [
      one('a0', true, other),
      one('a1', true, null),
      one('a1', false, declined),
      one('a1', true, paid),
      one('a2', false, declined),
    ]
    answers = { 'charges.list': [{ data }] }
    expect([await findCharge('p1', 'a1'), await findCharge('p1', 'a2'), await findCharge('p1', 'a3')]).toEqual([succeeded, failed, null])
    expect(calls[0]).toEqual(['charges.list', { transfer_group: 'p1', limit: 100, expand: ['data.payment_intent'] }])
  })

  describe('tried again by its owner', () => {
    const page = () => authenticatePage({ intent: 'pi_1', method: 'pm_1', returnUrl: 'https://ours.test/', key: 'k' })
    const waiting = intent('requires_action', { next_action: { redirect_to_url: { url: 'https://bank.test/' } } })
    const leads = { outcome: 'page', url: 'https://bank.test/', intent: 'pi_1' }
    test.each(['requires_payment_method', 'requires_confirmation'])('is confirmed where it %s', async status => {
      answers = { 'paymentIntents.retrieve': [intent(status)], 'paymentIntents.confirm': [waiting, paid, declined] }
      expect([await page(), await page(), await page()]).toEqual([leads, succeeded, failed])
      expect(calls[1]).toEqual([
        'paymentIntents.confirm',
        'pi_1',
        { payment_method: 'pm_1', return_url: 'https://ours.test/' },
        { idempotencyKey: 'k' },
      ])
    })
    test('is what it is where there is nothing to confirm', async () => {
      answers = { 'paymentIntents.retrieve': [waiting, paid, intent('processing'), intent('requires_action')] }
      expect([await page(), await page()]).toEqual([leads, succeeded])
      const error = new RejectedRequest('pi_1 is processing: it cannot be paid.', 'payment_intent_unexpected_state')
      await expect(page()).rejects.toMatchObject({ message: error.message, code: error.code })
      await expect(page()).rejects.toThrow(RejectedRequest)
    })
    test('has failed where its bank says no, or its card is gone', async () => {
      answers = {
        'paymentIntents.retrieve': [intent('requires_payment_method', { customer: { id: 'cus_1' } })],
        'paymentIntents.confirm': [
          new Stripe.errors.StripeCardError({ decline_code: 'lost_card', payment_intent: { id: 'pi_1' } } as unknown as Raw),
          wrong({}),
        ],
        'paymentMethods.retrieve': [gone],
      }
      expect([await page(), await page()]).toEqual([failed, { outcome: 'failed', reason: 'incorrect-details' }])
    })
  })

  test('is abandoned, unless it is paid; where nobody knows, that is said', async () => {
    answers = { 'paymentIntents.cancel': [{}] }
    expect(await abandon('pi_1', 'k')).toEqual(canceled)
    expect(calls).toEqual([['paymentIntents.cancel', 'pi_1', { cancellation_reason: 'abandoned' }, { idempotencyKey: 'k' }]])
    answers = {
      'paymentIntents.cancel': [wrong({ code: 'odd' })],
      'paymentIntents.retrieve': [paid, intent('canceled'), intent('processing'), declined],
    }
    expect([await abandon('pi_1', 'k'), await abandon('pi_1', 'k')]).toEqual([succeeded, canceled])
    await expect(abandon('pi_1', 'k')).rejects.toMatchObject({ code: 'odd' })
    await expect(abandon('pi_1', 'k')).rejects.toMatchObject({ code: 'odd' })
    answers = { 'paymentIntents.cancel': [silent] }
    await expect(abandon('pi_1', 'k')).rejects.toThrow(OutcomeUnknown)
  })

  test('that is not ours has no payment', async () => {
    const charge = { id: 'ch_1', payment_intent: { id: 'pi_1' }, paid: true, amount: 5 }
    answers = {
      'charges.retrieve': [
        { ...charge, metadata: {} },
        { ...charge, metadata: { payment: 'p1', attempt: 'a1' } },
      ],
    }
    const known = { id: 'ch_1', intent: 'pi_1', paid: true, amount: 5 }
    expect([await fetchCharge('ch_1'), await fetchCharge('ch_1')]).toEqual([
      { ...known, payment: null, attempt: null },
      { ...known, payment: 'p1', attempt: 'a1' },
    ])
  })
})

describe('money that goes back', () => {
  const { findRefund, refundsOf, chargeOfRefund, fetchDispute } = refunds(scripted)
  const refund = (id: string, status: string | null, ours?: string) => ({
    id,
    charge: { id: 'ch_1' },
    amount: 500,
    status,
    metadata: ours ? { refund: ours } : null,
  })
  test('is found by our id or theirs, among several', async () => {
    answers = { 'refunds.list': [{ data: [refund('re_2', 'succeeded'), refund('re_1', 'pending', 'r1')] }] }
    const found = { charge: 'ch_1', amount: 500 }
    expect([await findRefund('ch_1', 'r1'), await findRefund('ch_1', 're_2'), await findRefund('ch_1', 'r9')]).toEqual([
      { id: 're_1', ...found, status: 'pending' },
      { id: 're_2', ...found, status: 'succeeded' },
      null,
    ])
    expect(calls[0]).toEqual(['refunds.list', { charge: 'ch_1', limit: 100 }])
  })
  test('is told oldest first, by what became of it', async () => {
    const data = ['succeeded', 'failed', 'canceled', 'pending', 'requires_action', null].map((status, n) =>
      refund(`re_${n}`, status, n ? undefined : 'r1'),
    )
    answers = { 'refunds.list': [{ data }], 'refunds.retrieve': [data[0]] }
    expect((await refundsOf('ch_1')).map(r => [r.id, r.ours, r.amount, r.status])).toEqual([
      ['re_5', null, 500, 'pending'],
      ['re_4', null, 500, 'pending'],
      ['re_3', null, 500, 'pending'],
      ['re_2', null, 500, 'failed'],
      ['re_1', null, 500, 'failed'],
      ['re_0', 'r1', 500, 'succeeded'],
    ])
    expect(calls[0]).toEqual(['refunds.list', { charge: 'ch_1', limit: 100 }])
    expect(await chargeOfRefund('re_0')).toBe('ch_1')
  })
  test.each([
    ['won', 'won'],
    ['warning_closed', 'won'],
    ['prevented', 'won'],
    ['prevented', 'lost', [{ amount: -500 }]],
    ['lost', 'lost'],
    ['needs_response', 'open'],
    ['warning_under_review', 'open'],
  ])('by the bank: %s is %s', async (status, state, balance_transactions: { amount: number }[] = []) => {
    const dispute = { id: 'dp_1', charge: 'ch_1', payment_intent: null, amount: 500, status, reason: 'fraudulent', balance_transactions }
    answers = { 'disputes.retrieve': [dispute] }
    expect(await fetchDispute('dp_1')).toEqual({
      id: 'dp_1',
      charge: 'ch_1',
      intent: null,
      amount: 500,
      status: state,
      reason: 'fraudulent',
    })
  })
})

describe('what is passed on', () => {
  const { findTransfer, transfer, accountStatus } = payouts(scripted)
  const made = (id: string, metadata: object) => ({ id, destination: { id: 'acct_1' }, amount: 1200, amount_reversed: 0, metadata })
  const found = (id: string) => ({ id, payment: 'p1', destination: 'acct_1', amount: 1200, reversed: 0 })
  test('is found by its number; the first ones had none', async () => {
    const data = [made('tr_0', { payment: 'p2', nth: '1' }), made('tr_2', { payment: 'p1', nth: '2' }), made('tr_1', { payment: 'p1' })]
    answers = { 'transfers.list': [{ data }] }
    const find = (nth: number) => findTransfer({ payment: 'p1', nth })
    expect([await find(1), await find(2), await find(3)]).toEqual([found('tr_1'), found('tr_2'), null])
    expect(calls[0]).toEqual(['transfers.list', { transfer_group: 'p1', limit: 100 }])
    expect(calls).toHaveLength(3)
  })
  test('is looked for in the group of the other charge, too, if that has one', async () => {
    answers = {
      'transfers.list': [{ data: [] }, { data: [made('tr_1', { payment: 'p1', nth: '1' })] }],
      'charges.retrieve': [{ transfer_group: 'group_2' }],
    }
    const find = () => findTransfer({ payment: 'p1', nth: 1, charge: 'ch_2' })
    expect(await find()).toEqual(found('tr_1'))
    expect(
      calls.filter(([call]) => call === 'transfers.list').map(([, asked]) => (asked as { transfer_group: string }).transfer_group),
    ).toEqual(['p1', 'group_2'])
    calls = []
    answers = { 'transfers.list': [{ data: [] }], 'charges.retrieve': [{ transfer_group: null }] }
    expect(await find()).toBeNull()
    expect(asked().filter(call => call === 'transfers.list')).toHaveLength(1)
  })
  test("comes out of its charge in its group, or the balance in the payment's group", async () => {
    answers = { 'transfers.create': [{ id: 'tr_1' }] }
    const share = { payment: 'p1', nth: 2, amount: 1200, destination: 'acct_1', key: 'k' }
    expect([await transfer({ ...share, source: 'ch_1' }), await transfer(share)]).toEqual(['tr_1', 'tr_1'])
    const sent = { amount: 1200, currency: 'usd', destination: 'acct_1', metadata: { payment: 'p1', nth: 2 } }
    expect(calls).toEqual([
      ['transfers.create', { ...sent, source_transaction: 'ch_1' }, { idempotencyKey: 'k' }],
      ['transfers.create', { ...sent, transfer_group: 'p1' }, { idempotencyKey: 'k' }],
    ])
  })
  test('needs an account of which each thing that is missing is told once', async () => {
    const entry = (description: string, status: string, awaiting_action_from = 'user') => ({
      ...{ description, awaiting_action_from, minimum_deadline: { status } },
    })
    const entries = [
      ...[entry('a', 'past_due'), entry('b', 'currently_due'), entry('b', 'past_due')],
      ...[entry('c', 'eventually_due'), entry('d', 'currently_due', 'stripe')],
    ]
    answers = { 'v2.core.accounts.retrieve': [{ requirements: { entries } }, { requirements: {} }, {}] }
    const status = async () => (await accountStatus('acct_1')).requirements
    expect([await status(), await status(), await status()]).toEqual([['a', 'b'], [], []])
  })
  test.each([
    ['active', true],
    ['pending', false],
    ['restricted', false],
  ])('waits for an account that takes transfers: %s', async (status, takesTransfers) => {
    const capabilities = { stripe_balance: { stripe_transfers: { status } } }
    answers = { 'v2.core.accounts.retrieve': [{ configuration: { recipient: { capabilities } } }] }
    expect(await accountStatus('acct_1')).toEqual({ takesTransfers, requirements: [] })
    expect(calls).toEqual([['v2.core.accounts.retrieve', 'acct_1', { include: ['configuration.recipient', 'requirements'] }]])
  })
})

const visit = { customer: 'cus_1', player: 'ana', cancelUrl: 'https://ours.test/no', key: 'k' }
const back = { customer: 'cus_1', client_reference_id: 'ana', cancel_url: 'https://ours.test/no' }

test('what moves money is sent under its key, so that it happens once', async () => {
  const made = { id: 'x_1', charge: 'ch_1', amount: 500, status: 'succeeded' }
  answers = { 'refunds.create': [made], 'transfers.createReversal': [made], 'v2.core.accounts.create': [made], 'customers.create': [made] }
  const asked = { refund: 'r1', charge: 'ch_1', amount: 500, reason: 'duplicate' as const, key: 'k1' }
  await refunds(scripted).refund(asked)
  expect(await payouts(scripted).reverse('tr_1', 500, 'k2')).toBe('x_1')
  expect(await payouts(scripted).payoutAccount('casey', 'casey@example.com', 'k3')).toBe('x_1')
  expect(await cards(scripted).customer('ana', 'k4')).toBe('x_1')
  expect(calls).toEqual([
    ['refunds.create', { charge: 'ch_1', amount: 500, reason: 'duplicate', metadata: { refund: 'r1' } }, { idempotencyKey: 'k1' }],
    ['transfers.createReversal', 'tr_1', { amount: 500 }, { idempotencyKey: 'k2' }],
    [
      'v2.core.accounts.create',
      expect.objectContaining({ contact_email: 'casey@example.com', metadata: { instructor: 'casey' } }),
      { idempotencyKey: 'k3' },
    ],
    ['customers.create', { metadata: { player: 'ana' } }, { idempotencyKey: 'k4' }],
  ])
})

describe('what is sold on a page', () => {
  const { checkout, checkoutDone, saleOf } = sales(scripted)
  test('is known to its charge, and leads back with the session', async () => {
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
  test('is done when it is paid, with the card that paid where that is told', async () => {
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
      player: 'ana',
      customer: 'cus_1',
      intent: 'pi_1',
      charge: 'ch_1',
      amount: 4200,
      metadata: { package: 'triple' },
    }
    expect(await checkoutDone('cs_1')).toEqual({ ...done, card: { brand: 'visa', last4: '4242' } })
    for (let n = 0; n < 3; n++) expect(await checkoutDone('cs_1')).toEqual({ ...done, card: null })
    expect(await checkoutDone('cs_1')).toEqual({ ...done, paid: false, charge: null, amount: 0, card: null, metadata: {} })
    expect(calls[0]).toEqual(['checkout.sessions.retrieve', 'cs_1', { expand: ['payment_intent.latest_charge'] }])
  })
  test('is found by what paid for it', async () => {
    answers = { 'checkout.sessions.list': [{ data: [{ id: 'cs_1' }] }, { data: [] }] }
    expect([await saleOf('pi_1'), await saleOf('pi_1')]).toEqual(['cs_1', null])
    expect(calls[0]).toEqual(['checkout.sessions.list', { payment_intent: 'pi_1' }])
  })
})

describe('a card', () => {
  const { setupPage, setupDone, card, cards: all, removeCard } = cards(scripted)
  const visa = { id: 'pm_1', customer: 'cus_1', card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2030 } }
  const known = { method: 'pm_1', brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 }
  test('is entered on a page that knows its player, and leads back with the session', async () => {
    answers = { 'checkout.sessions.create': [{ url: 'https://pay.test/', id: 'cs_1' }] }
    await setupPage({ ...visit, returnUrl: 'https://ours.test/back' })
    const metadata = { player: 'ana' }
    const success_url = 'https://ours.test/back?setup={CHECKOUT_SESSION_ID}'
    expect(calls[0]).toMatchObject([
      ...['checkout.sessions.create', { ...back, mode: 'setup', metadata, setup_intent_data: { metadata }, success_url }],
      { idempotencyKey: 'k' },
    ])
  })
  test('is saved once its page was used, and only by a page for it', async () => {
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
    expect(await setupDone('cs_1')).toEqual({ customer: 'cus_1', player: 'ana', method: known })
    expect([await setupDone('cs_1'), await setupDone('cs_1'), await setupDone('cs_1')]).toEqual([null, null, null])
    expect(calls[0]).toEqual(['checkout.sessions.retrieve', 'cs_1', { expand: ['setup_intent.payment_method'] }])
  })
  test('is known while somebody has it', async () => {
    answers = {
      'paymentMethods.retrieve': [visa, { ...visa, customer: null }],
      'paymentMethods.list': [{ data: [visa, { ...visa, id: 'pm_2' }] }],
    }
    expect([await card('pm_1'), await card('pm_1')]).toEqual([known, null])
    expect(await all('cus_1')).toEqual([known, { ...known, method: 'pm_2' }])
    expect(calls.at(-1)).toEqual(['paymentMethods.list', { customer: 'cus_1', type: 'card', limit: 100 }])
  })
  test('may be removed twice; one that stays is told', async () => {
    answers = { 'paymentMethods.detach': [wrong({ code: 'odd' })], 'paymentMethods.retrieve': [{ ...visa, customer: null }, visa] }
    await removeCard('pm_1')
    await expect(removeCard('pm_1')).rejects.toMatchObject({ code: 'odd' })
    answers = { 'paymentMethods.detach': [silent] }
    await expect(removeCard('pm_1')).rejects.toThrow(OutcomeUnknown)
  })
})
