import { describe, expect, test } from 'vitest'
import { fold } from '../../../modules/kernel/decider.ts'
import { type Payment, type PaymentEvent, payment, refunded, shareOf, standing } from '../../../modules/payments/payment.ts'
import { refusal } from '../../support/refusal.ts'

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
const reversed = (transfer = 'tr_1'): PaymentEvent => ({ type: 'TransferReversed', data: { transfer, reversal: 'trr_1', amount: 1200 } })
const asked = (refund: string, amount: number): PaymentEvent => ({ type: 'RefundAsked', data: { refund, amount, reason: 'Wrong folder' } })
const disputed: PaymentEvent = { type: 'ChargebackOpened', data: { dispute: 'dp_1', amount: 1550 } }
const closed = (outcome: 'won' | 'lost', dispute = 'dp_1'): PaymentEvent => ({ type: 'ChargebackClosed', data: { dispute, outcome } })

const given = (...events: PaymentEvent[]): Payment => fold(payment, events as { type: string; data: unknown }[])
const attempt = (id: string, more = {}) => ({ id, customer: 'cus_1', card, tip: 0, by: 'player' as const, at, total: 1550, ...more })
const success = (id: string) => ({ attempt: id, intent: `pi_${id}`, charge: `ch_${id}`, amount: 1550, at })
const { decide } = payment

describe('agreeing', () => {
  test('binds an assignment to one folder', () => {
    expect(decide.agree(given(), parties)).toEqual({ type: 'PaymentAgreed', data: parties })
    expect(decide.agree(given({ type: 'PaymentAgreed', data: parties }), parties)).toEqual([])
  })
  test('refuses the same assignment for another folder, even if only the bill is known', () => {
    const other = { ...parties, folder: 'f2' }
    expect(() => decide.agree(given({ type: 'PaymentAgreed', data: parties }), other)).toThrow('assigned before')
    for (const changed of [other, { ...parties, player: 'p2' }, { ...parties, instructor: 'i2' }])
      expect(refusal(() => decide.agree(given(opened), changed))).toEqual({ code: 'assigned-before' })
  })
})

describe('opening', () => {
  test('fixes the bill, once', () => {
    expect(decide.open(given(), bill)).toEqual(opened)
    expect(decide.open(given(opened), { ...bill, total: 1 })).toEqual([])
  })
})

test('a payment says where it stands', () => {
  const of = (...events: PaymentEvent[]) => given(...events).status
  expect([of(), of(opened), of(opened, attempted('a1')), of(opened, attempted('a1'), failed('a1'))]).toEqual([
    ...['none', 'due', 'processing', 'failed'],
  ])
})

test('each refusal has its name', () => {
  const paid = given(opened, attempted('a1'), succeeded('a1'))
  const refund = (p: Payment, amount = 500) => refusal(() => decide.refund(p, { refund: 'r1', amount, reason: 'Wrong folder' }))
  expect(refusal(() => decide.attempt(given(), attempt('a1')))).toEqual({ code: 'not-open' })
  expect(refusal(() => decide.attempt(paid, attempt('a2')))).toEqual({ code: 'already-paid' })
  expect(refusal(() => decide.attempt(given(opened, attempted('a1')), attempt('a2')))).toEqual({ code: 'in-progress' })
  expect(refusal(() => decide.attempt(given(opened), attempt('a1', { total: 1 })))).toEqual({ code: 'price-changed', field: 'total' })
  expect(refusal(() => decide.succeed(given(opened), success('a9')))).toEqual({ code: 'unknown-attempt' })
  expect(refund(given(opened))).toEqual({ code: 'not-paid' })
  expect(refund(paid, 1551)).toEqual({ code: 'too-much', field: 'cents' })
  const before = given(opened, attempted('a1'), succeeded('a1'), asked('r1', 500))
  expect([refund(before), refund(before, 501)]).toEqual([undefined, { code: 'refund-asked' }])
  expect(refusal(() => decide.refund(before, { refund: 'r1', amount: 500, reason: 'Another' }))).toEqual({ code: 'refund-asked' })
  for (const events of [[disputed], [disputed, closed('lost')]])
    expect(refund(given(opened, attempted('a1'), succeeded('a1'), ...events))).toEqual({ code: 'disputed' })
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
  test('of the attempt under way may be failure, with an intent that can still be paid', () => {
    const p = given(opened, attempted('a1'), failed('a1'), attempted('a2'))
    expect(decide.fail(p, { attempt: 'a2', reason: 'declined' })).toEqual(failed('a2'))
    expect(decide.fail(p, { attempt: 'a2', reason: 'authentication-needed', intent: 'pi_2' })).toEqual(
      failed('a2', 'authentication-needed', 'pi_2'),
    )
    expect(decide.fail(given(opened), { attempt: 'a1', reason: 'declined' })).toEqual([])
  })
  test('of two charges too many: each goes back by itself', () => {
    const doubled = (attempt: string): PaymentEvent => ({
      type: 'ChargeDoubled',
      data: { attempt, intent: `pi_${attempt}`, charge: `ch_${attempt}`, amount: 1550 },
    })
    const events = [opened, attempted('a1'), failed('a1'), attempted('a2'), failed('a2'), attempted('a3'), succeeded('a3')]
    const p = given(...events, doubled('a1'), doubled('a2'), { type: 'DoubledChargeReturned', data: { charge: 'ch_a1' } })
    expect(p.doubled).toEqual({ ch_a1: 'returned', ch_a2: 'kept' })
    expect([decide.returned(p, { charge: 'ch_a1' }), decide.succeed(p, success('a1'))]).toEqual([[], []])
    expect(p.paid).toMatchObject({ attempt: 'a3' })
  })
  test('of an attempt nobody made is refused', () => {
    expect(() => decide.succeed(given(opened), success('a9'))).toThrow('knows nothing of that attempt')
  })
  test('that wants authentication keeps its intent until it is abandoned or paid', () => {
    const events = [opened, attempted('a1'), failed('a1', 'authentication-needed', 'pi_a1')]
    expect(given(...events).open).toEqual({ a1: 'pi_a1' })
    expect(decide.abandoned(given(...events), { attempt: 'a1' })).toEqual({ type: 'AttemptAbandoned', data: { attempt: 'a1' } })
    expect(decide.abandoned(given(...events), { attempt: 'a2' })).toEqual([])
    expect(given(...events, { type: 'AttemptAbandoned', data: { attempt: 'a1' } }).open).toEqual({})
    expect(given(...events, succeeded('a1')).open).toEqual({})
    expect(given(opened, attempted('a1'), failed('a1', 'declined', 'pi_a1')).open).toEqual({})
    const two = [...events, attempted('a2'), failed('a2', 'authentication-needed', 'pi_a2')]
    expect(given(...two).open).toEqual({ a1: 'pi_a1', a2: 'pi_a2' })
    expect(given(...two, { type: 'AttemptAbandoned', data: { attempt: 'a1' } }).open).toEqual({ a2: 'pi_a2' })
    expect(given(...two, succeeded('a2')).open).toEqual({ a1: 'pi_a1' })
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
  test("is the instructor's again once the refund that took it back fails", () => {
    const gone: PaymentEvent = { type: 'RefundFailed', data: { refund: 'r1', amount: 1850 } }
    expect(shareOf(given(...paid, made, asked('r1', 1850), reversed(), gone))).toBe(1500)
    expect(shareOf(given(...paid, made, asked('r1', 1850), gone, reversed()))).toBe(1500)
    expect(shareOf(given(...paid, asked('r1', 1000), asked('r2', 850)))).toBe(0)
  })
  test('is transferred, taken back, and transferred anew: one stands at a time', () => {
    const transferred = { transfer: 'tr_1', account: 'acct_1', amount: 1200, at }
    const second = { ...transferred, transfer: 'tr_2' }
    expect(decide.transferred(given(...paid), transferred)).toEqual(made)
    expect(decide.transferred(given(...paid, made), second)).toEqual([])
    expect(decide.reversed(given(...paid, made), { transfer: 'tr_1', reversal: 'trr_1' })).toEqual(reversed())
    expect(decide.reversed(given(...paid, made, reversed()), { transfer: 'tr_1', reversal: 'trr_2' })).toEqual([])
    expect(decide.reversed(given(...paid), { transfer: 'tr_1', reversal: 'trr_1' })).toEqual([])
    expect(decide.transferred(given(...paid, made, reversed()), transferred)).toEqual([])
    const again: PaymentEvent = { type: 'TransferMade', data: second }
    expect(decide.transferred(given(...paid, made, reversed()), second)).toEqual(again)
    const both = given(...paid, made, reversed(), again)
    expect(standing(both)?.id).toBe('tr_2')
    expect(decide.reversed(both, { transfer: 'tr_1', reversal: 'trr_2' })).toEqual([])
    expect(standing(given(...paid, made, reversed(), again, reversed('tr_2')))).toBeUndefined()
  })
  test('remembers how often it was refused, and which charges it cannot come out of', () => {
    const no = (source: string | null): PaymentEvent => ({ type: 'ShareRefused', data: { of: 'transfer', source, code: 'x', at } })
    expect(decide.shareRefused(given(...paid), { of: 'transfer', source: 'ch_a1', code: 'x', at })).toEqual(no('ch_a1'))
    expect(given(...paid, no('ch_a1'), no(null), no('ch_b'))).toMatchObject({ refusals: 3, drained: ['ch_a1', 'ch_b'] })
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
  test('never exceeds what was paid, counting pending refunds but not failed ones', () => {
    expect(() => decide.refund(given(...paid, asked('r1', 500)), c('r2', 1051))).toThrow('At most $10.50')
    const gone: PaymentEvent = { type: 'RefundFailed', data: { refund: 'r1', amount: 500 } }
    expect(decide.refundFailed(given(...paid, asked('r1', 500)), { refund: 'r1' })).toEqual(gone)
    expect(refunded(given(...paid, asked('r1', 500), gone))).toBe(0)
    expect(decide.refundFailed(given(...paid, asked('r1', 500), gone), { refund: 'r1' })).toEqual([])
    expect(decide.refundFailed(given(...paid), { refund: 'r9' })).toEqual([])
    expect(decide.refunded(given(...paid), { refund: 'r9' })).toEqual([])
    expect(refunded(given(...paid, asked('r1', 500), asked('r2', 300), gone))).toBe(300)
    expect(decide.refund(given(...paid, asked('r1', 500), gone), c('r2', 1550))).toEqual(asked('r2', 1550))
  })
  test('needs a payment, and no dispute about it that is open or lost', () => {
    expect(() => decide.refund(given(opened), c('r1', 1))).toThrow('not paid yet')
    expect(() => decide.refund(given(...paid, disputed), c('r1', 1))).toThrow('The bank decides')
    expect(() => decide.refund(given(...paid, disputed, closed('lost')), c('r1', 1))).toThrow('given this payment back already')
    expect(decide.refund(given(...paid, disputed, closed('won')), c('r1', 1))).toEqual(asked('r1', 1))
  })
  test('may be the third of several', () => {
    const p = given(...paid, asked('r1', 500), asked('r2', 300))
    expect(refunded(p)).toBe(800)
    expect(() => decide.refund(p, c('r3', 751))).toThrow('At most $7.50')
    expect(decide.refund(p, c('r3', 750))).toEqual(asked('r3', 750))
  })

  const there = (id: string, amount: number, status: 'pending' | 'succeeded' | 'failed', ours: string | null = null) => ({
    ...{ id, ours, amount, status },
  })
  const seen = (...refunds: ReturnType<typeof there>[]) => ({ charge: 'ch_a1', refunds })
  const done = (refund: string, amount: number, reason = 'Wrong folder'): PaymentEvent => ({
    type: 'PaymentRefunded',
    data: { ...parties, refund, amount, reason },
  })
  const gone = (refund: string, amount: number): PaymentEvent => ({ type: 'RefundFailed', data: { refund, amount } })
  const outside = (refund: string, amount: number): PaymentEvent => ({
    type: 'RefundAsked',
    data: { refund, amount, reason: 'Refunded at the payment provider' },
  })
  test('follows what became of it at the provider', () => {
    const two = given(...paid, asked('r1', 500), asked('r2', 300))
    expect(decide.reconcile(two, seen(there('re_1', 500, 'pending', 'r1'), there('re_2', 300, 'succeeded', 'r2')))).toEqual([
      done('r2', 300),
    ])
    expect(decide.reconcile(two, seen(there('re_1', 500, 'failed', 'r1'), there('re_2', 300, 'pending', 'r2')))).toEqual([gone('r1', 500)])
    const after = given(...paid, asked('r1', 500), done('r1', 500))
    expect(decide.reconcile(after, seen(there('re_1', 500, 'succeeded', 'r1')))).toEqual([])
    expect(decide.reconcile(after, seen(there('re_1', 500, 'failed', 'r1')))).toEqual([gone('r1', 500)])
    expect(decide.reconcile(given(...paid, asked('r1', 500), gone('r1', 500)), seen(there('re_1', 500, 'failed', 'r1')))).toEqual([])
  })
  test("made at the provider's own desk is noted once, each by itself", () => {
    const p = given(...paid, asked('r1', 500))
    const news = decide.reconcile(
      p,
      seen(there('re_1', 500, 'succeeded', 'r1'), there('re_2', 200, 'succeeded'), there('re_3', 100, 'pending')),
    )
    const reason = 'Refunded at the payment provider'
    expect(news).toEqual([done('r1', 500), outside('re_2', 200), done('re_2', 200, reason), outside('re_3', 100)])
    const after = given(...paid, asked('r1', 500), ...news)
    expect(refunded(after)).toBe(800)
    expect(decide.reconcile(after, seen(there('re_2', 200, 'succeeded'), there('re_3', 100, 'succeeded')))).toEqual([
      done('re_3', 100, reason),
    ])
    expect(decide.reconcile(p, seen(there('re_2', 200, 'failed')))).toEqual([])
    expect(decide.reconcile(given(...paid), { charge: 'ch_other', refunds: [there('re_2', 200, 'succeeded')] })).toEqual([])
    expect(decide.reconcile(given(opened), seen(there('re_2', 200, 'succeeded')))).toEqual([])
  })
  test('noted by the sum of several, as it once was, is not noted again', () => {
    const p = given(...paid, outside('ch_a1-700', 700), done('ch_a1-700', 700))
    const both = seen(there('re_1', 300, 'succeeded'), there('re_2', 400, 'succeeded'))
    expect(decide.reconcile(p, both)).toEqual([])
    expect(decide.reconcile(p, seen(...both.refunds, there('re_3', 100, 'pending')))).toEqual([outside('re_3', 100)])
  })
})

describe('a chargeback', () => {
  const paid = [opened, attempted('a1'), succeeded('a1')]
  const c = (status: 'open' | 'won' | 'lost', charge = 'ch_a1') => ({ charge, dispute: 'dp_1', amount: 1550, status })
  test('of another charge says nothing of this one', () => {
    for (const status of ['open', 'won', 'lost'] as const) expect(decide.dispute(given(...paid), c(status, 'ch_a2'))).toEqual([])
  })
  test('opens and closes once, also when only its end is heard of', () => {
    expect(decide.dispute(given(...paid), c('open'))).toEqual([disputed])
    expect(decide.dispute(given(...paid, disputed), c('open'))).toEqual([])
    expect(decide.dispute(given(...paid, disputed), c('lost'))).toEqual([closed('lost')])
    expect(decide.dispute(given(...paid, disputed, closed('lost')), c('lost'))).toEqual([])
    expect(decide.dispute(given(...paid), c('won'))).toEqual([disputed, closed('won')])
    expect(decide.dispute(given(opened), c('open'))).toEqual([])
    expect(decide.dispute(given(...paid, disputed), c('won'))).toEqual([closed('won')])
  })
  test('that was lost may be won after all, and one that was won stays so', () => {
    expect(decide.dispute(given(...paid, disputed, closed('lost')), c('won'))).toEqual([closed('won')])
    expect(decide.dispute(given(...paid, disputed, closed('lost')), c('open'))).toEqual([])
    expect(decide.dispute(given(...paid, disputed, closed('won')), c('lost'))).toEqual([])
    expect(decide.dispute(given(...paid, disputed, closed('won')), c('won'))).toEqual([])
    expect(shareOf(given(...paid, disputed, closed('lost'), closed('won')))).toBe(1200)
  })
  test('is not forgotten for another one', () => {
    const second: PaymentEvent = { type: 'ChargebackOpened', data: { dispute: 'dp_2', amount: 500 } }
    expect(shareOf(given(...paid, disputed, second, closed('won')))).toBe(0)
    expect(shareOf(given(...paid, disputed, second, closed('won'), closed('won', 'dp_2')))).toBe(1200)
    expect(shareOf(given(...paid, made, disputed, closed('lost'), second, closed('won', 'dp_2')))).toBe(0)
  })
})
