import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_NOTES_PER_REVIEW, MAX_VIDEO_BYTES, MAX_VIDEOS_PER_SESSION } from '../../../modules/folders/policy.ts'
import { BASE_PRICE_CENTS, MAX_MEDIA_SERVICE_FEE_CENTS, MIN_CHARGE_CENTS } from '../../../modules/payments/policy.ts'
import {
  type BillableQuantities,
  calculatePrice,
  FULL_PRICE_TERMS,
  MAX_POINTS_PER_ASSIGNMENT,
  quotePriceBeforeReview,
} from '../../../modules/payments/pricing.ts'

const MB = 1024 * 1024
const terms = fc.record({ credit: fc.boolean(), referral: fc.boolean(), points: fc.nat(5000) })
const videos = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: MAX_VIDEO_BYTES }) }), {
  minLength: 1,
  maxLength: MAX_VIDEOS_PER_SESSION,
})
const notes = fc.nat(MAX_NOTES_PER_REVIEW)
const billed = (of: { bytes: number }[], written: number): BillableQuantities => ({
  videos: of.length,
  bytes: of.reduce((all, v) => all + v.bytes, 0),
  notes: written,
})

describe('the price', () => {
  test('of one short clip with five notes is the base price plus a fee of 50 cents', () => {
    expect(calculatePrice({ billable: { videos: 1, bytes: 100 * MB, notes: 5 }, terms: FULL_PRICE_TERMS })).toEqual({
      items: [
        { label: 'Feedback session', cents: 1500 },
        { label: 'Media Service Fee: 1 video', cents: 50 },
      ],
      total: 1550,
      share: 1200,
    })
  })
  test('rises with each started 100 MB after the first and each note after the fifth', () => {
    expect(calculatePrice({ billable: { videos: 2, bytes: 200 * MB + 1, notes: 8 }, terms: FULL_PRICE_TERMS }).items.slice(1)).toEqual([
      { label: 'Media Service Fee: 2 videos', cents: 100 },
      { label: 'Media Service Fee: 2 × 100 MB over the first 100 MB', cents: 100 },
      { label: 'Media Service Fee: 3 notes past the first 5', cents: 75 },
    ])
  })
  test('stops rising at the cap', () => {
    const { items, total } = calculatePrice({ billable: { videos: 3, bytes: 1500 * MB, notes: 60 }, terms: FULL_PRICE_TERMS })
    expect(total).toBe(2500)
    expect(items.at(-1)).toEqual({ label: 'Media Service Fee: capped at $10.00', cents: -1225 })
    // Three videos, 14 steps of 100 MB past the free size and six notes past the first five add up to exactly the cap.
    const just = calculatePrice({ billable: { videos: 3, bytes: 1500 * MB, notes: 11 }, terms: FULL_PRICE_TERMS })
    expect([just.total, just.items.at(-1)]).toEqual([2500, { label: 'Media Service Fee: 6 notes past the first 5', cents: 150 }])
  })
  test('never exceeds the maximum that the player accepted, even if that is zero', () => {
    const billable = { videos: 1, bytes: MB, notes: 9 }
    const of = (atMost?: number) => calculatePrice({ billable, terms: { ...FULL_PRICE_TERMS, ...(atMost !== undefined && { atMost }) } })
    expect(of(1600)).toMatchObject({ total: 1600, share: 1200 })
    expect(of(1600).items.at(-1)).toEqual({ label: 'Reduced to the maximum you agreed to', cents: -50 })
    expect(of(0).total).toBe(0)
    for (const enough of [of(1650), of(2500), of()]) expect([enough.total, enough.items.length]).toEqual([1650, 3])
  })
  test('is quoted for all videos together, item by item and with its maximum', () => {
    const { items, total, atMost } = quotePriceBeforeReview({ videos: [{ bytes: 90 * MB }, { bytes: 60 * MB }], terms: FULL_PRICE_TERMS })
    expect([items.map(i => i.cents), total, atMost]).toEqual([[1500, 100, 50], 1650, 2500])
  })
  test('is reduced by 10% for a referral, and by points up to half the base price', () => {
    const { items, total } = calculatePrice({
      billable: { videos: 1, bytes: 1, notes: 0 },
      terms: { credit: false, referral: true, points: 900 },
    })
    expect(items.slice(2)).toEqual([
      { label: 'Referral discount: 10%', cents: -150 },
      { label: '750 points', cents: -750 },
    ])
    expect(total).toBe(650)
  })
  test('is only the fee if a package credit is used', () => {
    expect(
      calculatePrice({ billable: { videos: 1, bytes: 1, notes: 0 }, terms: { credit: true, referral: true, points: 100 } }).items,
    ).toEqual([
      { label: 'Feedback session', cents: 1500 },
      { label: 'Media Service Fee: 1 video', cents: 50 },
      { label: 'Package credit', cents: -1500 },
    ])
  })
  test("is never below the provider's minimum, and discounts do not change the share", () => {
    fc.assert(
      fc.property(videos, notes, terms, (v, n, t) => {
        const { total, share } = calculatePrice({ billable: billed(v, n), terms: t })
        expect(total).toBeGreaterThanOrEqual(MIN_CHARGE_CENTS)
        expect(share).toBe(1200)
      }),
    )
  })
  test('is the sum of its items, in whole cents', () => {
    fc.assert(
      fc.property(videos, notes, terms, (v, n, t) => {
        const { items, total } = calculatePrice({ billable: billed(v, n), terms: t })
        expect(items.every(i => Number.isInteger(i.cents) && i.cents !== 0)).toBe(true)
        expect(items.reduce((all, i) => all + i.cents, 0)).toBe(total)
      }),
    )
  })
  test('never exceeds its quote, and the quote never exceeds $25', () => {
    fc.assert(
      fc.property(videos, notes, terms, (v, n, t) => {
        const quoted = quotePriceBeforeReview({ videos: v, terms: t })
        const { total } = calculatePrice({ billable: billed(v, n), terms: t })
        expect(quoted.total).toBeLessThanOrEqual(total)
        expect(total).toBeLessThanOrEqual(quoted.atMost)
        expect(quoted.atMost).toBeLessThanOrEqual(BASE_PRICE_CENTS + MAX_MEDIA_SERVICE_FEE_CENTS)
      }),
    )
  })
  test('never falls with more videos or notes, and never rises with more points', () => {
    fc.assert(
      fc.property(videos, notes, terms, fc.nat(MAX_VIDEO_BYTES), fc.nat(10), fc.nat(500), (v, n, t, bytes, more, points) => {
        const billable = billed(v, n)
        const total = (b: BillableQuantities, p = t.points) => calculatePrice({ billable: b, terms: { ...t, points: p } }).total
        expect(total({ ...billable, bytes: billable.bytes + bytes })).toBeGreaterThanOrEqual(total(billable))
        expect(total({ ...billable, notes: n + more })).toBeGreaterThanOrEqual(total(billable))
        expect(total({ ...billable, videos: v.length + more })).toBeGreaterThanOrEqual(total(billable))
        expect(total(billable, t.points + points)).toBeLessThanOrEqual(total(billable))
      }),
    )
  })
  test('is reduced by at most $7.50 of points', () => {
    expect(MAX_POINTS_PER_ASSIGNMENT).toBe(750)
  })
})
