import { describe, expect, test } from 'vitest'
import { fold } from '../../../modules/kernel/decider.ts'
import { keptCents, type Purchase, type PurchaseEvent, priceOfFolders, purchase, refundable } from '../../../modules/payments/purchase.ts'
import { refusal } from '../../support/refusal.ts'

const player = 'p1'
const bought: PurchaseEvent = {
  type: 'PackageBought',
  data: { player, package: 'triple', folders: 3, amount: 4200, session: 'cs_1', intent: 'pi_1', charge: 'ch_1' },
}
const asked = (refund: string, amount: number, folders: number, whole = false, reason = 'Moved away'): PurchaseEvent => ({
  type: 'PackageRefundAsked',
  data: { player, refund, amount, folders, whole, reason },
})
const done = (refund: string, amount: number): PurchaseEvent => ({ type: 'PackageRefunded', data: { player, refund, amount } })
const gone = (refund: string, amount: number): PurchaseEvent => ({ type: 'PackageRefundFailed', data: { player, refund, amount } })
const disputed: PurchaseEvent = { type: 'PackageDisputed', data: { player, dispute: 'dp_1', amount: 4200 } }
const closed = (outcome: 'won' | 'lost'): PurchaseEvent => ({ type: 'PackageDisputeClosed', data: { player, dispute: 'dp_1', outcome } })
const given = (...events: PurchaseEvent[]): Purchase => fold(purchase, events as { type: string; data: unknown }[])
const { decide } = purchase
const refund = (id: string, whole: boolean, unused: number, cents: number) => ({ refund: id, whole, unused, cents, reason: 'Moved away' })

test('a package is booked once', () => {
  expect(decide.complete(given(), bought.data as never)).toEqual(bought)
  expect(decide.complete(given(bought), bought.data as never)).toEqual([])
})

describe('giving a package back', () => {
  test('wholly is all that is left of its price, and takes every folder', () => {
    expect(refundable(given(bought), 2)).toEqual({ whole: 4200, unused: 2800 })
    expect(decide.refund(given(bought), refund('r1', true, 2, 4200))).toEqual(asked('r1', 4200, 3, true))
    const part = given(bought, asked('r1', 1400, 1), done('r1', 1400))
    expect(decide.refund(part, refund('r2', true, 2, 2800))).toEqual(asked('r2', 2800, 3, true))
  })
  test('for its unused folders is what they cost', () => {
    expect(decide.refund(given(bought), refund('r1', false, 2, 2800))).toEqual(asked('r1', 2800, 2))
    expect(priceOfFolders({ amount: 1000, folders: 3 }, 2)).toBe(667)
    expect(refundable(given(bought, asked('r1', 4000, 2)), 2).unused).toBe(200)
  })
  test('is asked for once, and is what the admin saw', () => {
    expect(decide.refund(given(bought, asked('r1', 2800, 2)), refund('r1', false, 2, 2800))).toEqual([])
    expect(() => decide.refund(given(bought), refund('r1', false, 1, 2800))).toThrow('has changed')
    expect(() => decide.refund(given(bought), refund('r1', true, 2, 4100))).toThrow('has changed')
  })
  test('needs something that is left', () => {
    expect(() => decide.refund(given(bought), refund('r1', false, 0, 0))).toThrow('nothing left')
    expect(() => decide.refund(given(bought, asked('r1', 4200, 3, true)), refund('r2', true, 0, 0))).toThrow('nothing left')
    expect(() => decide.refund(given(), refund('r1', true, 0, 0))).toThrow('nothing left')
    expect(decide.refund(given(bought, asked('r1', 4200, 3, true), gone('r1', 4200)), refund('r2', true, 3, 4200))).toEqual(
      asked('r2', 4200, 3, true),
    )
  })
  test('is refused by name', () => {
    const of = (...events: PurchaseEvent[]) => refusal(() => decide.refund(given(...events), refund('r9', true, 3, 1)))
    expect([of(bought, disputed), of(bought, disputed, closed('lost')), of(bought), of()].map(r => r?.code)).toEqual([
      ...['disputed', 'disputed', 'changed', 'nothing-left'],
    ])
    expect(given(bought, asked('r1', 100, 0), asked('r2', 4100, 3, true)).whole).toEqual(['r2'])
  })
  test('waits for the bank, and is too late where it took the money', () => {
    expect(() => decide.refund(given(bought, disputed), refund('r1', true, 3, 4200))).toThrow('The bank decides')
    expect(() => decide.refund(given(bought, disputed, closed('lost')), refund('r1', true, 3, 4200))).toThrow(
      'given this package back already',
    )
    expect(refundable(given(bought, disputed), 3)).toEqual({ whole: 0, unused: 0 })
    expect(refundable(given(bought, disputed, closed('lost')), 3)).toEqual({ whole: 0, unused: 0 })
    expect(decide.refund(given(bought, disputed, closed('won')), refund('r1', true, 3, 4200))).toEqual(asked('r1', 4200, 3, true))
  })
  test('is done once, for less if a folder was used meanwhile, and may fail later', () => {
    const p = given(bought, asked('r1', 2800, 2))
    expect(decide.refunded(p, { refund: 'r1', amount: 1400 })).toEqual(done('r1', 1400))
    expect(keptCents(given(bought, asked('r1', 2800, 2), done('r1', 1400)))).toBe(2800)
    expect(decide.refunded(given(bought, asked('r1', 2800, 2), done('r1', 1400)), { refund: 'r1', amount: 1400 })).toEqual([])
    expect(decide.refunded(p, { refund: 'r9', amount: 1 })).toEqual([])
    expect(decide.refundFailed(p, { refund: 'r1' })).toEqual(gone('r1', 2800))
    expect(decide.refundFailed(given(bought, asked('r1', 2800, 2), done('r1', 1400)), { refund: 'r1' })).toEqual(gone('r1', 1400))
    expect(decide.refundFailed(given(bought, asked('r1', 2800, 2), gone('r1', 2800)), { refund: 'r1' })).toEqual([])
    expect(decide.refundFailed(p, { refund: 'r9' })).toEqual([])
  })
})

describe("what was done at the provider's desk", () => {
  const there = (id: string, amount: number, status: 'pending' | 'succeeded' | 'failed' = 'succeeded', ours: string | null = null) => ({
    ...{ id, ours, amount, status },
  })
  const seen = (...refunds: ReturnType<typeof there>[]) => ({ charge: 'ch_1', refunds })
  const outside = (id: string, amount: number, folders: number, whole = false) =>
    asked(id, amount, folders, whole, 'Refunded at the payment provider')
  test('takes the folders that it pays for, and all of them with the last of the price', () => {
    expect(decide.reconcile(given(bought), seen(there('re_1', 1400)))).toEqual([outside('re_1', 1400, 1), done('re_1', 1400)])
    expect(decide.reconcile(given(bought), seen(there('re_1', 4200, 'pending')))).toEqual([outside('re_1', 4200, 3, true)])
    const one = given(bought, outside('re_1', 1400, 1), done('re_1', 1400))
    expect(decide.reconcile(one, seen(there('re_1', 1400), there('re_2', 2800)))).toEqual([
      outside('re_2', 2800, 3, true),
      done('re_2', 2800),
    ])
    expect(decide.reconcile(given(bought), seen(there('re_1', 500)))).toEqual([outside('re_1', 500, 0), done('re_1', 500)])
  })
  test('follows what became of each, ours too', () => {
    const p = given(bought, asked('r1', 2800, 2), outside('re_2', 1400, 1, true))
    expect(decide.reconcile(p, seen(there('re_1', 1400, 'succeeded', 'r1'), there('re_2', 1400, 'failed')))).toEqual([
      done('r1', 1400),
      gone('re_2', 1400),
    ])
    expect(decide.reconcile(p, { charge: 'ch_2', refunds: [there('re_2', 1400)] })).toEqual([])
    expect(decide.reconcile(given(), seen(there('re_2', 1400)))).toEqual([])
  })
  test('a dispute opens and closes once, and what was lost is not here any more', () => {
    const c = (status: 'open' | 'won' | 'lost') => ({ dispute: 'dp_1', amount: 4200, status })
    expect(decide.dispute(given(bought), c('open'))).toEqual([disputed])
    expect(decide.dispute(given(bought), c('lost'))).toEqual([disputed, closed('lost')])
    expect(decide.dispute(given(bought, disputed), c('won'))).toEqual([closed('won')])
    expect(decide.dispute(given(bought, disputed, closed('won')), c('won'))).toEqual([])
    expect(decide.dispute(given(), c('open'))).toEqual([])
    expect([keptCents(given(bought, disputed)), keptCents(given(bought, disputed, closed('lost'))), keptCents(given())]).toEqual([
      4200, 0, 0,
    ])
  })
})
