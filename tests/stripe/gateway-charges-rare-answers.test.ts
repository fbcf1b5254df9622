import Stripe from 'stripe'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  gatewayErrorOf,
  OutcomeUnknownError,
  RetryLaterError,
  StripeRejectedRequestError,
  stripeIdOf,
} from '../../modules/payments/stripe/client.ts'
import { stripeCharges } from '../../modules/payments/stripe/stripe-charges.ts'
import {
  connectionError,
  invalidApiKeyError,
  invalidRequestError,
  missingResourceError,
  type ScriptedAnswers,
  type StripeErrorFields,
  scriptedStripe,
} from './scripted-stripe.ts'

// These tests script responses that Stripe rarely sends; the other tests use the sandbox.

let answers: ScriptedAnswers
let calls: unknown[][]
beforeEach(() => {
  answers = {}
  calls = []
})
const calledMethods = () => calls.map(([call]) => call)
const scripted = scriptedStripe(
  () => answers,
  call => calls.push(call),
)

const intent = (status: string, more: object = {}) => ({ id: 'pi_1', status, customer: 'cus_1', ...more })
const paid = intent('succeeded', { latest_charge: { id: 'ch_1' }, amount_received: 1750, amount: 1800 })
const succeeded = { outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1750 }
const declined = intent('requires_payment_method', { last_payment_error: { code: 'card_declined', decline_code: 'lost_card' } })
const failed = { outcome: 'failed', reason: 'declined', intent: 'pi_1', declineCode: 'lost_card' }
const open = { outcome: 'open', intent: 'pi_1' }
const canceled = { outcome: 'canceled', intent: 'pi_1' }

describe('an error from Stripe', () => {
  test.each<[string, object, object]>([
    ['too many requests', { statusCode: 429, code: 'rate_limit' }, { is: RetryLaterError, code: 'rate_limit' }],
    ['too little balance', { code: 'balance_insufficient' }, { is: RetryLaterError, code: 'balance_insufficient' }],
    ['an unknown API key', { statusCode: 401, type: 'authentication_error' }, { is: RetryLaterError }],
    ['an API key without this permission', { statusCode: 403, code: 'account_invalid' }, { is: RetryLaterError, code: 'account_invalid' }],
    ['a locked object', { code: 'lock_timeout' }, { is: RetryLaterError, code: 'lock_timeout' }],
    [
      'a wrong parameter',
      { code: 'amount_too_small', param: 'amount' },
      { is: StripeRejectedRequestError, code: 'amount_too_small', param: 'amount' },
    ],
    ['a wrong request without a code', { type: 'idempotency_error' }, { is: StripeRejectedRequestError, code: 'idempotency_error' }],
    ['the highest 4xx status', { statusCode: 499, code: 'odd' }, { is: StripeRejectedRequestError, code: 'odd' }],
    ['an idempotency key in use', { statusCode: 409, code: 'idempotency_key_in_use' }, { is: OutcomeUnknownError }],
    ['a 5xx status', { statusCode: 500, code: 'odd' }, { is: OutcomeUnknownError }],
    ['a redirect', { statusCode: 399, code: 'odd' }, { is: OutcomeUnknownError }],
    ['no answer', { statusCode: undefined }, { is: OutcomeUnknownError }],
  ])(
    'becomes the right gateway error: %s',
    (_, raw, { is, ...more }: { is?: typeof RetryLaterError | typeof StripeRejectedRequestError | typeof OutcomeUnknownError }) => {
      const cause = invalidRequestError(raw)
      const error = gatewayErrorOf(cause) as Error
      expect(error).toBeInstanceOf(is)
      expect(error).toMatchObject({ message: 'No.', cause, ...more })
    },
  )
  test('without a message becomes an error that says that Stripe did not answer', () => {
    const error = new Stripe.errors.StripeConnectionError({ message: '' } as StripeErrorFields)
    expect(gatewayErrorOf(error)).toMatchObject({ message: 'Stripe did not answer.' })
  })
  test('about a card or from other code is returned unchanged', () => {
    for (const error of [
      new Stripe.errors.StripeCardError({ message: 'Declined', statusCode: 402 } as StripeErrorFields),
      new Error('bug'),
      'odd',
    ])
      expect(gatewayErrorOf(error)).toBe(error)
  })
})

test('an expanded and an unexpanded reference give the same id', () => {
  expect(['ch_1', { id: 'ch_1' }, null, undefined].map(stripeIdOf)).toEqual(['ch_1', 'ch_1', null, null])
})

describe('a charge', () => {
  const { charge, findCharge, authenticatePage, outcomeOfIntent, abandon, fetchCharge } = stripeCharges(scripted, 'https://ours.test')
  const wanted = { payment: 'p1', attempt: 'a1', customer: 'cus_1', method: 'pm_1', amount: 1750, key: 'k' }

  test.each<[string, object, object]>([
    ['succeeded', paid, succeeded],
    ['was canceled', intent('canceled'), canceled],
    ['failed', declined, failed],
    ['has not been tried yet', intent('requires_payment_method'), open],
    ['is being processed', intent('processing', { last_payment_error: { code: 'card_declined' } }), open],
  ])('has the right outcome if it %s', async (_, answer, outcome) => {
    answers = { 'paymentIntents.retrieve': [answer] }
    expect(await outcomeOfIntent('pi_1')).toEqual(outcome)
  })
  test('has a known or an unknown outcome, depending on the status of its intent', async () => {
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
    await expect(charge(wanted)).rejects.toThrow(new OutcomeUnknownError('Stripe is still working on pi_1 (processing).'))
    await expect(charge(wanted)).rejects.toThrow(OutcomeUnknownError)
  })
  test.each([
    ['insufficient_funds', 'insufficient-funds'],
    ['expired_card', 'expired-card'],
    ['authentication_required', 'authentication-needed'],
    ['incorrect_zip', 'incorrect-details'],
    ['invalid_expiry_year', 'incorrect-details'],
    ['issuer_not_available', 'processing-error'],
    ['pickup_card', 'declined'],
  ])("declined with %s has the reason %s, even if Stripe's own code differs", async (code, reason) => {
    const said = { message: 'No', statusCode: 402, code: 'processing_error', decline_code: code }
    answers = { 'paymentIntents.create': [new Stripe.errors.StripeCardError(said as StripeErrorFields)] }
    const known = reason !== 'declined'
    expect(await charge(wanted)).toEqual({ outcome: 'failed', reason: known ? reason : 'processing-error', declineCode: code })
    answers = {
      'paymentIntents.create': [new Stripe.errors.StripeCardError({ ...said, code, decline_code: undefined } as StripeErrorFields)],
    }
    expect(await charge(wanted)).toEqual({ outcome: 'failed', reason })
  })

  describe('refused as a wrong request', () => {
    const removed = { outcome: 'failed', reason: 'incorrect-details' }
    const of = (error: Error, ...cards: unknown[]) => {
      answers = { 'paymentIntents.create': [error], ...(cards.length && { 'paymentMethods.retrieve': cards }) }
      return charge(wanted)
    }
    test('has failed if its card has been removed in the meantime', async () => {
      for (const card of [{ customer: null }, { customer: 'cus_2' }, missingResourceError]) {
        expect(await of(invalidRequestError({ param: 'payment_method' }), card)).toEqual(removed)
        expect(await of(invalidRequestError({}), card)).toEqual(removed)
      }
      expect(calls[1]).toEqual(['paymentMethods.retrieve', 'pm_1'])
    })
    test('throws if its card still exists', async () => {
      await expect(of(invalidRequestError({ code: 'odd' }), { customer: { id: 'cus_1' } })).rejects.toMatchObject({ code: 'odd' })
    })
    test('can be retried if Stripe refuses the API key, without looking up the card', async () => {
      await expect(of(invalidApiKeyError)).rejects.toThrow(RetryLaterError)
      expect(calledMethods()).toEqual(['paymentIntents.create'])
    })
    test('throws for another reason without looking up the card', async () => {
      await expect(of(invalidRequestError({ param: 'amount' }))).rejects.toThrow(StripeRejectedRequestError)
      await expect(of(connectionError)).rejects.toThrow(OutcomeUnknownError)
      expect(calledMethods()).toEqual(['paymentIntents.create', 'paymentIntents.create'])
    })
    test('has an unknown outcome if its card cannot be looked up', async () => {
      await expect(of(invalidRequestError({}), connectionError)).rejects.toThrow(OutcomeUnknownError)
      await expect(of(invalidRequestError({}), invalidApiKeyError)).rejects.toThrow(RetryLaterError)
      await expect(of(invalidRequestError({}), invalidRequestError({ code: 'odd' }))).rejects.toMatchObject({ code: 'odd' })
    })
  })

  test("may lead to the bank's page only if the cardholder is present", async () => {
    answers = { 'paymentIntents.create': [paid] }
    await charge(wanted)
    await charge({ ...wanted, returnPath: '/player/folder/f1' })
    const asked = calls.map(([, params]) => params as { off_session: boolean; return_url?: string })
    expect(asked.map(({ off_session, return_url }) => [off_session, return_url])).toEqual([
      [true, undefined],
      [false, 'https://ours.test/player/folder/f1'],
    ])
  })
  test('is found by its attempt; if there are several, a paid one is preferred', async () => {
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

  describe('that the player tries to authenticate again', () => {
    const page = () => authenticatePage({ intent: 'pi_1', method: 'pm_1', returnUrl: 'https://ours.test/', key: 'k' })
    const waiting = intent('requires_action', { next_action: { redirect_to_url: { url: 'https://bank.test/' } } })
    const leads = { outcome: 'page', url: 'https://bank.test/', intent: 'pi_1' }
    test.each(['requires_payment_method', 'requires_confirmation'])('is confirmed if its intent %s', async status => {
      answers = { 'paymentIntents.retrieve': [intent(status)], 'paymentIntents.confirm': [waiting, paid, declined] }
      expect([await page(), await page(), await page()]).toEqual([leads, succeeded, failed])
      expect(calls[1]).toEqual([
        'paymentIntents.confirm',
        'pi_1',
        { payment_method: 'pm_1', return_url: 'https://ours.test/' },
        { idempotencyKey: 'k' },
      ])
    })
    test('is returned or refused if it needs no confirmation', async () => {
      answers = { 'paymentIntents.retrieve': [waiting, paid, intent('processing'), intent('requires_action')] }
      expect([await page(), await page()]).toEqual([leads, succeeded])
      const error = new StripeRejectedRequestError('pi_1 is processing: it cannot be paid.', 'payment_intent_unexpected_state')
      await expect(page()).rejects.toMatchObject({ message: error.message, code: error.code })
      await expect(page()).rejects.toThrow(StripeRejectedRequestError)
    })
    test('has failed if the bank declines or the card was removed', async () => {
      answers = {
        'paymentIntents.retrieve': [intent('requires_payment_method', { customer: { id: 'cus_1' } })],
        'paymentIntents.confirm': [
          new Stripe.errors.StripeCardError({ decline_code: 'lost_card', payment_intent: { id: 'pi_1' } } as unknown as StripeErrorFields),
          invalidRequestError({}),
        ],
        'paymentMethods.retrieve': [missingResourceError],
      }
      expect([await page(), await page()]).toEqual([failed, { outcome: 'failed', reason: 'incorrect-details' }])
    })
  })

  test('is abandoned unless it was paid or has an unknown outcome', async () => {
    answers = { 'paymentIntents.cancel': [{}] }
    expect(await abandon('pi_1', 'k')).toEqual(canceled)
    expect(calls).toEqual([['paymentIntents.cancel', 'pi_1', { cancellation_reason: 'abandoned' }, { idempotencyKey: 'k' }]])
    answers = {
      'paymentIntents.cancel': [invalidRequestError({ code: 'odd' })],
      'paymentIntents.retrieve': [paid, intent('canceled'), intent('processing'), declined],
    }
    expect([await abandon('pi_1', 'k'), await abandon('pi_1', 'k')]).toEqual([succeeded, canceled])
    await expect(abandon('pi_1', 'k')).rejects.toMatchObject({ code: 'odd' })
    await expect(abandon('pi_1', 'k')).rejects.toMatchObject({ code: 'odd' })
    answers = { 'paymentIntents.cancel': [connectionError] }
    await expect(abandon('pi_1', 'k')).rejects.toThrow(OutcomeUnknownError)
  })

  test('that we did not create belongs to no payment', async () => {
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
