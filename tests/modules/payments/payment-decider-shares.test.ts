import { describe, expect, test } from 'vitest'
import { currentShareCentsOf, currentTransfer, type PaymentEvent } from '../../../modules/payments/payment.ts'
import {
  chargebackClosed,
  chargebackOpened,
  givenPaymentEvents,
  PAYMENT_TIME,
  paymentAttempted,
  paymentOpened,
  paymentSucceeded,
  refundAsked,
  transferMade,
  transferReversed,
} from './sample-payment-events.ts'

describe('the share of an instructor', () => {
  const paid = [paymentOpened, paymentAttempted('a1', 300), paymentSucceeded('a1', 300)]
  test('is 80% of the base price and the whole tip once the player has paid', () => {
    expect(currentShareCentsOf(givenPaymentEvents(paymentOpened).state)).toBe(0)
    expect(currentShareCentsOf(givenPaymentEvents(...paid).state)).toBe(1500)
  })
  test('is frozen during a dispute, and reversed if the dispute is lost', () => {
    expect(currentShareCentsOf(givenPaymentEvents(...paid, chargebackOpened).state)).toBe(0)
    expect(currentShareCentsOf(givenPaymentEvents(...paid, transferMade, chargebackOpened).state)).toBe(1500)
    expect(currentShareCentsOf(givenPaymentEvents(...paid, transferMade, chargebackOpened, chargebackClosed('lost')).state)).toBe(0)
    expect(currentShareCentsOf(givenPaymentEvents(...paid, chargebackOpened, chargebackClosed('won')).state)).toBe(1500)
  })
  test('is unchanged after a partial refund, and zero after a full refund', () => {
    expect(currentShareCentsOf(givenPaymentEvents(...paid, refundAsked('r1', 1000)).state)).toBe(1500)
    expect(currentShareCentsOf(givenPaymentEvents(...paid, refundAsked('r1', 1850)).state)).toBe(0)
  })
  test('is restored if the refund that took it back fails', () => {
    const gone: PaymentEvent = { type: 'RefundFailed', data: { refund: 'r1', amount: 1850 } }
    expect(currentShareCentsOf(givenPaymentEvents(...paid, transferMade, refundAsked('r1', 1850), transferReversed(), gone).state)).toBe(
      1500,
    )
    expect(currentShareCentsOf(givenPaymentEvents(...paid, transferMade, refundAsked('r1', 1850), gone, transferReversed()).state)).toBe(
      1500,
    )
    expect(currentShareCentsOf(givenPaymentEvents(...paid, refundAsked('r1', 1000), refundAsked('r2', 850)).state)).toBe(0)
  })
  test('is transferred in part if the rest pays off a debt', () => {
    const part = { transfer: 'tr_1', account: 'acct_1', amount: 1100, at: PAYMENT_TIME }
    const netted: PaymentEvent = { type: 'TransferMade', data: { ...part, netted: 400 } }
    givenPaymentEvents(...paid)
      .when('transferred', part)
      .gives(netted)
    expect(currentShareCentsOf(givenPaymentEvents(...paid, netted, chargebackOpened).state)).toBe(1500)
  })
  test('becomes a debt once if it cannot be reversed, and can then be transferred again', () => {
    const owed: PaymentEvent = { type: 'TransferOwed', data: { transfer: 'tr_1', amount: 1500, at: PAYMENT_TIME } }
    givenPaymentEvents(...paid, transferMade)
      .when('owed', owed.data)
      .gives(owed)
    const { state, when } = givenPaymentEvents(...paid, transferMade, owed)
    expect(state.transfers).toEqual([{ id: 'tr_1', account: 'acct_1', amount: 1500, netted: 0, reversed: true, owed: 1500 }])
    when('owed', owed.data).gives()
    when('reversed', { transfer: 'tr_1', reversal: 'trr_1' }).gives()
    when('transferred', { transfer: 'tr_2', account: 'acct_1', amount: 1500, at: PAYMENT_TIME }).givesLike({ type: 'TransferMade' })
  })
  test('can be transferred, reversed and transferred again, one at a time', () => {
    const transferred = { transfer: 'tr_1', account: 'acct_1', amount: 1500, at: PAYMENT_TIME }
    const second = { ...transferred, transfer: 'tr_2' }
    givenPaymentEvents(...paid)
      .when('transferred', transferred)
      .gives(transferMade)
    givenPaymentEvents(...paid, transferMade)
      .when('transferred', second)
      .gives()
    givenPaymentEvents(...paid, transferMade)
      .when('reversed', { transfer: 'tr_1', reversal: 'trr_1' })
      .gives(transferReversed())
    givenPaymentEvents(...paid, transferMade, transferReversed())
      .when('reversed', { transfer: 'tr_1', reversal: 'trr_2' })
      .gives()
    givenPaymentEvents(...paid)
      .when('reversed', { transfer: 'tr_1', reversal: 'trr_1' })
      .gives()
    givenPaymentEvents(...paid, transferMade, transferReversed())
      .when('transferred', transferred)
      .gives()
    const again: PaymentEvent = { type: 'TransferMade', data: second }
    givenPaymentEvents(...paid, transferMade, transferReversed())
      .when('transferred', second)
      .gives(again)
    const both = givenPaymentEvents(...paid, transferMade, transferReversed(), again)
    expect(currentTransfer(both.state)?.id).toBe('tr_2')
    both.when('reversed', { transfer: 'tr_1', reversal: 'trr_2' }).gives()
    expect(
      currentTransfer(givenPaymentEvents(...paid, transferMade, transferReversed(), again, transferReversed('tr_2')).state),
    ).toBeUndefined()
  })
  test('counts refused transfers, and lists charges that had too little money left', () => {
    const no = (source: string | null): PaymentEvent => ({
      type: 'ShareRefused',
      data: { of: 'transfer', source, code: 'x', at: PAYMENT_TIME },
    })
    givenPaymentEvents(...paid)
      .when('shareRefused', { of: 'transfer', source: 'ch_a1', code: 'x', at: PAYMENT_TIME })
      .gives(no('ch_a1'))
    expect(givenPaymentEvents(...paid, no('ch_a1'), no(null), no('ch_b')).state).toMatchObject({ refusals: 3, drained: ['ch_a1', 'ch_b'] })
  })
})

describe('a chargeback', () => {
  const paid = [paymentOpened, paymentAttempted('a1'), paymentSucceeded('a1')]
  const c = (status: 'open' | 'won' | 'lost', charge = 'ch_a1') => ({ charge, dispute: 'dp_1', amount: 1550, status })
  test('about another charge does not change this payment', () => {
    for (const status of ['open', 'won', 'lost'] as const)
      givenPaymentEvents(...paid)
        .when('dispute', c(status, 'ch_a2'))
        .gives()
  })
  test('opens and closes once, even if only its end is reported', () => {
    givenPaymentEvents(...paid)
      .when('dispute', c('open'))
      .gives(chargebackOpened)
    givenPaymentEvents(...paid, chargebackOpened)
      .when('dispute', c('open'))
      .gives()
    givenPaymentEvents(...paid, chargebackOpened)
      .when('dispute', c('lost'))
      .gives(chargebackClosed('lost'))
    givenPaymentEvents(...paid, chargebackOpened, chargebackClosed('lost'))
      .when('dispute', c('lost'))
      .gives()
    givenPaymentEvents(...paid)
      .when('dispute', c('won'))
      .gives(chargebackOpened, chargebackClosed('won'))
    givenPaymentEvents(paymentOpened).when('dispute', c('open')).gives()
    givenPaymentEvents(...paid, chargebackOpened)
      .when('dispute', c('won'))
      .gives(chargebackClosed('won'))
  })
  test('that was lost may be won later, but one that was won stays won', () => {
    givenPaymentEvents(...paid, chargebackOpened, chargebackClosed('lost'))
      .when('dispute', c('won'))
      .gives(chargebackClosed('won'))
    givenPaymentEvents(...paid, chargebackOpened, chargebackClosed('lost'))
      .when('dispute', c('open'))
      .gives()
    givenPaymentEvents(...paid, chargebackOpened, chargebackClosed('won'))
      .when('dispute', c('lost'))
      .gives()
    givenPaymentEvents(...paid, chargebackOpened, chargebackClosed('won'))
      .when('dispute', c('won'))
      .gives()
    expect(
      currentShareCentsOf(givenPaymentEvents(...paid, chargebackOpened, chargebackClosed('lost'), chargebackClosed('won')).state),
    ).toBe(1200)
  })
  test('holds the share back until every chargeback is closed', () => {
    const second: PaymentEvent = { type: 'ChargebackOpened', data: { dispute: 'dp_2', amount: 500 } }
    expect(currentShareCentsOf(givenPaymentEvents(...paid, chargebackOpened, second, chargebackClosed('won')).state)).toBe(0)
    expect(
      currentShareCentsOf(
        givenPaymentEvents(...paid, chargebackOpened, second, chargebackClosed('won'), chargebackClosed('won', 'dp_2')).state,
      ),
    ).toBe(1200)
    expect(
      currentShareCentsOf(
        givenPaymentEvents(...paid, transferMade, chargebackOpened, chargebackClosed('lost'), second, chargebackClosed('won', 'dp_2'))
          .state,
      ),
    ).toBe(0)
  })
})
