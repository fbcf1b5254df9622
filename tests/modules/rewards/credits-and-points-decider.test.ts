import { describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../modules/kernel/store.ts'
import type { PriceTerms } from '../../../modules/payments/pricing.ts'
import {
  type CreditsAndPointsEvent,
  creditsAndPointsDecider,
  pointsHistoryOf,
  priceTermsOf,
  unusedPackageCredits,
} from '../../../modules/rewards/credits-and-points-decider.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

const { given } = deciderSpec(creditsAndPointsDecider)
const credits = (purchase: string, folders: number): CreditsAndPointsEvent => ({ type: 'CreditsAdded', data: { purchase, folders } })
const points = (payment: string, n: number): CreditsAndPointsEvent => ({ type: 'PointsEarned', data: { payment, friend: 'p2', points: n } })
const reserved = (assignment: string, credit: boolean, referral: boolean, n: number): CreditsAndPointsEvent => ({
  type: 'TermsReserved',
  data: { assignment, folder: 'f1', player: 'p1', terms: { credit, referral, points: n }, referrer: referral ? 'p9' : null },
})
const fromPack = (assignment: string, purchase: string): CreditsAndPointsEvent => ({
  type: 'TermsReserved',
  data: { assignment, folder: 'f1', player: 'p1', terms: { credit: true, purchase, referral: false, points: 0 }, referrer: null },
})
const reserveCommand = (assignment: string, terms: Partial<PriceTerms> = {}, referrer: string | null = null) => ({
  assignment,
  folder: 'f1',
  player: 'p1',
  referral: referrer === null ? null : { referrer },
  terms: { credit: false, referral: false, points: 0, ...terms },
})
const kept = (assignment: string, times: number): CreditsAndPointsEvent => ({
  type: 'TermsKept',
  data: { assignment, folder: 'f1', player: 'p1', times },
})
const back = (assignment: string): CreditsAndPointsEvent => ({ type: 'TermsReturned', data: { assignment } })
const revoked = (purchase: string, cause: string, folders: number, whole = true): CreditsAndPointsEvent => ({
  type: 'CreditsRevoked',
  data: { purchase, cause, folders, whole },
})
const restored = (purchase: string, cause: string, folders: number): CreditsAndPointsEvent => ({
  type: 'CreditsRestored',
  data: { purchase, cause, folders },
})

describe('the discounts of an assignment', () => {
  test('use a package credit first', () => {
    expect(priceTermsOf(given(credits('b1', 3), points('y1', 150)).state, { referrer: 'p9' })).toEqual({
      credit: true,
      purchase: 'b1',
      referral: false,
      points: 0,
    })
  })
  test('include the referral discount once, and points up to half the base price', () => {
    expect(priceTermsOf(given(points('y1', 900)).state, { referrer: 'p9' })).toEqual({ credit: false, referral: true, points: 750 })
    expect(priceTermsOf(given(points('y1', 900), reserved('a1', false, true, 750)).state, { referrer: 'p9' })).toEqual({
      credit: false,
      referral: false,
      points: 150,
    })
  })
  test('are reserved for one assignment and not given twice', () => {
    const one = given(credits('b1', 1))
    const credit = { credit: true, purchase: 'b1' }
    one.when('reserve', reserveCommand('a1', credit)).gives(fromPack('a1', 'b1'))
    const after = given(credits('b1', 1), fromPack('a1', 'b1'))
    // After another attempt, the reserved credits stay reserved, however long ago the first attempt was.
    after.when('reserve', reserveCommand('a1', credit)).gives(kept('a1', 1))
    const tried = given(credits('b1', 1), fromPack('a1', 'b1'), kept('a1', 1))
    tried.when('reserve', reserveCommand('a1', credit)).gives(kept('a1', 2))
    expect(unusedPackageCredits(tried.state)).toBe(0)
    tried.when('giveBack', { assignment: 'a1', furtherAttempts: 0 }).gives()
    for (const its of [{ furtherAttempts: 1 }, {}]) tried.when('giveBack', { assignment: 'a1', ...its }).gives(back('a1'))
    after.when('giveBack', { assignment: 'a1', furtherAttempts: 0 }).gives(back('a1'))
    expect(given(credits('b1', 1), kept('a1', 1)).state.reserved).toEqual({})
    after.when('reserve', reserveCommand('a2')).gives()
    expect(unusedPackageCredits(after.state)).toBe(0)
  })
  test('are refused if they differ from what the player saw', () => {
    const one = given(credits('b1', 1), credits('b2', 1), points('y1', 100))
    for (const seen of [{}, { credit: true, purchase: 'b2' }, { points: 100 }, { referral: true }])
      expect(one.when('reserve', reserveCommand('a1', seen)).decide).toThrow('The price has changed')
    one.when('reserve', reserveCommand('a1')).refuses('price-changed')
    // A command that names the right package but uses no credit is refused, although our code never sends one.
    one.when('reserve', reserveCommand('a1', { purchase: 'b1' })).refuses('price-changed')
    const few = given(points('y1', 100))
    few.when('reserve', reserveCommand('a1', { points: 100 })).gives(reserved('a1', false, false, 100))
    expect(few.when('reserve', reserveCommand('a1', { points: 200 })).decide).toThrow('The price has changed')
    expect(few.when('reserve', reserveCommand('a1', { points: 100 }, 'p9')).decide).toThrow('The price has changed')
    expect(few.when('reserve', reserveCommand('a1', { points: 100, referral: true })).decide).toThrow('The price has changed')
  })
  test('are returned once if the assignment is canceled', () => {
    const events = [points('y1', 100), reserved('a1', false, true, 100)]
    given(...events)
      .when('giveBack', { assignment: 'a1' })
      .gives(back('a1'))
    const after = given(...events, back('a1'))
    expect(priceTermsOf(after.state, { referrer: 'p9' })).toEqual({ credit: false, referral: true, points: 100 })
    after.when('giveBack', { assignment: 'a1' }).gives()
    const command = reserveCommand('a1', { referral: true, points: 100 }, 'p9')
    const reservation = reserved('a1', false, true, 100)
    after.when('reserve', command).gives(reservation)
    // The discount outlasts the account of the player who referred this one.
    const ownerless = { ...reservation, data: { ...reservation.data, referrer: null } } as CreditsAndPointsEvent
    after.when('reserve', { ...command, referral: { referrer: null } }).gives(ownerless)
  })
  test("count each purchase and each friend's first payment once", () => {
    given().when('credit', { purchase: 'b1', folders: 3 }).gives(credits('b1', 3))
    given(credits('b1', 3)).when('credit', { purchase: 'b1', folders: 3 }).gives()
    given().when('earn', { payment: 'y1', friend: 'p2', points: 150 }).gives(points('y1', 150))
    given(points('y1', 150)).when('earn', { payment: 'y1', friend: 'p2', points: 150 }).gives()
    // A friend earns their referrer points only once, with the first folder. Another friend's payment earns points again.
    given(points('y1', 150)).when('earn', { payment: 'y2', friend: 'p2', points: 150 }).gives()
    given(points('y1', 150)).when('earn', { payment: 'y1', friend: 'p3', points: 150 }).gives()
    given(points('y1', 150))
      .when('earn', { payment: 'y3', friend: 'p3', points: 150 })
      .givesLike({ data: { friend: 'p3' } })
  })
})

test('the points history lists earned, spent and returned points', () => {
  const events = [
    points('y1', 150),
    reserved('a1', false, false, 100),
    reserved('a2', false, true, 0),
    reserved('a3', false, false, 40),
    credits('b1', 3),
    back('a2'),
    back('a3'),
    back('a1'),
  ].map((e, i) => ({ ...e, at: `2026-03-0${i + 1}` }) as unknown as RecordedEvent)
  expect(pointsHistoryOf(events)).toEqual([
    { at: '2026-03-01', type: 'earned', points: 150 },
    { at: '2026-03-02', type: 'spent', points: -100 },
    { at: '2026-03-04', type: 'spent', points: -40 },
    { at: '2026-03-07', type: 'returned', points: 40 },
    { at: '2026-03-08', type: 'returned', points: 100 },
  ])
})

test("returning reserved points leaves another assignment's referral discount reserved", () => {
  const events = [points('y1', 300), reserved('a1', false, true, 100), reserved('a2', false, false, 100), back('a2')]
  expect(given(...events).state).toMatchObject({ points: 200, referred: true })
  expect(given(...events, back('a1')).state).toMatchObject({ points: 300, referred: false })
})

describe('the credits of several packages', () => {
  const two = [credits('b1', 2), credits('b2', 3)]
  test('are used in the order of purchase, and returned to their own package', () => {
    const used = [...two, fromPack('a1', 'b1'), fromPack('a2', 'b1')]
    expect(priceTermsOf(given(...two).state, null).purchase).toBe('b1')
    expect(priceTermsOf(given(...used).state, null).purchase).toBe('b2')
    const after = given(...used, fromPack('a3', 'b2'), back('a1'))
    expect([after.state.packs.b1!.left, after.state.packs.b2!.left, unusedPackageCredits(after.state)]).toEqual([1, 2, 3])
  })
  test('reserved without naming a package come from the oldest and return to it', () => {
    const old = given(...two, reserved('a1', true, false, 0), reserved('a2', true, false, 0), reserved('a3', true, false, 0))
    expect([old.state.packs.b1!.left, old.state.packs.b2!.left]).toEqual([0, 2])
    expect(old.state.reserved.a3!.terms.purchase).toBe('b2')
    expect(given(...two, reserved('a1', true, false, 0), back('a1')).state.packs.b1!.left).toBe(2)
  })
  test('are revoked by a refund of their package; credits of other packages stay', () => {
    const whole = { purchase: 'b2', cause: 'r1', folders: 3, whole: true }
    given(...two, fromPack('a1', 'b2'))
      .when('revoke', whole)
      .gives(revoked('b2', 'r1', 2))
    const after = given(...two, revoked('b2', 'r1', 3))
    expect([after.state.packs.b1!.left, after.state.packs.b2!.left]).toEqual([2, 0])
    after.when('revoke', whole).gives()
    given(...two)
      .when('revoke', { ...whole, purchase: 'b9' })
      .gives()
    given(...two)
      .when('revoke', { purchase: 'b2', cause: 'r1', folders: 1, whole: false })
      .gives(revoked('b2', 'r1', 1, false))
    given(...two)
      .when('revoke', { purchase: 'b2', cause: 'r1', folders: 9, whole: false })
      .gives(revoked('b2', 'r1', 3, false))
  })
  test('are restored if the refund fails, including those returned in the meantime', () => {
    const events = [...two, fromPack('a1', 'b2'), revoked('b2', 'r1', 2), back('a1')]
    expect(unusedPackageCredits(given(...events).state)).toBe(2)
    given(...events)
      .when('restore', { purchase: 'b2', cause: 'r1' })
      .gives(restored('b2', 'r1', 3))
    const after = given(...events, restored('b2', 'r1', 3))
    expect([after.state.packs.b2!.left, unusedPackageCredits(after.state)]).toEqual([3, 5])
    after.when('restore', { purchase: 'b2', cause: 'r1' }).gives()
    given(...two)
      .when('restore', { purchase: 'b9', cause: 'r1' })
      .gives()
  })
  test('stay usable if returned after a refund of only the unused credits', () => {
    const after = given(...two, fromPack('a1', 'b2'), revoked('b2', 'r1', 2, false), back('a1'))
    expect(after.state.packs.b2!.left).toBe(1)
  })
  test('stay revoked while another refund covers the whole package', () => {
    const after = given(...two, revoked('b1', 'r1', 2), revoked('b1', 'dp_1', 0), restored('b1', 'r1', 2))
    expect(after.state.packs.b1).toEqual({ left: 0, taken: { dp_1: { folders: 2, whole: true } } })
    after.when('restore', { purchase: 'b1', cause: 'dp_1' }).gives(restored('b1', 'dp_1', 2))
  })
})
