import { describe, expect, test } from 'vitest'
import { fold } from '../../../modules/kernel/decider.ts'
import { type Payment, type PaymentEvent, payment, refunded, shareOf } from '../../../modules/payments/payment.ts'

const parties = { folder: 'f1', player: 'p1', instructor: 'i1' }
const at = '2026-03-01T12:00:00.000Z'
const card = { id: 'pm_1', brand: 'visa', last4: '4242' }
const bill = {
  ...parties,
  items: [
    { label: 'Feedback session', cents: 1500 },
    { label: 'Media Service Fee: 1 video', cents: 50 },
  ],
  total: 1550,
  share: 1200,
  opened: at,
  due: '2026-03-08T12:00:00.000Z',
}
const opened: PaymentEvent = { type: 'PaymentOpened', data: bill }
const attempted = (attempt: string, tip = 0): PaymentEvent => ({
  type: 'PaymentAttempted',
  data: { attempt, customer: 'cus_1', card, amount: 1550 + tip, tip, by: 'player', at },
})
const failed = (
  attempt: string,
  reason: 'declined' | 'authentication-needed' = 'declined',
  intent: string | null = null,
): PaymentEvent => ({
  type: 'PaymentFailed',
  data: { ...parties, attempt, reason, intent, by: 'player' },
})
const succeeded = (attempt: string, tip = 0): PaymentEvent => ({
  type: 'PaymentSucceeded',
  data: { ...parties, attempt, intent: `pi_${attempt}`, charge: `ch_${attempt}`, amount: 1550 + tip, tip, at },
})
const made: PaymentEvent = { type: 'TransferMade', data: { transfer: 'tr_1', account: 'acct_1', amount: 1200, at } }
const asked = (refund: string, amount: number): PaymentEvent => ({ type: 'RefundAsked', data: { refund, amount, reason: 'Wrong folder' } })
const disputed: PaymentEvent = { type: 'ChargebackOpened', data: { dispute: 'dp_1', amount: 1550 } }
const closed = (outcome: 'won' | 'lost'): PaymentEvent => ({ type: 'ChargebackClosed', data: { dispute: 'dp_1', outcome } })

const given = (...events: PaymentEvent[]): Payment => fold(payment, events as { type: string; data: unknown }[])
const attempt = (id: string, more = {}) => ({ id, customer: 'cus_1', card, tip: 0, by: 'player' as const, at, total: 1550, ...more })
const success = (id: string) => ({ attempt: id, intent: `pi_${id}`, charge: `ch_${id}`, amount: 1550, at })
const { decide } = payment

describe('agreeing', () => {
  test('binds an assignment to one folder', () => {
    expect(decide.agree(given(), parties)).toEqual({ type: 'PaymentAgreed', data: parties })
    expect(decide.agree(given({ type: 'PaymentAgreed', data: parties }), parties)).toEqual([])
  })
  test('refuses the same assignment for another folder, even when nothing but the bill is known', () => {
    const other = { ...parties, folder: 'f2' }
    expect(() => decide.agree(given({ type: 'PaymentAgreed', data: parties }), other)).toThrow('assigned before')
    expect(() => decide.agree(given(opened), other)).toThrow('assigned before')
  })
})

describe('opening', () => {
  test('fixes the bill, once', () => {
    expect(decide.open(given(), bill)).toEqual(opened)
    expect(decide.open(given(opened), { ...bill, total: 1 })).toEqual([])
  })
})

describe('an attempt', () => {
  test('charges the price and the tip to the card named', () => {
    expect(decide.attempt(given(opened), attempt('a1', { tip: 300 }))).toEqual(attempted('a1', 300))
  })
  test('is refused when the price is not the one that was seen', () => {
    expect(() => decide.attempt(given(opened), attempt('a1', { total: 1500 }))).toThrow('The price is $15.50 now')
  })
  test('is refused while another is under way, and after it was paid', () => {
    expect(() => decide.attempt(given(opened, attempted('a1')), attempt('a2'))).toThrow('already under way')
    expect(() => decide.attempt(given(opened, attempted('a1'), succeeded('a1')), attempt('a2'))).toThrow('already paid')
  })
  test('is refused before there is a bill', () => {
    expect(() => decide.attempt(given(), attempt('a1'))).toThrow('nothing to pay')
  })
  test('may follow a failed one, and is the same one when it is repeated', () => {
    expect(decide.attempt(given(opened, attempted('a1'), failed('a1')), attempt('a2'))).toEqual(attempted('a2'))
    expect(decide.attempt(given(opened, attempted('a1'), failed('a1')), attempt('a1'))).toEqual([])
  })
})

describe('the outcome', () => {
  test('is one success with the tip that was agreed on', () => {
    expect(decide.succeed(given(opened, attempted('a1', 300)), { ...success('a1'), amount: 1850 })).toEqual(succeeded('a1', 300))
  })
  test('is said once, whoever says it first', () => {
    const paid = given(opened, attempted('a1'), succeeded('a1'))
    expect(decide.succeed(paid, success('a1'))).toEqual([])
    expect(decide.fail(paid, { attempt: 'a1', reason: 'declined' })).toEqual([])
    expect(decide.fail(given(opened, attempted('a1'), failed('a1')), { attempt: 'a1', reason: 'declined' })).toEqual([])
  })
  test('of an earlier attempt still counts when nothing else was paid', () => {
    const p = given(opened, attempted('a1'), failed('a1'), attempted('a2'))
    expect(decide.succeed(p, success('a1'))).toEqual(succeeded('a1'))
    expect(decide.fail(p, { attempt: 'a1', reason: 'declined' })).toEqual([])
  })
  test('of a second charge is that it goes back', () => {
    const p = given(opened, attempted('a1'), failed('a1'), attempted('a2'), succeeded('a2'))
    const doubled: PaymentEvent = { type: 'ChargeDoubled', data: { attempt: 'a1', intent: 'pi_a1', charge: 'ch_a1', amount: 1550 } }
    const returned: PaymentEvent = { type: 'DoubledChargeReturned', data: { charge: 'ch_a1' } }
    expect(decide.succeed(p, success('a1'))).toEqual(doubled)
    const after = given(opened, attempted('a1'), failed('a1'), attempted('a2'), succeeded('a2'), doubled)
    expect(decide.succeed(after, success('a1'))).toEqual([])
    expect(decide.returned(after, { charge: 'ch_a1' })).toEqual(returned)
    expect(decide.returned(given(opened, attempted('a1'), succeeded('a1')), { charge: 'ch_a1' })).toEqual([])
  })
  test('of an attempt nobody made is refused', () => {
    expect(() => decide.succeed(given(opened), success('a9'))).toThrow('knows nothing of that attempt')
  })
  test('that wants authentication keeps its intent until it is abandoned or paid', () => {
    const events = [opened, attempted('a1'), failed('a1', 'authentication-needed', 'pi_a1')]
    expect(given(...events).open).toEqual({ a1: 'pi_a1' })
    expect(decide.abandoned(given(...events), { attempt: 'a1' })).toEqual({ type: 'AttemptAbandoned', data: { attempt: 'a1' } })
    expect(given(...events, { type: 'AttemptAbandoned', data: { attempt: 'a1' } }).open).toEqual({})
    expect(given(...events, succeeded('a1')).open).toEqual({})
    expect(given(opened, attempted('a1'), failed('a1', 'declined', 'pi_a1')).open).toEqual({})
  })
})

describe('the share', () => {
  const paid = [opened, attempted('a1', 300), succeeded('a1', 300)]
  test('is 80% of the base and the whole tip, once it is paid', () => {
    expect(shareOf(given(opened))).toBe(0)
    expect(shareOf(given(...paid))).toBe(1500)
  })
  test('waits while the bank decides, stays where it is, and goes back when it is lost', () => {
    expect(shareOf(given(...paid, disputed))).toBe(0)
    expect(shareOf(given(...paid, made, disputed))).toBe(1200)
    expect(shareOf(given(...paid, made, disputed, closed('lost')))).toBe(0)
    expect(shareOf(given(...paid, disputed, closed('won')))).toBe(1500)
  })
  test('is not touched by a partial refund, and gone with a whole one', () => {
    expect(shareOf(given(...paid, asked('r1', 1000)))).toBe(1500)
    expect(shareOf(given(...paid, asked('r1', 1850)))).toBe(0)
  })
  test('is transferred once and reversed once', () => {
    const transferred = { transfer: 'tr_1', account: 'acct_1', amount: 1200, at }
    expect(decide.transferred(given(...paid), transferred)).toEqual(made)
    expect(decide.transferred(given(...paid, made), { ...transferred, transfer: 'tr_2' })).toEqual([])
    const reversed: PaymentEvent = { type: 'TransferReversed', data: { transfer: 'tr_1', reversal: 'trr_1', amount: 1200 } }
    expect(decide.reversed(given(...paid, made), { reversal: 'trr_1' })).toEqual(reversed)
    expect(decide.reversed(given(...paid, made, reversed), { reversal: 'trr_2' })).toEqual([])
    expect(decide.reversed(given(...paid), { reversal: 'trr_1' })).toEqual([])
  })
})

describe('a refund', () => {
  const paid = [opened, attempted('a1'), succeeded('a1')]
  const c = (refund: string, amount: number) => ({ refund, amount, reason: 'Wrong folder' })
  test('is asked for once, and done once', () => {
    expect(decide.refund(given(...paid), c('r1', 500))).toEqual(asked('r1', 500))
    expect(decide.refund(given(...paid, asked('r1', 500)), c('r1', 500))).toEqual([])
    expect(() => decide.refund(given(...paid, asked('r1', 500)), c('r1', 700))).toThrow('$5.00 went back with this request before')
    const done: PaymentEvent = { type: 'PaymentRefunded', data: { ...parties, refund: 'r1', amount: 500, reason: 'Wrong folder' } }
    expect(decide.refunded(given(...paid, asked('r1', 500)), { refund: 'r1' })).toEqual(done)
    expect(decide.refunded(given(...paid, asked('r1', 500), done), { refund: 'r1' })).toEqual([])
  })
  test('never exceeds what was paid, counting those on their way but not those that failed', () => {
    expect(() => decide.refund(given(...paid, asked('r1', 500)), c('r2', 1051))).toThrow('At most $10.50')
    const gone: PaymentEvent = { type: 'RefundFailed', data: { refund: 'r1', amount: 500 } }
    expect(decide.refundFailed(given(...paid, asked('r1', 500)), { refund: 'r1' })).toEqual(gone)
    expect(refunded(given(...paid, asked('r1', 500), gone))).toBe(0)
    expect(decide.refundFailed(given(...paid, asked('r1', 500), gone), { refund: 'r1' })).toEqual([])
    expect(decide.refundFailed(given(...paid), { refund: 'r9' })).toEqual([])
    expect(decide.refund(given(...paid, asked('r1', 500), gone), c('r2', 1550))).toEqual(asked('r2', 1550))
  })
  test('needs a payment, and no dispute about it', () => {
    expect(() => decide.refund(given(opened), c('r1', 1))).toThrow('not paid yet')
    expect(() => decide.refund(given(...paid, disputed), c('r1', 1))).toThrow('The bank decides')
  })
  test("made at the provider's own desk is noted, and ours is not noted twice", () => {
    expect(decide.refundedOutside(given(...paid, asked('r1', 500)), { charge: 'ch_a1', amount: 500 })).toEqual([])
    expect(decide.refundedOutside(given(...paid, asked('r1', 500)), { charge: 'ch_a1', amount: 700 })).toMatchObject([
      { type: 'RefundAsked', data: { amount: 200 } },
      { type: 'PaymentRefunded', data: { amount: 200 } },
    ])
    expect(decide.refundedOutside(given(...paid), { charge: 'ch_other', amount: 700 })).toEqual([])
  })
})

describe('a chargeback', () => {
  const paid = [opened, attempted('a1'), succeeded('a1')]
  const c = (status: 'open' | 'won' | 'lost') => ({ dispute: 'dp_1', amount: 1550, status })
  test('opens and closes once, also when only its end is heard of', () => {
    expect(decide.dispute(given(...paid), c('open'))).toEqual([disputed])
    expect(decide.dispute(given(...paid, disputed), c('open'))).toEqual([])
    expect(decide.dispute(given(...paid, disputed), c('lost'))).toEqual([closed('lost')])
    expect(decide.dispute(given(...paid, disputed, closed('lost')), c('lost'))).toEqual([])
    expect(decide.dispute(given(...paid), c('won'))).toEqual([disputed, closed('won')])
    expect(decide.dispute(given(opened), c('open'))).toEqual([])
  })
})
