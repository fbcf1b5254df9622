import { describe, expect, test } from 'vitest'
import { Draft, Review } from '../../../modules/folders/contract.ts'
import { Refused } from '../../../modules/kernel/store.ts'
import { checkReview, sizeOf } from '../../../modules/reviews/check.ts'

const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`
const [swing, tee] = [id(1), id(2)]
const videos = [
  { id: swing, milliseconds: 5000, frames: 300 },
  { id: tee, milliseconds: 0 },
]
const shape = (n: number, from = 10) => ({ id: id(n), tool: 'line' as const, color: 0, width: 45, p: [1, 1, 2, 2], from, hold: 1, fade: 0 })
const review = (over: Partial<Review> = {}): Review => ({
  notes: [
    { id: id(10), video: swing, at: 1000, frame: 60, until: 80, kind: 'technique', text: 'Hands', shapes: [shape(20), shape(21, 299)] },
    { id: id(11), video: tee, at: 9000, frame: 99_999, kind: 'tip', text: '', shapes: [shape(22, 99_999)] },
  ],
  summary: 'Good.',
  grades: [
    { skill: 'hitting', grade: 50 },
    { skill: 'pitching', grade: 55 },
  ],
  ...over,
})
const refused = (over: Partial<Review>) => {
  try {
    checkReview(videos, review(over))
  } catch (error) {
    expect(error).toBeInstanceOf(Refused)
    return (error as Refused).field
  }
  return 'taken'
}
const [first, second] = review().notes as [Review['notes'][number], Review['notes'][number]]

test('a whole review with everything in it is taken', () => {
  expect(Review.parse(review())).toEqual(review())
  expect(Draft.parse(review())).toEqual(review())
  checkReview(videos, review())
})

test('a review from before there were drawings is taken as it was', () => {
  const old = { notes: [{ id: id(10), video: swing, at: 5000, kind: 'tip', text: 'Balance' }], summary: 'Good.', grades: [] }
  expect(Review.parse(old)).toEqual(old)
  checkReview(videos, Review.parse(old))
})

describe('what a review refuses, and where', () => {
  test.each<[string, Partial<Review>, string]>([
    ['a note on a video of another folder', { notes: [first, { ...second, video: id(99) }] }, 'notes.1.video'],
    ['a moment past the end', { notes: [{ ...first, at: 5001 }] }, 'notes.0.at'],
    ['a frame past the end', { notes: [second, { ...first, frame: 300, until: undefined }] }, 'notes.1.frame'],
    ['a range past the end', { notes: [{ ...first, until: 300 }] }, 'notes.0.until'],
    ['a range that ends before it begins', { notes: [{ ...first, until: 59 }] }, 'notes.0.until'],
    ['a drawing past the end', { notes: [{ ...first, shapes: [shape(20), shape(21, 300)] }] }, 'notes.0.shapes.1.from'],
    ['two grades for one skill', { grades: [...review().grades, { skill: 'pitching', grade: 60 }] }, 'grades.2'],
    ['one drawing twice', { notes: [{ ...first, shapes: [shape(20), shape(20)] }, second] }, 'notes'],
    ['201 drawings', { notes: [{ ...first, shapes: Array.from({ length: 200 }, (_, i) => shape(1000 + i)) }, second] }, 'notes'],
  ])('%s', (_, over, field) => expect(refused(over)).toBe(field))

  test('300 kB, and says how much is over', () => {
    const long = (points: number) => ({
      ...shape(70),
      tool: 'pen' as const,
      p: Array.from({ length: 2 * points }, (_, i) => (i % 4 < 2 ? 1111 : -1111)),
    })
    const shapes = Array.from({ length: 110 }, (_, i) => ({ ...long(300), id: id(1000 + i) }))
    const large = review({ notes: [{ ...first, shapes }, second] })
    expect(sizeOf(large)).toBeGreaterThan(300_000)
    expect(() => checkReview(videos, large)).toThrow(`This review is ${Math.ceil((sizeOf(large) - 300_000) / 1000)} KB too large.`)
  })

  test.each<[string, unknown]>([
    ['a note that says nothing', { ...review(), notes: [{ ...first, text: ' ', shapes: [] }] }],
    ['what it does not know', { ...review(), music: [] }],
  ])('by its form: %s', (_, it) => expect(Review.safeParse(it).success).toBe(false))
})

test('a draft may still lack words', () => {
  const half = { ...review(), summary: '', notes: [{ ...first, text: '', shapes: [] }] }
  expect(Draft.safeParse(half).success).toBe(true)
})
