import { describe, expect, test } from 'vitest'
import type { PaymentEvent } from '../../../modules/payments/payment.ts'
import {
  attemptCommand,
  chargebackClosed,
  chargebackOpened,
  givenPaymentEvents,
  paymentAttempted,
  paymentFailed,
  paymentOpened,
  paymentParties,
  paymentSucceeded,
  refundAsked,
  sampleBill,
  succeedCommand,
} from './sample-payment-events.ts'

describe('the decision to agree to a payment', () => {
  test('binds an assignment to its folder', () => {
    givenPaymentEvents().when('agree', paymentParties).gives({ type: 'PaymentAgreed', data: paymentParties })
    givenPaymentEvents({ type: 'PaymentAgreed', data: paymentParties }).when('agree', paymentParties).gives()
  })
  test('refuses an assignment agreed or billed for another folder, player or instructor', () => {
    const other = { ...paymentParties, folder: 'f2' }
    expect(givenPaymentEvents({ type: 'PaymentAgreed', data: paymentParties }).when('agree', other).decide).toThrow('already assigned')
    for (const changed of [other, { ...paymentParties, player: 'p2' }, { ...paymentParties, instructor: 'i2' }])
      givenPaymentEvents(paymentOpened).when('agree', changed).refuses('assigned-before')
  })
})

describe('the decision to open a bill', () => {
  test('fixes the bill once', () => {
    givenPaymentEvents().when('open', sampleBill).gives(paymentOpened)
    givenPaymentEvents(paymentOpened)
      .when('open', { ...sampleBill, total: 1 })
      .gives()
  })
})

test('the status of a payment follows its attempts', () => {
  const of = (...events: PaymentEvent[]) => givenPaymentEvents(...events).state.status
  expect([
    of(),
    of(paymentOpened),
    of(paymentOpened, paymentAttempted('a1')),
    of(paymentOpened, paymentAttempted('a1'), paymentFailed('a1')),
  ]).toEqual([...['none', 'due', 'processing', 'failed']])
})

test('each refusal has its own code', () => {
  const paid = givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentSucceeded('a1'))
  const refund = (p: ReturnType<typeof givenPaymentEvents>, amount = 500) =>
    p.when('refund', { refund: 'r1', amount, reason: 'Wrong folder' })
  givenPaymentEvents().when('attempt', attemptCommand('a1')).refuses('not-open')
  paid.when('attempt', attemptCommand('a2')).refuses('already-paid')
  givenPaymentEvents(paymentOpened, paymentAttempted('a1')).when('attempt', attemptCommand('a2')).refuses('in-progress')
  givenPaymentEvents(paymentOpened)
    .when('attempt', attemptCommand('a1', { total: 1 }))
    .refuses('price-changed', 'total')
  givenPaymentEvents(paymentOpened).when('succeed', succeedCommand('a9')).refuses('unknown-attempt')
  refund(givenPaymentEvents(paymentOpened)).refuses('not-paid')
  refund(paid, 1551).refuses('too-much', 'cents')
  const before = givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentSucceeded('a1'), refundAsked('r1', 500))
  refund(before).gives()
  refund(before, 501).refuses('refund-asked')
  before.when('refund', { refund: 'r1', amount: 500, reason: 'Another' }).refuses('refund-asked')
  for (const events of [[chargebackOpened], [chargebackOpened, chargebackClosed('lost')]])
    refund(givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentSucceeded('a1'), ...events)).refuses('disputed')
})

describe('an attempt', () => {
  test('charges the price and the tip to the chosen card', () => {
    givenPaymentEvents(paymentOpened)
      .when('attempt', attemptCommand('a1', { tip: 300 }))
      .gives(paymentAttempted('a1', 300))
  })
  test('is refused if the price differs from the one shown', () => {
    expect(givenPaymentEvents(paymentOpened).when('attempt', attemptCommand('a1', { total: 1500 })).decide).toThrow(
      'The price is now $15.50',
    )
  })
  test('is refused while another attempt is running and after the payment', () => {
    expect(givenPaymentEvents(paymentOpened, paymentAttempted('a1')).when('attempt', attemptCommand('a2')).decide).toThrow(
      'already under way',
    )
    expect(
      givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentSucceeded('a1')).when('attempt', attemptCommand('a2')).decide,
    ).toThrow('already paid')
  })
  test('is refused if there is no bill yet', () => {
    expect(givenPaymentEvents().when('attempt', attemptCommand('a1')).decide).toThrow('nothing to pay')
  })
  test('may follow a failed attempt, and repeating it gives the same attempt', () => {
    givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentFailed('a1'))
      .when('attempt', attemptCommand('a2'))
      .gives(paymentAttempted('a2'))
    givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentFailed('a1')).when('attempt', attemptCommand('a1')).gives()
  })
})

describe('the outcome of an attempt', () => {
  test('is recorded as a success with the tip of the attempt', () => {
    givenPaymentEvents(paymentOpened, paymentAttempted('a1', 300))
      .when('succeed', { ...succeedCommand('a1'), amount: 1850 })
      .gives(paymentSucceeded('a1', 300))
  })
  test('is recorded once, whether the request or the webhook reports it first', () => {
    const paid = givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentSucceeded('a1'))
    paid.when('succeed', succeedCommand('a1')).gives()
    paid.when('fail', { attempt: 'a1', reason: 'declined' }).gives()
    givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentFailed('a1'))
      .when('fail', { attempt: 'a1', reason: 'declined' })
      .gives()
  })
  test('counts for an earlier attempt if no other attempt has paid', () => {
    const p = givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentFailed('a1'), paymentAttempted('a2'))
    p.when('succeed', succeedCommand('a1')).gives(paymentSucceeded('a1'))
    p.when('fail', { attempt: 'a1', reason: 'declined' }).gives()
  })
  test('leads to a refund if it is a second charge', () => {
    const p = givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentFailed('a1'), paymentAttempted('a2'), paymentSucceeded('a2'))
    const doubled: PaymentEvent = { type: 'ChargeDoubled', data: { attempt: 'a1', intent: 'pi_a1', charge: 'ch_a1', amount: 1550 } }
    const returned: PaymentEvent = { type: 'DoubledChargeReturned', data: { charge: 'ch_a1' } }
    p.when('succeed', succeedCommand('a1')).gives(doubled)
    const after = givenPaymentEvents(
      paymentOpened,
      paymentAttempted('a1'),
      paymentFailed('a1'),
      paymentAttempted('a2'),
      paymentSucceeded('a2'),
      doubled,
    )
    after.when('succeed', succeedCommand('a1')).gives()
    after.when('returned', { charge: 'ch_a1' }).gives(returned)
    givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentSucceeded('a1')).when('returned', { charge: 'ch_a1' }).gives()
  })
  test('may be a failure, with the intent if the owner can still authenticate', () => {
    const p = givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentFailed('a1'), paymentAttempted('a2'))
    p.when('fail', { attempt: 'a2', reason: 'declined' }).gives(paymentFailed('a2'))
    p.when('fail', { attempt: 'a2', reason: 'authentication-needed', intent: 'pi_2' }).gives(
      paymentFailed('a2', 'authentication-needed', 'pi_2'),
    )
    givenPaymentEvents(paymentOpened).when('fail', { attempt: 'a1', reason: 'declined' }).gives()
  })
  test('leads to a refund of each of two extra charges', () => {
    const doubled = (attempt: string): PaymentEvent => ({
      type: 'ChargeDoubled',
      data: { attempt, intent: `pi_${attempt}`, charge: `ch_${attempt}`, amount: 1550 },
    })
    const events = [
      paymentOpened,
      paymentAttempted('a1'),
      paymentFailed('a1'),
      paymentAttempted('a2'),
      paymentFailed('a2'),
      paymentAttempted('a3'),
      paymentSucceeded('a3'),
    ]
    const p = givenPaymentEvents(...events, doubled('a1'), doubled('a2'), { type: 'DoubledChargeReturned', data: { charge: 'ch_a1' } })
    expect(p.state.doubled).toEqual({ ch_a1: 'returned', ch_a2: 'kept' })
    p.when('returned', { charge: 'ch_a1' }).gives()
    p.when('succeed', succeedCommand('a1')).gives()
    expect(p.state.paid).toMatchObject({ attempt: 'a3' })
  })
  test('is refused for an unknown attempt', () => {
    expect(givenPaymentEvents(paymentOpened).when('succeed', succeedCommand('a9')).decide).toThrow('could not find that attempt')
  })
  test('keeps an intent open for authentication until it is abandoned or paid', () => {
    const events = [paymentOpened, paymentAttempted('a1'), paymentFailed('a1', 'authentication-needed', 'pi_a1')]
    expect(givenPaymentEvents(...events).state.open).toEqual({ a1: 'pi_a1' })
    givenPaymentEvents(...events)
      .when('abandoned', { attempt: 'a1' })
      .gives({ type: 'AttemptAbandoned', data: { attempt: 'a1' } })
    givenPaymentEvents(...events)
      .when('abandoned', { attempt: 'a2' })
      .gives()
    expect(givenPaymentEvents(...events, { type: 'AttemptAbandoned', data: { attempt: 'a1' } }).state.open).toEqual({})
    expect(givenPaymentEvents(...events, paymentSucceeded('a1')).state.open).toEqual({})
    expect(givenPaymentEvents(paymentOpened, paymentAttempted('a1'), paymentFailed('a1', 'declined', 'pi_a1')).state.open).toEqual({})
    const two = [...events, paymentAttempted('a2'), paymentFailed('a2', 'authentication-needed', 'pi_a2')]
    expect(givenPaymentEvents(...two).state.open).toEqual({ a1: 'pi_a1', a2: 'pi_a2' })
    expect(givenPaymentEvents(...two, { type: 'AttemptAbandoned', data: { attempt: 'a1' } }).state.open).toEqual({ a2: 'pi_a2' })
    expect(givenPaymentEvents(...two, paymentSucceeded('a2')).state.open).toEqual({ a1: 'pi_a1' })
  })
})
