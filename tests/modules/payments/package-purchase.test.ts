import { describe, expect, test } from 'vitest'
import {
  type PurchaseEvent,
  proratedCents,
  purchaseDecider,
  refundableCents,
  unrefundedCents,
} from '../../../modules/payments/package-purchase.ts'
import { deciderSpec } from '../../support/decider-spec.ts'
import { refusalCodeAndField } from '../../support/refusal-code-and-field.ts'

const player = 'p1'
const bought: PurchaseEvent = {
  type: 'PackageBought',
  data: { player, package: 'triple', folders: 3, amount: 4200, session: 'cs_1', intent: 'pi_1', charge: 'ch_1' },
}
const refundAsked = (refund: string, amount: number, folders: number, whole = false, reason = 'Moved away'): PurchaseEvent => ({
  type: 'PackageRefundAsked',
  data: { player, refund, amount, folders, whole, reason },
})
const done = (refund: string, amount: number): PurchaseEvent => ({ type: 'PackageRefunded', data: { player, refund, amount } })
const gone = (refund: string, amount: number): PurchaseEvent => ({ type: 'PackageRefundFailed', data: { player, refund, amount } })
const disputed: PurchaseEvent = { type: 'PackageDisputed', data: { player, dispute: 'dp_1', amount: 4200 } }
const closed = (outcome: 'won' | 'lost'): PurchaseEvent => ({ type: 'PackageDisputeClosed', data: { player, dispute: 'dp_1', outcome } })
const { given } = deciderSpec(purchaseDecider)

const refund = (id: string, whole: boolean, unused: number, cents: number) => ({ refund: id, whole, unused, cents, reason: 'Moved away' })

test('a package purchase is recorded once', () => {
  given()
    .when('complete', bought.data as never)
    .gives(bought)
  given(bought)
    .when('complete', bought.data as never)
    .gives()
})

describe('refunding a package', () => {
  test('in full refunds the rest of its price and revokes all its folders', () => {
    expect(refundableCents(given(bought).state, 2)).toEqual({ whole: 4200, unused: 2800 })
    given(bought)
      .when('refund', refund('r1', true, 2, 4200))
      .gives(refundAsked('r1', 4200, 3, true))
    const part = given(bought, refundAsked('r1', 1400, 1), done('r1', 1400))
    part.when('refund', refund('r2', true, 2, 2800)).gives(refundAsked('r2', 2800, 3, true))
  })
  test('for its unused folders refunds what they cost', () => {
    given(bought)
      .when('refund', refund('r1', false, 2, 2800))
      .gives(refundAsked('r1', 2800, 2))
    expect(proratedCents({ amount: 1000, folders: 3 }, 2)).toBe(667)
    expect(refundableCents(given(bought, refundAsked('r1', 4000, 2)).state, 2).unused).toBe(200)
  })
  test('is requested once, for the amount that the administrator saw', () => {
    given(bought, refundAsked('r1', 2800, 2))
      .when('refund', refund('r1', false, 2, 2800))
      .gives()
    expect(given(bought).when('refund', refund('r1', false, 1, 2800)).decide).toThrow('has changed')
    expect(given(bought).when('refund', refund('r1', true, 2, 4100)).decide).toThrow('has changed')
  })
  test('with the id of another request is refused, so that nobody believes it was made', () => {
    const before = given(bought, refundAsked('r1', 1400, 1))
    before.when('refund', refund('r1', true, 1, 2800)).refuses('refund-asked')
    before.when('refund', refund('r1', true, 1, 1400)).refuses('refund-asked')
    before.when('refund', refund('r1', false, 0, 0)).refuses('refund-asked')
    before.when('refund', { ...refund('r1', false, 1, 1400), reason: 'Another' }).refuses('refund-asked')
    expect(before.when('refund', refund('r1', true, 1, 2800)).decide).toThrow('This request already refunded $14.00.')
  })
  test('requires that some amount is left to refund', () => {
    expect(given(bought).when('refund', refund('r1', false, 0, 0)).decide).toThrow('nothing left')
    expect(given(bought, refundAsked('r1', 4200, 3, true)).when('refund', refund('r2', true, 0, 0)).decide).toThrow('nothing left')
    expect(given().when('refund', refund('r1', true, 0, 0)).decide).toThrow('nothing left')
    given(bought, refundAsked('r1', 4200, 3, true), gone('r1', 4200))
      .when('refund', refund('r2', true, 3, 4200))
      .gives(refundAsked('r2', 4200, 3, true))
  })
  test('is refused with a code for each reason', () => {
    const of = (...events: PurchaseEvent[]) => refusalCodeAndField(given(...events).when('refund', refund('r9', true, 3, 1)).decide)
    expect([of(bought, disputed), of(bought, disputed, closed('lost')), of(bought), of()].map(r => r?.code)).toEqual([
      ...['disputed', 'disputed', 'changed', 'nothing-left'],
    ])
    expect(given(bought, refundAsked('r1', 100, 0), refundAsked('r2', 4100, 3, true)).state.whole).toEqual(['r2'])
  })
  test('must wait for an open dispute, and is refused after a lost one', () => {
    expect(given(bought, disputed).when('refund', refund('r1', true, 3, 4200)).decide).toThrow('The bank is reviewing a dispute')
    expect(given(bought, disputed, closed('lost')).when('refund', refund('r1', true, 3, 4200)).decide).toThrow(
      'has already returned this payment',
    )
    expect(refundableCents(given(bought, disputed).state, 3)).toEqual({ whole: 0, unused: 0 })
    expect(refundableCents(given(bought, disputed, closed('lost')).state, 3)).toEqual({ whole: 0, unused: 0 })
    given(bought, disputed, closed('won'))
      .when('refund', refund('r1', true, 3, 4200))
      .gives(refundAsked('r1', 4200, 3, true))
  })
  test('happens once, for less if a folder has since been used, and may fail later', () => {
    const p = given(bought, refundAsked('r1', 2800, 2))
    p.when('refunded', { refund: 'r1', amount: 1400 }).gives(done('r1', 1400))
    expect(unrefundedCents(given(bought, refundAsked('r1', 2800, 2), done('r1', 1400)).state)).toBe(2800)
    given(bought, refundAsked('r1', 2800, 2), done('r1', 1400))
      .when('refunded', { refund: 'r1', amount: 1400 })
      .gives()
    p.when('refunded', { refund: 'r9', amount: 1 }).gives()
    p.when('refundFailed', { refund: 'r1' }).gives(gone('r1', 2800))
    given(bought, refundAsked('r1', 2800, 2), done('r1', 1400))
      .when('refundFailed', { refund: 'r1' })
      .gives(gone('r1', 1400))
    given(bought, refundAsked('r1', 2800, 2), gone('r1', 2800))
      .when('refundFailed', { refund: 'r1' })
      .gives()
    p.when('refundFailed', { refund: 'r9' }).gives()
  })
})

describe("a refund made in the provider's dashboard", () => {
  const there = (id: string, amount: number, status: 'pending' | 'succeeded' | 'failed' = 'succeeded', ours: string | null = null) => ({
    id,
    ours,
    amount,
    status,
  })
  const seen = (...refunds: ReturnType<typeof there>[]) => ({ charge: 'ch_1', refunds })
  const outside = (id: string, amount: number, folders: number, whole = false) =>
    refundAsked(id, amount, folders, whole, 'Refunded at the payment provider')
  test('revokes the folders that it pays for, or all if the whole price is refunded', () => {
    given(bought)
      .when('reconcile', seen(there('re_1', 1400)))
      .gives(outside('re_1', 1400, 1), done('re_1', 1400))
    given(bought)
      .when('reconcile', seen(there('re_1', 4200, 'pending')))
      .gives(outside('re_1', 4200, 3, true))
    const one = given(bought, outside('re_1', 1400, 1), done('re_1', 1400))
    one.when('reconcile', seen(there('re_1', 1400), there('re_2', 2800))).gives(outside('re_2', 2800, 3, true), done('re_2', 2800))
    given(bought)
      .when('reconcile', seen(there('re_1', 500)))
      .gives(outside('re_1', 500, 0), done('re_1', 500))
  })
  test('reconciling updates the status of refunds by administrators and by the provider', () => {
    const p = given(bought, refundAsked('r1', 2800, 2), outside('re_2', 1400, 1, true))
    p.when('reconcile', seen(there('re_1', 1400, 'succeeded', 'r1'), there('re_2', 1400, 'failed'))).gives(
      done('r1', 1400),
      gone('re_2', 1400),
    )
    p.when('reconcile', { charge: 'ch_2', refunds: [there('re_2', 1400)] }).gives()
    given()
      .when('reconcile', seen(there('re_2', 1400)))
      .gives()
  })
  test('a dispute opens and closes once, and lost money counts as refunded', () => {
    const c = (status: 'open' | 'won' | 'lost') => ({ dispute: 'dp_1', amount: 4200, status })
    given(bought).when('dispute', c('open')).gives(disputed)
    given(bought).when('dispute', c('lost')).gives(disputed, closed('lost'))
    given(bought, disputed).when('dispute', c('won')).gives(closed('won'))
    given(bought, disputed, closed('won')).when('dispute', c('won')).gives()
    given().when('dispute', c('open')).gives()
    expect([
      unrefundedCents(given(bought, disputed).state),
      unrefundedCents(given(bought, disputed, closed('lost')).state),
      unrefundedCents(given().state),
    ]).toEqual([4200, 0, 0])
  })
})
