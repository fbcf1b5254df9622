import { describe, expect, test } from 'vitest'
import { type PaymentEvent, refundedOrPendingCents } from '../../../modules/payments/payment.ts'
import {
  chargebackClosed,
  chargebackOpened,
  givenPaymentEvents,
  paymentAttempted,
  paymentOpened,
  paymentParties,
  paymentSucceeded,
  refundAsked,
} from './sample-payment-events.ts'

describe('a refund', () => {
  const paid = [paymentOpened, paymentAttempted('a1'), paymentSucceeded('a1')]
  const c = (refund: string, amount: number) => ({ refund, amount, reason: 'Wrong folder' })
  test('is requested once and paid once', () => {
    givenPaymentEvents(...paid)
      .when('refund', c('r1', 500))
      .gives(refundAsked('r1', 500))
    givenPaymentEvents(...paid, refundAsked('r1', 500))
      .when('refund', c('r1', 500))
      .gives()
    expect(givenPaymentEvents(...paid, refundAsked('r1', 500)).when('refund', c('r1', 700)).decide).toThrow(
      'This request already refunded $5.00',
    )
    const done: PaymentEvent = { type: 'PaymentRefunded', data: { ...paymentParties, refund: 'r1', amount: 500, reason: 'Wrong folder' } }
    givenPaymentEvents(...paid, refundAsked('r1', 500))
      .when('refunded', { refund: 'r1' })
      .gives(done)
    givenPaymentEvents(...paid, refundAsked('r1', 500), done)
      .when('refunded', { refund: 'r1' })
      .gives()
  })
  test('never exceeds what was paid, counting pending refunds but not failed ones', () => {
    expect(givenPaymentEvents(...paid, refundAsked('r1', 500)).when('refund', c('r2', 1051)).decide).toThrow('at most $10.50')
    const gone: PaymentEvent = { type: 'RefundFailed', data: { refund: 'r1', amount: 500 } }
    givenPaymentEvents(...paid, refundAsked('r1', 500))
      .when('refundFailed', { refund: 'r1' })
      .gives(gone)
    expect(refundedOrPendingCents(givenPaymentEvents(...paid, refundAsked('r1', 500), gone).state)).toBe(0)
    givenPaymentEvents(...paid, refundAsked('r1', 500), gone)
      .when('refundFailed', { refund: 'r1' })
      .gives()
    givenPaymentEvents(...paid)
      .when('refundFailed', { refund: 'r9' })
      .gives()
    givenPaymentEvents(...paid)
      .when('refunded', { refund: 'r9' })
      .gives()
    expect(refundedOrPendingCents(givenPaymentEvents(...paid, refundAsked('r1', 500), refundAsked('r2', 300), gone).state)).toBe(300)
    givenPaymentEvents(...paid, refundAsked('r1', 500), gone)
      .when('refund', c('r2', 1550))
      .gives(refundAsked('r2', 1550))
  })
  test('requires a payment without an open or lost dispute', () => {
    expect(givenPaymentEvents(paymentOpened).when('refund', c('r1', 1)).decide).toThrow('not paid yet')
    expect(givenPaymentEvents(...paid, chargebackOpened).when('refund', c('r1', 1)).decide).toThrow('The bank is reviewing a dispute')
    expect(givenPaymentEvents(...paid, chargebackOpened, chargebackClosed('lost')).when('refund', c('r1', 1)).decide).toThrow(
      'has already returned this payment',
    )
    givenPaymentEvents(...paid, chargebackOpened, chargebackClosed('won'))
      .when('refund', c('r1', 1))
      .gives(refundAsked('r1', 1))
  })
  test('may be the third of a payment, up to the amount that the first two have left', () => {
    const p = givenPaymentEvents(...paid, refundAsked('r1', 500), refundAsked('r2', 300))
    expect(refundedOrPendingCents(p.state)).toBe(800)
    expect(p.when('refund', c('r3', 751)).decide).toThrow('at most $7.50')
    p.when('refund', c('r3', 750)).gives(refundAsked('r3', 750))
  })

  const there = (id: string, amount: number, status: 'pending' | 'succeeded' | 'failed', ours: string | null = null) => ({
    id,
    ours,
    amount,
    status,
  })
  const seen = (...refunds: ReturnType<typeof there>[]) => ({ charge: 'ch_a1', refunds })
  const done = (refund: string, amount: number, reason = 'Wrong folder'): PaymentEvent => ({
    type: 'PaymentRefunded',
    data: { ...paymentParties, refund, amount, reason },
  })
  const gone = (refund: string, amount: number): PaymentEvent => ({ type: 'RefundFailed', data: { refund, amount } })
  const outside = (refund: string, amount: number): PaymentEvent => ({
    type: 'RefundAsked',
    data: { refund, amount, reason: 'Refunded at the payment provider' },
  })
  test('follows its status at the provider', () => {
    const two = givenPaymentEvents(...paid, refundAsked('r1', 500), refundAsked('r2', 300))
    two.when('reconcile', seen(there('re_1', 500, 'pending', 'r1'), there('re_2', 300, 'succeeded', 'r2'))).gives(done('r2', 300))
    two.when('reconcile', seen(there('re_1', 500, 'failed', 'r1'), there('re_2', 300, 'pending', 'r2'))).gives(gone('r1', 500))
    const after = givenPaymentEvents(...paid, refundAsked('r1', 500), done('r1', 500))
    after.when('reconcile', seen(there('re_1', 500, 'succeeded', 'r1'))).gives()
    after.when('reconcile', seen(there('re_1', 500, 'failed', 'r1'))).gives(gone('r1', 500))
    givenPaymentEvents(...paid, refundAsked('r1', 500), gone('r1', 500))
      .when('reconcile', seen(there('re_1', 500, 'failed', 'r1')))
      .gives()
  })
  test("made in the provider's dashboard is recorded once, separately from others", () => {
    const p = givenPaymentEvents(...paid, refundAsked('r1', 500))
    const news = p
      .when('reconcile', seen(there('re_1', 500, 'succeeded', 'r1'), there('re_2', 200, 'succeeded'), there('re_3', 100, 'pending')))
      .decide()
    const reason = 'Refunded at the payment provider'
    expect(news).toEqual([done('r1', 500), outside('re_2', 200), done('re_2', 200, reason), outside('re_3', 100)])
    const after = givenPaymentEvents(...paid, refundAsked('r1', 500), ...news)
    expect(refundedOrPendingCents(after.state)).toBe(800)
    after.when('reconcile', seen(there('re_2', 200, 'succeeded'), there('re_3', 100, 'succeeded'))).gives(done('re_3', 100, reason))
    p.when('reconcile', seen(there('re_2', 200, 'failed'))).gives()
    givenPaymentEvents(...paid)
      .when('reconcile', { charge: 'ch_other', refunds: [there('re_2', 200, 'succeeded')] })
      .gives()
    givenPaymentEvents(paymentOpened)
      .when('reconcile', seen(there('re_2', 200, 'succeeded')))
      .gives()
  })
  test('that an earlier version recorded as a sum is not recorded again', () => {
    const p = givenPaymentEvents(...paid, outside('ch_a1-700', 700), done('ch_a1-700', 700))
    const both = seen(there('re_1', 300, 'succeeded'), there('re_2', 400, 'succeeded'))
    p.when('reconcile', both).gives()
    p.when('reconcile', seen(...both.refunds, there('re_3', 100, 'pending'))).gives(outside('re_3', 100))
  })
})
