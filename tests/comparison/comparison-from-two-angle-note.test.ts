import { describe, expect, test } from 'vitest'
import type { Note } from '../../modules/folders/contract.ts'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { isComparisonOfTwoSessionClips, twoAngleComparisonOfNote } from '../../src/comparison/comparison-from-two-angle-note.ts'
import { lineFromFrame, noteOnFrame } from '../review-video/sample-review.ts'

const note = noteOnFrame('n', 60, { otherAngle: { video: 'b', frame: 31 }, shapes: [lineFromFrame('s', 60)] })
const comparison = (...videos: [string, string]): Comparison => ({
  id: 'c',
  title: 'Side and front',
  mode: 'slider',
  stretch: false,
  sides: videos.map(video => ({ folder: 'f', video, origin: 5, offset: 40, scale: video === 'b' ? 2 : 1 })) as Comparison['sides'],
})

describe('a note with two angles', () => {
  test('becomes a comparison synced on its two frames, with the drawings of the notes', () => {
    const { sides, mode } = twoAngleComparisonOfNote(note, { notes: [note] })!
    expect(mode).toBe('side')
    expect(sides).toMatchObject([
      { video: 'a', origin: 60, offset: 0, scale: 1, shapes: [{ id: 's' }] },
      { video: 'b', origin: 31, offset: 0, scale: 1, shapes: [] },
    ])
  })

  test("takes layout and rates from the review's comparison, but has its own clip order", () => {
    const { sides, mode, title } = twoAngleComparisonOfNote(note, {
      notes: [note],
      comparisons: [comparison('c', 'a'), comparison('b', 'a')],
    })!
    expect([mode, title]).toEqual(['slider', ''])
    expect(sides).toMatchObject([
      { video: 'a', origin: 60, offset: 0, scale: 1 },
      { video: 'b', origin: 31, offset: 0, scale: 2 },
    ])
  })

  test('does not become a comparison if the second angle or the frame is missing', () => {
    const { frame: _, ...timed }: Note = note
    expect(twoAngleComparisonOfNote(noteOnFrame('n', 60), { notes: [] })).toBeNull()
    expect(twoAngleComparisonOfNote(timed, { notes: [] })).toBeNull()
  })
})

test('only a comparison of two clips of the same session can show two angles', () => {
  const clips = [{ id: 'a' }, { id: 'b' }]
  expect(isComparisonOfTwoSessionClips(comparison('a', 'b'), clips)).toBe(true)
  expect(isComparisonOfTwoSessionClips(comparison('a', 'a'), clips)).toBe(false)
  expect(isComparisonOfTwoSessionClips(comparison('a', 'earlier'), clips)).toBe(false)
})
