import { describe, expect, test } from 'vitest'
import { fold } from '../../../modules/kernel/decider.ts'
import { type PayoutEvent, payoutAccount, payoutStatus } from '../../../modules/payments/payout-account.ts'
import { cardForFeedback, cardOf, usedCardOf, type WalletEvent, wallet } from '../../../modules/payments/wallet.ts'
import { refusal } from '../../support/refusal.ts'

type Any = { type: string; data: unknown }[]
const visa = { card: 'pm_1', brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 }
const amex = { card: 'pm_2', brand: 'amex', last4: '0005', expMonth: 5, expYear: 2031 }
const saved = (card: typeof visa): WalletEvent => ({ type: 'CardSaved', data: card })

describe('a wallet', () => {
  const given = (...events: WalletEvent[]) => fold(wallet, events as Any)
  const { decide } = wallet
  const now = '2026-03-01T12:00:00.000Z'
  test('has one customer', () => {
    const made: WalletEvent = { type: 'CustomerMade', data: { customer: 'cus_1' } }
    expect(decide.begin(given(), { customer: 'cus_1' })).toEqual(made)
    expect(decide.begin(given(made), { customer: 'cus_2' })).toEqual([])
  })
  test('prefers the card saved last, or the one chosen', () => {
    expect(decide.save(given(), visa)).toEqual(saved(visa))
    expect(decide.save(given(saved(visa)), visa)).toEqual([])
    expect(cardOf(given(saved(visa), saved(amex)))).toEqual(amex)
    const preferred: WalletEvent = { type: 'CardPreferred', data: { card: 'pm_1' } }
    expect(decide.prefer(given(saved(visa), saved(amex)), { card: 'pm_1' })).toEqual(preferred)
    expect(cardOf(given(saved(visa), saved(amex), preferred))).toEqual(visa)
    expect(decide.prefer(given(saved(visa)), { card: 'pm_1' })).toEqual([])
    expect(() => decide.prefer(given(saved(visa)), { card: 'pm_9' })).toThrow('not saved anymore')
  })
  test('keeps every card, each once, and the one that was chosen while others go', () => {
    expect(decide.save(given(saved(visa)), amex)).toEqual(saved(amex))
    expect(given(saved(visa), saved(amex), saved({ ...visa, expYear: 2035 })).cards).toEqual([amex, { ...visa, expYear: 2035 }])
    const third = { ...visa, card: 'pm_3' }
    const removed = (card: string): WalletEvent => ({ type: 'CardRemoved', data: { card } })
    const chosen: WalletEvent = { type: 'CardPreferred', data: { card: 'pm_1' } }
    const all = [saved(visa), saved(amex), saved(third)]
    expect(given(...all, chosen, removed('pm_2')).preferred).toBe('pm_1')
    expect(given(...all, removed('pm_3')).preferred).toBe('pm_2')
    expect(given(saved(visa), removed('pm_1')).preferred).toBeNull()
    expect(usedCardOf(visa)).toEqual({ id: 'pm_1', brand: 'visa', last4: '4242' })
  })
  test('has a name for each refusal', () => {
    expect(refusal(() => cardOf(given(saved(visa)), 'pm_9'))).toEqual({ code: 'no-card', field: 'card' })
    expect(refusal(() => cardOf(given()))).toEqual({ code: 'card-needed' })
    expect(refusal(() => cardForFeedback(given()))).toEqual({ code: 'card-needed' })
    expect(refusal(() => decide.remove(given(saved(visa)), { card: 'pm_1', needed: true, now }))).toEqual({ code: 'card-in-use' })
  })
  test('asks for a card where there is none', () => {
    expect(() => cardOf(given())).toThrow('Save a card first.')
  })
  test('forgets a card, but not the last one that is needed', () => {
    const removed: WalletEvent = { type: 'CardRemoved', data: { card: 'pm_2' } }
    expect(decide.remove(given(saved(visa), saved(amex)), { card: 'pm_2', needed: true, now })).toEqual(removed)
    expect(cardOf(given(saved(visa), saved(amex), removed))).toEqual(visa)
    expect(() => decide.remove(given(saved(amex)), { card: 'pm_2', needed: true, now })).toThrow('Save another card first')
    expect(decide.remove(given(saved(amex)), { card: 'pm_2', needed: false, now })).toEqual(removed)
    expect(decide.remove(given(saved(visa)), { card: 'pm_2', needed: true, now })).toEqual([])
  })
})

describe('a card that is held for an assignment', () => {
  const given = (...events: WalletEvent[]) => fold(wallet, events as Any)
  const { decide } = wallet
  const until = '2026-03-01T12:10:00.000Z'
  const held = (until: string, assignment = 'a1'): WalletEvent => ({ type: 'CardHeld', data: { assignment, until } })
  const remove = (now: string, card = 'pm_1') => ({ card, needed: false, now })
  test('needs a card', () => {
    expect(decide.hold(given(saved(visa)), { assignment: 'a1', until })).toEqual(held(until))
    expect(() => decide.hold(given(), { assignment: 'a1', until })).toThrow('Save a card first. You pay only after the feedback.')
  })
  test('stays until then, where there is no other', () => {
    const removed: WalletEvent = { type: 'CardRemoved', data: { card: 'pm_1' } }
    const w = given(saved(visa), held(until), held('2026-03-01T12:05:00.000Z', 'a2'))
    expect(() => decide.remove(w, remove('2026-03-01T12:09:59.999Z'))).toThrow('Save another card first')
    expect(decide.remove(w, remove(until))).toEqual(removed)
    expect(decide.remove(given(saved(visa), saved(amex), held(until)), remove('2026-03-01T12:00:00.000Z'))).toEqual(removed)
  })
  test('is held as long as the last try says', () => {
    const longer = '2026-03-01T12:20:00.000Z'
    expect(decide.hold(given(saved(visa), held(until)), { assignment: 'a1', until })).toEqual([])
    expect(decide.hold(given(saved(visa), held(until)), { assignment: 'a1', until: longer })).toEqual(held(longer))
    expect(() => decide.remove(given(saved(visa), held(until), held(longer)), remove(until))).toThrow('Save another card first')
  })
  test('is let go with its own assignment, and no other', () => {
    const released: WalletEvent = { type: 'CardReleased', data: { assignment: 'a1' } }
    const w = given(saved(visa), held(until), held(until, 'a2'))
    expect(decide.release(w, { assignment: 'a1' })).toEqual(released)
    const then = given(saved(visa), held(until), held(until, 'a2'), released)
    expect(decide.release(then, { assignment: 'a1' })).toEqual([])
    expect(() => decide.remove(then, remove('2026-03-01T12:00:00.000Z'))).toThrow('Save another card first')
    const both = given(saved(visa), held(until), released)
    expect(decide.remove(both, remove('2026-03-01T12:00:00.000Z'))).toEqual({ type: 'CardRemoved', data: { card: 'pm_1' } })
  })
})

describe('a payout account', () => {
  const given = (...events: PayoutEvent[]) => fold(payoutAccount, events as Any)
  const { decide } = payoutAccount
  const opened: PayoutEvent = { type: 'PayoutAccountOpened', data: { account: 'acct_1' } }
  const changed = (ready: boolean, released: string[] = []): PayoutEvent => ({
    type: 'PayoutAccountChanged',
    data: { ready, submitted: ready, requirements: ready ? [] : ['individual.dob'], released },
  })
  const held = (payment: string): PayoutEvent => ({ type: 'ShareHeld', data: { payment } })
  test('is opened once', () => {
    expect(decide.open(given(), { account: 'acct_1' })).toEqual(opened)
    expect(decide.open(given(opened), { account: 'acct_2' })).toEqual([])
  })
  test('holds a share until it is ready, and lets go of all that waited', () => {
    expect(decide.hold(given(opened), { payment: 'y1' })).toEqual(held('y1'))
    expect(decide.hold(given(opened, held('y1')), { payment: 'y1' })).toEqual([])
    expect(decide.change(given(opened, held('y1'), held('y2')), { ready: true, submitted: true, requirements: [] })).toEqual(
      changed(true, ['y1', 'y2']),
    )
    const after = given(opened, held('y1'), changed(true, ['y1']))
    expect(after.held).toEqual([])
    expect(given(opened, held('y1'), held('y2'), changed(false, ['y1'])).held).toEqual(['y2'])
    expect(decide.hold(after, { payment: 'y2' })).toEqual([])
  })
  test('says nothing when nothing changed, and holds again when it is ready no longer', () => {
    expect(decide.change(given(opened, changed(true)), { ready: true, submitted: true, requirements: [] })).toEqual([])
    expect(decide.change(given(), { ready: true, submitted: true, requirements: [] })).toEqual([])
    const now = { ready: false, submitted: false, requirements: ['individual.dob'] }
    expect(decide.change(given(opened), { ...now, requirements: [] })).toEqual([])
    for (const one of [{ ready: true }, { submitted: true }, { requirements: ['individual.dob', 'external_account'] }]) {
      const data = { ...now, ...one, released: [] }
      expect(decide.change(given(opened, changed(false)), { ...now, ...one })).toEqual({ type: 'PayoutAccountChanged', data })
    }
    expect(decide.change(given(opened, held('y1'), changed(false)), { ...now, submitted: true })).toMatchObject({ data: { released: [] } })
    expect(decide.hold(given(opened, changed(true), changed(false)), { payment: 'y1' })).toEqual(held('y1'))
  })
  test('has three states to show', () => {
    expect([given(), given(opened), given(opened, changed(true))].map(payoutStatus)).toEqual(['none', 'started', 'ready'])
  })
})
