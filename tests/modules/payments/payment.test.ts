import { describe, expect, test } from 'vitest'
import { currentTransfer, type PaymentEvent, payment, refundedCentsOf, shareOf } from '../../../modules/payments/payment.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

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
const made: PaymentEvent = { type: 'TransferMade', data: { transfer: 'tr_1', account: 'acct_1', amount: 1500, at } }
const reversed = (transfer = 'tr_1'): PaymentEvent => ({ type: 'TransferReversed', data: { transfer, reversal: 'trr_1', amount: 1500 } })
const asked = (refund: string, amount: number): PaymentEvent => ({ type: 'RefundAsked', data: { refund, amount, reason: 'Wrong folder' } })
const disputed: PaymentEvent = { type: 'ChargebackOpened', data: { dispute: 'dp_1', amount: 1550 } }
const closed = (outcome: 'won' | 'lost', dispute = 'dp_1'): PaymentEvent => ({ type: 'ChargebackClosed', data: { dispute, outcome } })

const { given } = deciderSpec(payment)
const attempt = (id: string, more = {}) => ({ id, customer: 'cus_1', card, tip: 0, by: 'player' as const, at, total: 1550, ...more })
const success = (id: string) => ({ attempt: id, intent: `pi_${id}`, charge: `ch_${id}`, amount: 1550, at })

describe('agreeing', () => {
  test('binds an assignment to one folder', () => {
    given().when('agree', parties).gives({ type: 'PaymentAgreed', data: parties })
    given({ type: 'PaymentAgreed', data: parties }).when('agree', parties).gives()
  })
  test('refuses the same assignment for another folder, even if only the bill is known', () => {
    const other = { ...parties, folder: 'f2' }
    expect(given({ type: 'PaymentAgreed', data: parties }).when('agree', other).decide).toThrow('assigned before')
    for (const changed of [other, { ...parties, player: 'p2' }, { ...parties, instructor: 'i2' }])
      given(opened).when('agree', changed).refuses('assigned-before')
  })
})

describe('opening', () => {
  test('fixes the bill, once', () => {
    given().when('open', bill).gives(opened)
    given(opened)
      .when('open', { ...bill, total: 1 })
      .gives()
  })
})

test('a payment has a status', () => {
  const of = (...events: PaymentEvent[]) => given(...events).state.status
  expect([of(), of(opened), of(opened, attempted('a1')), of(opened, attempted('a1'), failed('a1'))]).toEqual([
    ...['none', 'due', 'processing', 'failed'],
  ])
})

test('each refusal has a code of its own', () => {
  const paid = given(opened, attempted('a1'), succeeded('a1'))
  const refund = (p: ReturnType<typeof given>, amount = 500) => p.when('refund', { refund: 'r1', amount, reason: 'Wrong folder' })
  given().when('attempt', attempt('a1')).refuses('not-open')
  paid.when('attempt', attempt('a2')).refuses('already-paid')
  given(opened, attempted('a1')).when('attempt', attempt('a2')).refuses('in-progress')
  given(opened)
    .when('attempt', attempt('a1', { total: 1 }))
    .refuses('price-changed', 'total')
  given(opened).when('succeed', success('a9')).refuses('unknown-attempt')
  refund(given(opened)).refuses('not-paid')
  refund(paid, 1551).refuses('too-much', 'cents')
  const before = given(opened, attempted('a1'), succeeded('a1'), asked('r1', 500))
  refund(before).gives()
  refund(before, 501).refuses('refund-asked')
  before.when('refund', { refund: 'r1', amount: 500, reason: 'Another' }).refuses('refund-asked')
  for (const events of [[disputed], [disputed, closed('lost')]])
    refund(given(opened, attempted('a1'), succeeded('a1'), ...events)).refuses('disputed')
})

describe('an attempt', () => {
  test('charges the price and the tip to the card named', () => {
    given(opened)
      .when('attempt', attempt('a1', { tip: 300 }))
      .gives(attempted('a1', 300))
  })
  test('is refused when the price is not the one that was seen', () => {
    expect(given(opened).when('attempt', attempt('a1', { total: 1500 })).decide).toThrow('The price is $15.50 now')
  })
  test('is refused while another is under way, and after it was paid', () => {
    expect(given(opened, attempted('a1')).when('attempt', attempt('a2')).decide).toThrow('already under way')
    expect(given(opened, attempted('a1'), succeeded('a1')).when('attempt', attempt('a2')).decide).toThrow('already paid')
  })
  test('is refused before there is a bill', () => {
    expect(given().when('attempt', attempt('a1')).decide).toThrow('nothing to pay')
  })
  test('may follow a failed one, and is the same one when it is repeated', () => {
    given(opened, attempted('a1'), failed('a1')).when('attempt', attempt('a2')).gives(attempted('a2'))
    given(opened, attempted('a1'), failed('a1')).when('attempt', attempt('a1')).gives()
  })
})

describe('the outcome', () => {
  test('is one success with the tip that was agreed on', () => {
    given(opened, attempted('a1', 300))
      .when('succeed', { ...success('a1'), amount: 1850 })
      .gives(succeeded('a1', 300))
  })
  test('is recorded once, whoever reports it first', () => {
    const paid = given(opened, attempted('a1'), succeeded('a1'))
    paid.when('succeed', success('a1')).gives()
    paid.when('fail', { attempt: 'a1', reason: 'declined' }).gives()
    given(opened, attempted('a1'), failed('a1')).when('fail', { attempt: 'a1', reason: 'declined' }).gives()
  })
  test('of an earlier attempt still counts when nothing else was paid', () => {
    const p = given(opened, attempted('a1'), failed('a1'), attempted('a2'))
    p.when('succeed', success('a1')).gives(succeeded('a1'))
    p.when('fail', { attempt: 'a1', reason: 'declined' }).gives()
  })
  test('of a second charge is that it goes back', () => {
    const p = given(opened, attempted('a1'), failed('a1'), attempted('a2'), succeeded('a2'))
    const doubled: PaymentEvent = { type: 'ChargeDoubled', data: { attempt: 'a1', intent: 'pi_a1', charge: 'ch_a1', amount: 1550 } }
    const returned: PaymentEvent = { type: 'DoubledChargeReturned', data: { charge: 'ch_a1' } }
    p.when('succeed', success('a1')).gives(doubled)
    const after = given(opened, attempted('a1'), failed('a1'), attempted('a2'), succeeded('a2'), doubled)
    after.when('succeed', success('a1')).gives()
    after.when('returned', { charge: 'ch_a1' }).gives(returned)
    given(opened, attempted('a1'), succeeded('a1')).when('returned', { charge: 'ch_a1' }).gives()
  })
  test('of the attempt under way may be failure, with an intent that can still be paid', () => {
    const p = given(opened, attempted('a1'), failed('a1'), attempted('a2'))
    p.when('fail', { attempt: 'a2', reason: 'declined' }).gives(failed('a2'))
    p.when('fail', { attempt: 'a2', reason: 'authentication-needed', intent: 'pi_2' }).gives(failed('a2', 'authentication-needed', 'pi_2'))
    given(opened).when('fail', { attempt: 'a1', reason: 'declined' }).gives()
  })
  test('of two charges too many: each goes back by itself', () => {
    const doubled = (attempt: string): PaymentEvent => ({
      type: 'ChargeDoubled',
      data: { attempt, intent: `pi_${attempt}`, charge: `ch_${attempt}`, amount: 1550 },
    })
    const events = [opened, attempted('a1'), failed('a1'), attempted('a2'), failed('a2'), attempted('a3'), succeeded('a3')]
    const p = given(...events, doubled('a1'), doubled('a2'), { type: 'DoubledChargeReturned', data: { charge: 'ch_a1' } })
    expect(p.state.doubled).toEqual({ ch_a1: 'returned', ch_a2: 'kept' })
    p.when('returned', { charge: 'ch_a1' }).gives()
    p.when('succeed', success('a1')).gives()
    expect(p.state.paid).toMatchObject({ attempt: 'a3' })
  })
  test('of an attempt nobody made is refused', () => {
    expect(given(opened).when('succeed', success('a9')).decide).toThrow('could not find that attempt')
  })
  test('that wants authentication keeps its intent until it is abandoned or paid', () => {
    const events = [opened, attempted('a1'), failed('a1', 'authentication-needed', 'pi_a1')]
    expect(given(...events).state.open).toEqual({ a1: 'pi_a1' })
    given(...events)
      .when('abandoned', { attempt: 'a1' })
      .gives({ type: 'AttemptAbandoned', data: { attempt: 'a1' } })
    given(...events)
      .when('abandoned', { attempt: 'a2' })
      .gives()
    expect(given(...events, { type: 'AttemptAbandoned', data: { attempt: 'a1' } }).state.open).toEqual({})
    expect(given(...events, succeeded('a1')).state.open).toEqual({})
    expect(given(opened, attempted('a1'), failed('a1', 'declined', 'pi_a1')).state.open).toEqual({})
    const two = [...events, attempted('a2'), failed('a2', 'authentication-needed', 'pi_a2')]
    expect(given(...two).state.open).toEqual({ a1: 'pi_a1', a2: 'pi_a2' })
    expect(given(...two, { type: 'AttemptAbandoned', data: { attempt: 'a1' } }).state.open).toEqual({ a2: 'pi_a2' })
    expect(given(...two, succeeded('a2')).state.open).toEqual({ a1: 'pi_a1' })
  })
})

describe('the share', () => {
  const paid = [opened, attempted('a1', 300), succeeded('a1', 300)]
  test('is 80% of the base and the whole tip, once it is paid', () => {
    expect(shareOf(given(opened).state)).toBe(0)
    expect(shareOf(given(...paid).state)).toBe(1500)
  })
  test('waits while the bank decides, stays where it is, and goes back when it is lost', () => {
    expect(shareOf(given(...paid, disputed).state)).toBe(0)
    expect(shareOf(given(...paid, made, disputed).state)).toBe(1500)
    expect(shareOf(given(...paid, made, disputed, closed('lost')).state)).toBe(0)
    expect(shareOf(given(...paid, disputed, closed('won')).state)).toBe(1500)
  })
  test('is not touched by a partial refund, and gone with a whole one', () => {
    expect(shareOf(given(...paid, asked('r1', 1000)).state)).toBe(1500)
    expect(shareOf(given(...paid, asked('r1', 1850)).state)).toBe(0)
  })
  test("is the instructor's again once the refund that took it back fails", () => {
    const gone: PaymentEvent = { type: 'RefundFailed', data: { refund: 'r1', amount: 1850 } }
    expect(shareOf(given(...paid, made, asked('r1', 1850), reversed(), gone).state)).toBe(1500)
    expect(shareOf(given(...paid, made, asked('r1', 1850), gone, reversed()).state)).toBe(1500)
    expect(shareOf(given(...paid, asked('r1', 1000), asked('r2', 850)).state)).toBe(0)
  })
  test('is passed on in part where the rest was netted', () => {
    const part = { transfer: 'tr_1', account: 'acct_1', amount: 1100, at }
    const netted: PaymentEvent = { type: 'TransferMade', data: { ...part, netted: 400 } }
    given(...paid)
      .when('transferred', part)
      .gives(netted)
    expect(shareOf(given(...paid, netted, disputed).state)).toBe(1500)
  })
  test('is owed where it cannot be taken back, once, and may be passed on anew', () => {
    const owed: PaymentEvent = { type: 'TransferOwed', data: { transfer: 'tr_1', amount: 1500, at } }
    given(...paid, made)
      .when('owed', owed.data)
      .gives(owed)
    const { state, when } = given(...paid, made, owed)
    expect(state.transfers).toEqual([{ id: 'tr_1', account: 'acct_1', amount: 1500, netted: 0, reversed: true, owed: 1500 }])
    when('owed', owed.data).gives()
    when('reversed', { transfer: 'tr_1', reversal: 'trr_1' }).gives()
    when('transferred', { transfer: 'tr_2', account: 'acct_1', amount: 1500, at }).givesLike({ type: 'TransferMade' })
  })
  test('is transferred, taken back, and transferred anew: one stands at a time', () => {
    const transferred = { transfer: 'tr_1', account: 'acct_1', amount: 1500, at }
    const second = { ...transferred, transfer: 'tr_2' }
    given(...paid)
      .when('transferred', transferred)
      .gives(made)
    given(...paid, made)
      .when('transferred', second)
      .gives()
    given(...paid, made)
      .when('reversed', { transfer: 'tr_1', reversal: 'trr_1' })
      .gives(reversed())
    given(...paid, made, reversed())
      .when('reversed', { transfer: 'tr_1', reversal: 'trr_2' })
      .gives()
    given(...paid)
      .when('reversed', { transfer: 'tr_1', reversal: 'trr_1' })
      .gives()
    given(...paid, made, reversed())
      .when('transferred', transferred)
      .gives()
    const again: PaymentEvent = { type: 'TransferMade', data: second }
    given(...paid, made, reversed())
      .when('transferred', second)
      .gives(again)
    const both = given(...paid, made, reversed(), again)
    expect(currentTransfer(both.state)?.id).toBe('tr_2')
    both.when('reversed', { transfer: 'tr_1', reversal: 'trr_2' }).gives()
    expect(currentTransfer(given(...paid, made, reversed(), again, reversed('tr_2')).state)).toBeUndefined()
  })
  test('remembers how often it was refused, and which charges it cannot come out of', () => {
    const no = (source: string | null): PaymentEvent => ({ type: 'ShareRefused', data: { of: 'transfer', source, code: 'x', at } })
    given(...paid)
      .when('shareRefused', { of: 'transfer', source: 'ch_a1', code: 'x', at })
      .gives(no('ch_a1'))
    expect(given(...paid, no('ch_a1'), no(null), no('ch_b')).state).toMatchObject({ refusals: 3, drained: ['ch_a1', 'ch_b'] })
  })
})

describe('a refund', () => {
  const paid = [opened, attempted('a1'), succeeded('a1')]
  const c = (refund: string, amount: number) => ({ refund, amount, reason: 'Wrong folder' })
  test('is asked for once, and done once', () => {
    given(...paid)
      .when('refund', c('r1', 500))
      .gives(asked('r1', 500))
    given(...paid, asked('r1', 500))
      .when('refund', c('r1', 500))
      .gives()
    expect(given(...paid, asked('r1', 500)).when('refund', c('r1', 700)).decide).toThrow('$5.00 went back with this request before')
    const done: PaymentEvent = { type: 'PaymentRefunded', data: { ...parties, refund: 'r1', amount: 500, reason: 'Wrong folder' } }
    given(...paid, asked('r1', 500))
      .when('refunded', { refund: 'r1' })
      .gives(done)
    given(...paid, asked('r1', 500), done)
      .when('refunded', { refund: 'r1' })
      .gives()
  })
  test('never exceeds what was paid, counting pending refunds but not failed ones', () => {
    expect(given(...paid, asked('r1', 500)).when('refund', c('r2', 1051)).decide).toThrow('At most $10.50')
    const gone: PaymentEvent = { type: 'RefundFailed', data: { refund: 'r1', amount: 500 } }
    given(...paid, asked('r1', 500))
      .when('refundFailed', { refund: 'r1' })
      .gives(gone)
    expect(refundedCentsOf(given(...paid, asked('r1', 500), gone).state)).toBe(0)
    given(...paid, asked('r1', 500), gone)
      .when('refundFailed', { refund: 'r1' })
      .gives()
    given(...paid)
      .when('refundFailed', { refund: 'r9' })
      .gives()
    given(...paid)
      .when('refunded', { refund: 'r9' })
      .gives()
    expect(refundedCentsOf(given(...paid, asked('r1', 500), asked('r2', 300), gone).state)).toBe(300)
    given(...paid, asked('r1', 500), gone)
      .when('refund', c('r2', 1550))
      .gives(asked('r2', 1550))
  })
  test('needs a payment, and no dispute about it that is open or lost', () => {
    expect(given(opened).when('refund', c('r1', 1)).decide).toThrow('not paid yet')
    expect(given(...paid, disputed).when('refund', c('r1', 1)).decide).toThrow('The bank is reviewing a dispute')
    expect(given(...paid, disputed, closed('lost')).when('refund', c('r1', 1)).decide).toThrow('has already returned this payment')
    given(...paid, disputed, closed('won'))
      .when('refund', c('r1', 1))
      .gives(asked('r1', 1))
  })
  test('may be the third of several', () => {
    const p = given(...paid, asked('r1', 500), asked('r2', 300))
    expect(refundedCentsOf(p.state)).toBe(800)
    expect(p.when('refund', c('r3', 751)).decide).toThrow('At most $7.50')
    p.when('refund', c('r3', 750)).gives(asked('r3', 750))
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
    two.when('reconcile', seen(there('re_1', 500, 'pending', 'r1'), there('re_2', 300, 'succeeded', 'r2'))).gives(done('r2', 300))
    two.when('reconcile', seen(there('re_1', 500, 'failed', 'r1'), there('re_2', 300, 'pending', 'r2'))).gives(gone('r1', 500))
    const after = given(...paid, asked('r1', 500), done('r1', 500))
    after.when('reconcile', seen(there('re_1', 500, 'succeeded', 'r1'))).gives()
    after.when('reconcile', seen(there('re_1', 500, 'failed', 'r1'))).gives(gone('r1', 500))
    given(...paid, asked('r1', 500), gone('r1', 500))
      .when('reconcile', seen(there('re_1', 500, 'failed', 'r1')))
      .gives()
  })
  test("made at the provider's own desk is noted once, each by itself", () => {
    const p = given(...paid, asked('r1', 500))
    const news = p
      .when('reconcile', seen(there('re_1', 500, 'succeeded', 'r1'), there('re_2', 200, 'succeeded'), there('re_3', 100, 'pending')))
      .decide()
    const reason = 'Refunded at the payment provider'
    expect(news).toEqual([done('r1', 500), outside('re_2', 200), done('re_2', 200, reason), outside('re_3', 100)])
    const after = given(...paid, asked('r1', 500), ...news)
    expect(refundedCentsOf(after.state)).toBe(800)
    after.when('reconcile', seen(there('re_2', 200, 'succeeded'), there('re_3', 100, 'succeeded'))).gives(done('re_3', 100, reason))
    p.when('reconcile', seen(there('re_2', 200, 'failed'))).gives()
    given(...paid)
      .when('reconcile', { charge: 'ch_other', refunds: [there('re_2', 200, 'succeeded')] })
      .gives()
    given(opened)
      .when('reconcile', seen(there('re_2', 200, 'succeeded')))
      .gives()
  })
  test('noted by the sum of several, as it once was, is not noted again', () => {
    const p = given(...paid, outside('ch_a1-700', 700), done('ch_a1-700', 700))
    const both = seen(there('re_1', 300, 'succeeded'), there('re_2', 400, 'succeeded'))
    p.when('reconcile', both).gives()
    p.when('reconcile', seen(...both.refunds, there('re_3', 100, 'pending'))).gives(outside('re_3', 100))
  })
})

describe('a chargeback', () => {
  const paid = [opened, attempted('a1'), succeeded('a1')]
  const c = (status: 'open' | 'won' | 'lost', charge = 'ch_a1') => ({ charge, dispute: 'dp_1', amount: 1550, status })
  test('of another charge says nothing of this one', () => {
    for (const status of ['open', 'won', 'lost'] as const)
      given(...paid)
        .when('dispute', c(status, 'ch_a2'))
        .gives()
  })
  test('opens and closes once, also when only its end is heard of', () => {
    given(...paid)
      .when('dispute', c('open'))
      .gives(disputed)
    given(...paid, disputed)
      .when('dispute', c('open'))
      .gives()
    given(...paid, disputed)
      .when('dispute', c('lost'))
      .gives(closed('lost'))
    given(...paid, disputed, closed('lost'))
      .when('dispute', c('lost'))
      .gives()
    given(...paid)
      .when('dispute', c('won'))
      .gives(disputed, closed('won'))
    given(opened).when('dispute', c('open')).gives()
    given(...paid, disputed)
      .when('dispute', c('won'))
      .gives(closed('won'))
  })
  test('that was lost may be won after all, and one that was won stays so', () => {
    given(...paid, disputed, closed('lost'))
      .when('dispute', c('won'))
      .gives(closed('won'))
    given(...paid, disputed, closed('lost'))
      .when('dispute', c('open'))
      .gives()
    given(...paid, disputed, closed('won'))
      .when('dispute', c('lost'))
      .gives()
    given(...paid, disputed, closed('won'))
      .when('dispute', c('won'))
      .gives()
    expect(shareOf(given(...paid, disputed, closed('lost'), closed('won')).state)).toBe(1200)
  })
  test('is not forgotten for another one', () => {
    const second: PaymentEvent = { type: 'ChargebackOpened', data: { dispute: 'dp_2', amount: 500 } }
    expect(shareOf(given(...paid, disputed, second, closed('won')).state)).toBe(0)
    expect(shareOf(given(...paid, disputed, second, closed('won'), closed('won', 'dp_2')).state)).toBe(1200)
    expect(shareOf(given(...paid, made, disputed, closed('lost'), second, closed('won', 'dp_2')).state)).toBe(0)
  })
})
