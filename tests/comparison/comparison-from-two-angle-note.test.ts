import { describe, expect, test } from 'vitest'
import type { Note } from '../../modules/folders/contract.ts'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { isComparisonOfTwoSessionClips, twoAngleComparisonOfNote } from '../../src/comparison/comparison-from-two-angle-note.ts'
import { decodePoints } from '../../src/drawing/point-encoding-and-simplification.ts'
import { measureShapeText } from '../../src/drawing/shape-text-font-and-size.ts'
import { createFramePainter } from '../../src/review-video/frame-painter.ts'
import { createSampleClipData, lineFromFrame, noteOnFrame } from '../review-video/sample-review.ts'

const clips = [createSampleClipData('a'), createSampleClipData('b', { width: 720, height: 1280 })]
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
    const { sides, mode } = twoAngleComparisonOfNote(note, { notes: [note] }, clips)!
    expect(mode).toBe('side')
    expect(sides).toMatchObject([
      { video: 'a', origin: 60, offset: 0, scale: 1, shapes: [{ id: 's' }] },
      { video: 'b', origin: 31, offset: 0, scale: 1, shapes: [] },
    ])
  })

  test("takes layout and rates from the review's comparison, but has its own clip order", () => {
    const comparisons = [comparison('c', 'a'), comparison('b', 'a')]
    const { sides, mode, title } = twoAngleComparisonOfNote(note, { notes: [note], comparisons }, clips)!
    expect([mode, title]).toEqual(['slider', ''])
    expect(sides).toMatchObject([
      { video: 'a', origin: 60, offset: 0, scale: 1 },
      { video: 'b', origin: 31, offset: 0, scale: 2 },
    ])
  })

  test('mirrors its drawings on a clip that the comparison mirrors', () => {
    createFramePainter({ width: 16, height: 9 }) // Provides the canvas that measures texts.
    const text = lineFromFrame('t', 60, { tool: 'text', text: 'Late', p: [2000, 5000] })
    const noteWithText = { ...note, shapes: [lineFromFrame('s', 60), text] }
    const onB = noteOnFrame('m', 31, { video: 'b', shapes: [{ ...text, id: 'u' }, lineFromFrame('v', 31)] })
    const mirrored = comparison('a', 'b')
    mirrored.sides = mirrored.sides.map(side => ({ ...side, mirrored: true })) as Comparison['sides']
    const shapesOf = (sides: Comparison['sides']) => sides.map(side => side.shapes!.map(shape => decodePoints(shape.p)))

    const { sides } = twoAngleComparisonOfNote(noteWithText, { notes: [noteWithText, onB], comparisons: [mirrored] }, clips)!
    expect(sides).toMatchObject([{ mirrored: true }, { mirrored: true }])
    const left = (aspect: number) => Math.round(8000 - measureShapeText(text, aspect).width)
    expect(left(16 / 9)).toBeLessThan(7700)
    const line = [
      { x: 8000, y: 5000 },
      { x: 2000, y: 5000 },
    ]
    expect(shapesOf(sides)).toEqual([
      [line, [{ x: left(16 / 9), y: 5000 }]],
      [[{ x: left(9 / 16), y: 5000 }], line],
    ])
  })

  test('does not become a comparison if the second angle or the frame is missing', () => {
    const { frame: _, ...timed }: Note = note
    expect(twoAngleComparisonOfNote(noteOnFrame('n', 60), { notes: [] }, clips)).toBeNull()
    expect(twoAngleComparisonOfNote(timed, { notes: [] }, clips)).toBeNull()
  })
})

test('only a comparison of two clips of the same session can show two angles', () => {
  const clips = [{ id: 'a' }, { id: 'b' }]
  expect(isComparisonOfTwoSessionClips(comparison('a', 'b'), clips)).toBe(true)
  expect(isComparisonOfTwoSessionClips(comparison('a', 'a'), clips)).toBe(false)
  expect(isComparisonOfTwoSessionClips(comparison('a', 'earlier'), clips)).toBe(false)
})
