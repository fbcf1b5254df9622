import { describe, expect, test } from 'vitest'
import {
  debtCentsOfPayoutState,
  debtWaiversOf,
  type PayoutAccountOrDebtEvent,
  payoutAccountAndDebtDecider,
  payoutStatus,
} from '../../../modules/payments/payout-account-and-debt-decider.ts'
import {
  assertHasAnyCard,
  customerOfCard,
  hasValidCard,
  requestedOrDefaultCard,
  toUsedCard,
  type WalletEvent,
  walletDecider,
} from '../../../modules/payments/wallet.ts'
import { deciderSpec } from '../../support/decider-spec.ts'
import { refusalCodeAndField } from '../../support/refusal-code-and-field.ts'

const visa = { card: 'pm_1', brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 }
const amex = { card: 'pm_2', brand: 'amex', last4: '0005', expMonth: 5, expYear: 2031 }
const saved = (card: typeof visa): WalletEvent => ({ type: 'CardSaved', data: card })

describe('a wallet', () => {
  const { given } = deciderSpec(walletDecider)

  const now = '2026-03-01T12:00:00.000Z'
  test('has a valid card until the last expiry month of its cards ends', () => {
    const wallet = given(saved({ ...visa, expMonth: 4, expYear: 2026 }), saved({ ...amex, expMonth: 3, expYear: 2026 })).state
    expect(['2026-04-30T23:59:59Z', '2026-05-01T00:00:00Z'].map(now => hasValidCard(wallet, new Date(now)))).toEqual([true, false])
  })
  test('has only one customer at the provider', () => {
    const made: WalletEvent = { type: 'CustomerMade', data: { customer: 'cus_1' } }
    given().when('begin', { customer: 'cus_1' }).gives(made)
    given(made).when('begin', { customer: 'cus_2' }).gives()
  })
  test('prefers the card that the player chose, or the one saved last', () => {
    given().when('save', visa).gives(saved(visa))
    given(saved(visa)).when('save', visa).gives()
    expect(requestedOrDefaultCard(given(saved(visa), saved(amex)).state)).toEqual(amex)
    const preferred: WalletEvent = { type: 'CardPreferred', data: { card: 'pm_1' } }
    given(saved(visa), saved(amex)).when('prefer', { card: 'pm_1' }).gives(preferred)
    expect(requestedOrDefaultCard(given(saved(visa), saved(amex), preferred).state)).toEqual(visa)
    given(saved(visa)).when('prefer', { card: 'pm_1' }).gives()
    expect(given(saved(visa)).when('prefer', { card: 'pm_9' }).decide).toThrow('not saved anymore')
  })
  test('has every card once, and keeps the preferred one when others are removed', () => {
    given(saved(visa)).when('save', amex).gives(saved(amex))
    expect(given(saved(visa), saved(amex), saved({ ...visa, expYear: 2035 })).state.cards).toEqual([amex, { ...visa, expYear: 2035 }])
    const third = { ...visa, card: 'pm_3' }
    const removed = (card: string): WalletEvent => ({ type: 'CardRemoved', data: { card } })
    const chosen: WalletEvent = { type: 'CardPreferred', data: { card: 'pm_1' } }
    const all = [saved(visa), saved(amex), saved(third)]
    expect(given(...all, chosen, removed('pm_2')).state.preferred).toBe('pm_1')
    expect(given(...all, removed('pm_3')).state.preferred).toBe('pm_2')
    expect(given(saved(visa), removed('pm_1')).state.preferred).toBeNull()
    expect(toUsedCard(visa)).toEqual({ id: 'pm_1', brand: 'visa', last4: '4242' })
  })
  test("gets a child's card once, charged through the child's customer", () => {
    const made: WalletEvent = { type: 'CustomerMade', data: { customer: 'cus_1' } }
    const card = { ...amex, customer: 'cus_child', player: 'leo' }
    const takenOver: WalletEvent = { type: 'CardTakenOver', data: card }
    given(made, saved(visa)).when('takeOver', card).gives(takenOver)
    const wallet = given(made, saved(visa), takenOver)
    wallet.when('takeOver', card).gives()
    expect(wallet.state).toMatchObject({ cards: [visa, { ...amex, customer: 'cus_child' }], preferred: amex.card })
    expect(wallet.state.cards[1]).not.toHaveProperty('player')
    expect(wallet.state.cards.map(c => customerOfCard(wallet.state, c))).toEqual(['cus_1', 'cus_child'])
  })
  test('gives a card to a guardian once, and prefers another one afterward', () => {
    const handedOver: WalletEvent = { type: 'CardHandedOver', data: { card: amex.card, guardian: 'maria' } }
    given(saved(visa), saved(amex)).when('handOver', handedOver.data).gives(handedOver)
    const wallet = given(saved(visa), saved(amex), handedOver)
    wallet.when('handOver', handedOver.data).gives()
    expect(wallet.state).toMatchObject({ cards: [visa], preferred: visa.card })
  })
  test('has a code for each refusal', () => {
    expect(refusalCodeAndField(() => requestedOrDefaultCard(given(saved(visa)).state, 'pm_9'))).toEqual({ code: 'no-card', field: 'card' })
    expect(refusalCodeAndField(() => requestedOrDefaultCard(given().state))).toEqual({ code: 'card-needed' })
    expect(refusalCodeAndField(() => assertHasAnyCard(given().state))).toEqual({ code: 'card-needed' })
    given(saved(visa)).when('remove', { card: 'pm_1', needed: true, now }).refuses('card-in-use')
  })
  test('throws if no card is saved', () => {
    expect(() => requestedOrDefaultCard(given().state)).toThrow('Save a card first.')
  })
  test('removes a card, but not the last one while it is needed', () => {
    const removed: WalletEvent = { type: 'CardRemoved', data: { card: 'pm_2' } }
    given(saved(visa), saved(amex)).when('remove', { card: 'pm_2', needed: true, now }).gives(removed)
    expect(requestedOrDefaultCard(given(saved(visa), saved(amex), removed).state)).toEqual(visa)
    expect(given(saved(amex)).when('remove', { card: 'pm_2', needed: true, now }).decide).toThrow('Save another card first')
    given(saved(amex)).when('remove', { card: 'pm_2', needed: false, now }).gives(removed)
    given(saved(visa)).when('remove', { card: 'pm_2', needed: true, now }).gives()
  })
})

describe('a card that is held for an assignment', () => {
  const { given } = deciderSpec(walletDecider)

  const until = '2026-03-01T12:10:00.000Z'
  const held = (until: string, assignment = 'a1'): WalletEvent => ({ type: 'CardHeld', data: { assignment, until } })
  const remove = (now: string, card = 'pm_1') => ({ card, needed: false, now })
  test('must be saved in the wallet', () => {
    given(saved(visa)).when('hold', { assignment: 'a1', until }).gives(held(until))
    expect(given().when('hold', { assignment: 'a1', until }).decide).toThrow('Save a card first. You pay only after the feedback.')
  })
  test('cannot be removed before the hold ends if it is the only card', () => {
    const removed: WalletEvent = { type: 'CardRemoved', data: { card: 'pm_1' } }
    const w = given(saved(visa), held(until), held('2026-03-01T12:05:00.000Z', 'a2'))
    expect(w.when('remove', remove('2026-03-01T12:09:59.999Z')).decide).toThrow('Save another card first')
    w.when('remove', remove(until)).gives(removed)
    given(saved(visa), saved(amex), held(until)).when('remove', remove('2026-03-01T12:00:00.000Z')).gives(removed)
  })
  test('is held as long as the latest attempt requires', () => {
    const longer = '2026-03-01T12:20:00.000Z'
    given(saved(visa), held(until)).when('hold', { assignment: 'a1', until }).gives()
    given(saved(visa), held(until)).when('hold', { assignment: 'a1', until: longer }).gives(held(longer))
    expect(given(saved(visa), held(until), held(longer)).when('remove', remove(until)).decide).toThrow('Save another card first')
  })
  test('is released only with its own assignment', () => {
    const released: WalletEvent = { type: 'CardReleased', data: { assignment: 'a1' } }
    const w = given(saved(visa), held(until), held(until, 'a2'))
    w.when('release', { assignment: 'a1' }).gives(released)
    const then = given(saved(visa), held(until), held(until, 'a2'), released)
    then.when('release', { assignment: 'a1' }).gives()
    expect(then.when('remove', remove('2026-03-01T12:00:00.000Z')).decide).toThrow('Save another card first')
    const both = given(saved(visa), held(until), released)
    both.when('remove', remove('2026-03-01T12:00:00.000Z')).gives({ type: 'CardRemoved', data: { card: 'pm_1' } })
  })
})

describe('a payout account', () => {
  const { given } = deciderSpec(payoutAccountAndDebtDecider)

  const opened: PayoutAccountOrDebtEvent = { type: 'PayoutAccountOpened', data: { account: 'acct_1' } }
  const changed = (ready: boolean, released: string[] = []): PayoutAccountOrDebtEvent => ({
    type: 'PayoutAccountChanged',
    data: { ready, submitted: ready, requirements: ready ? [] : ['individual.dob'], released },
  })
  const held = (payment: string): PayoutAccountOrDebtEvent => ({ type: 'ShareHeld', data: { payment } })
  test('is opened only once', () => {
    given().when('open', { account: 'acct_1' }).gives(opened)
    given(opened).when('open', { account: 'acct_2' }).gives()
  })
  test('holds shares until it is ready, and then releases them all', () => {
    given(opened).when('hold', { payment: 'y1' }).gives(held('y1'))
    given(opened, held('y1')).when('hold', { payment: 'y1' }).gives()
    given(opened, held('y1'), held('y2'))
      .when('change', { ready: true, submitted: true, requirements: [] })
      .gives(changed(true, ['y1', 'y2']))
    const after = given(opened, held('y1'), changed(true, ['y1']))
    expect(after.state.held).toEqual([])
    expect(given(opened, held('y1'), held('y2'), changed(false, ['y1'])).state.held).toEqual(['y2'])
    after.when('hold', { payment: 'y2' }).gives()
  })
  test('records only status changes, and holds shares again if it is no longer ready', () => {
    given(opened, changed(true)).when('change', { ready: true, submitted: true, requirements: [] }).gives()
    given().when('change', { ready: true, submitted: true, requirements: [] }).gives()
    const now = { ready: false, submitted: false, requirements: ['individual.dob'] }
    given(opened)
      .when('change', { ...now, requirements: [] })
      .gives()
    for (const one of [{ ready: true }, { submitted: true }, { requirements: ['individual.dob', 'external_account'] }]) {
      const data = { ...now, ...one, released: [] }
      given(opened, changed(false))
        .when('change', { ...now, ...one })
        .gives({ type: 'PayoutAccountChanged', data })
    }
    given(opened, held('y1'), changed(false))
      .when('change', { ...now, submitted: true })
      .givesLike({ data: { released: [] } })
    given(opened, changed(true), changed(false)).when('hold', { payment: 'y1' }).gives(held('y1'))
  })
  describe('with a debt of its instructor', () => {
    const incurred = (payment: string, amount: number): PayoutAccountOrDebtEvent => ({
      type: 'DebtIncurred',
      data: { payment, nth: 1, amount },
    })
    const netted = (payment: string, amount: number): PayoutAccountOrDebtEvent => ({
      type: 'DebtNetted',
      data: { payment, nth: 1, amount },
    })
    test('nets each share once, and leaves at least one cent of it', () => {
      given(opened).when('net', { payment: 'y2', nth: 1, share: 1200 }).gives()
      given(incurred('y1', 1500)).when('net', { payment: 'y2', nth: 1, share: 1200 }).gives(netted('y2', 1199))
      given(incurred('y1', 500)).when('net', { payment: 'y2', nth: 1, share: 1200 }).gives(netted('y2', 500))
      given(incurred('y1', 1500), netted('y2', 700)).when('net', { payment: 'y2', nth: 1, share: 1200 }).gives()
      given(incurred('y1', 500), netted('y2', 500)).when('net', { payment: 'y3', nth: 1, share: 1200 }).gives()
    })
    test('changes the debt by the amount of each transfer', () => {
      given().when('settle', { payment: 'y1', nth: 1, cents: 1500 }).gives(incurred('y1', 1500))
      given(incurred('y1', 1500)).when('settle', { payment: 'y1', nth: 1, cents: 1500 }).gives()
      given(netted('y2', 700)).when('settle', { payment: 'y2', nth: 1, cents: 0 }).gives(incurred('y2', 700))
      given(incurred('y1', 1500)).when('settle', { payment: 'y2', nth: 1, cents: -300 }).gives(netted('y2', 300))
      expect(debtCentsOfPayoutState(given(incurred('y1', 1500), netted('y2', 700)).state)).toBe(800)
    })
  })
  describe('when an administrator waives a debt', () => {
    const at = '2026-06-01T00:00:00.000Z'
    const incurred = (payment: string, amount: number): PayoutAccountOrDebtEvent => ({
      type: 'DebtIncurred',
      data: { payment, nth: 1, amount },
    })
    const netted = (payment: string, amount: number): PayoutAccountOrDebtEvent => ({
      type: 'DebtNetted',
      data: { payment, nth: 1, amount },
    })
    const waiver = (id: string, amount: number) => ({ waiver: id, amount, reason: 'Our mistake', at })
    const waived = (id: string, amount: number): PayoutAccountOrDebtEvent => ({ type: 'DebtWaived', data: waiver(id, amount) })
    test('reduces the debt by that amount, and nets the rest', () => {
      given(incurred('y1', 1500)).when('waive', waiver('w1', 1000)).gives(waived('w1', 1000))
      const after = given(incurred('y1', 1500), waived('w1', 1000))
      expect(debtCentsOfPayoutState(after.state)).toBe(500)
      after.when('net', { payment: 'y2', nth: 1, share: 1200 }).gives(netted('y2', 500))
      expect(debtWaiversOf(after.state)).toEqual([{ amount: 1000, reason: 'Our mistake', at }])
    })
    test('accepts a waiver once, and for no more than is owed', () => {
      given(incurred('y1', 1500), waived('w1', 1000)).when('waive', waiver('w1', 1000)).gives()
      given(incurred('y1', 1500), waived('w1', 1000)).when('waive', waiver('w2', 501)).refuses('debt-changed', 'cents')
      given(incurred('y1', 1500), netted('y2', 1500)).when('waive', waiver('w1', 1)).refuses('debt-changed', 'cents')
    })
    test('gives no credit against later debts if shares pay the waived debt as well', () => {
      const ended = given(incurred('y1', 1500), waived('w1', 1500), netted('y1', 1500))
      expect(debtCentsOfPayoutState(ended.state)).toBe(0)
      expect(debtCentsOfPayoutState(given(incurred('y1', 1500), waived('w1', 1500), netted('y1', 1500), incurred('y2', 700)).state)).toBe(
        700,
      )
    })
  })
  test('shows whether there is no account, an unfinished one, or one ready for transfers', () => {
    expect([given().state, given(opened).state, given(opened, changed(true)).state].map(payoutStatus)).toEqual(['none', 'started', 'ready'])
  })
})
