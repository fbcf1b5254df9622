import { describe, expect, test } from 'vitest'
import { fold } from '../../../modules/kernel/decider.ts'
import { type PerksEvent, perks, termsOf } from '../../../modules/rewards/perks.ts'

const given = (...events: PerksEvent[]) => fold(perks, events as { type: string; data: unknown }[])
const credits = (purchase: string, folders: number): PerksEvent => ({ type: 'CreditsAdded', data: { purchase, folders } })
const points = (payment: string, n: number): PerksEvent => ({ type: 'PointsEarned', data: { payment, friend: 'p2', points: n } })
const reserved = (assignment: string, credit: boolean, referral: boolean, n: number): PerksEvent => ({
  type: 'TermsReserved',
  data: { assignment, folder: 'f1', player: 'p1', terms: { credit, referral, points: n }, referrer: referral ? 'p9' : null },
})
const ask = (assignment: string, referrer: string | null = null) => ({ assignment, folder: 'f1', player: 'p1', referrer })
const { decide } = perks

describe('what makes an assignment cheaper', () => {
  test('is a package credit before anything else', () => {
    expect(termsOf(given(credits('b1', 3), points('y1', 150)), 'p9')).toEqual({ credit: true, referral: false, points: 0 })
  })
  test("is the friend's discount once, with points up to half the base", () => {
    expect(termsOf(given(points('y1', 900)), 'p9')).toEqual({ credit: false, referral: true, points: 750 })
    expect(termsOf(given(points('y1', 900), reserved('a1', false, true, 750)), 'p9')).toEqual({
      credit: false,
      referral: false,
      points: 150,
    })
  })
  test('is set aside for one assignment and not given twice', () => {
    const one = given(credits('b1', 1))
    expect(decide.reserve(one, ask('a1'))).toEqual(reserved('a1', true, false, 0))
    const after = given(credits('b1', 1), reserved('a1', true, false, 0))
    expect(decide.reserve(after, ask('a1'))).toEqual([])
    expect(decide.reserve(after, ask('a2'))).toEqual([])
    expect(after.credits).toBe(0)
  })
  test('comes back when the assignment comes to nothing, once', () => {
    const back: PerksEvent = { type: 'TermsReturned', data: { assignment: 'a1' } }
    const events = [points('y1', 100), reserved('a1', false, true, 100)]
    expect(decide.giveBack(given(...events), { assignment: 'a1' })).toEqual(back)
    const after = given(...events, back)
    expect(termsOf(after, 'p9')).toEqual({ credit: false, referral: true, points: 100 })
    expect(decide.giveBack(after, { assignment: 'a1' })).toEqual([])
    expect(decide.reserve(after, ask('a1', 'p9'))).toEqual(reserved('a1', false, true, 100))
  })
  test('is counted once for each purchase and each payment', () => {
    expect(decide.credit(given(), { purchase: 'b1', folders: 3 })).toEqual(credits('b1', 3))
    expect(decide.credit(given(credits('b1', 3)), { purchase: 'b1', folders: 3 })).toEqual([])
    expect(decide.earn(given(), { payment: 'y1', friend: 'p2', points: 150 })).toEqual(points('y1', 150))
    expect(decide.earn(given(points('y1', 150)), { payment: 'y1', friend: 'p2', points: 150 })).toEqual([])
  })
})
