import { expect, test } from 'vitest'
import { frameTimeline } from '../../modules/media/frames.ts'
import type { Comparison, Shape } from '../../modules/reviews/contract.ts'
import type { LabeledClipPair } from '../../src/comparison/labeled-clips.ts'
import { framePairsToPrint } from '../../src/download/comparison-frame-pairs-to-print.ts'

const at = (rate: number, frames: number) => frameTimeline({ version: 1, scale: rate, first: 0, runs: [[frames, 1]] })
const pair = (captured?: number) =>
  [{ clip: { media: {} } }, { clip: { media: captured ? { captureRate: { rate: captured } } : {} } }] as unknown as LabeledClipPair
const drawn = (...frames: number[]) => frames.map(from => ({ id: String(from), from })) as Shape[]
const compared = (first: number[], second: number[], more: Partial<Comparison> = {}) => ({
  stretch: false,
  sides: [
    { folder: 'f', video: 'a', origin: 10, offset: 0, scale: 1, shapes: drawn(...first) },
    { folder: 'g', video: 'b', origin: 40, offset: 0, scale: 1, shapes: drawn(...second) },
  ] as Comparison['sides'],
  ...more,
})
const TIMES = [at(30, 60), at(240, 480)]

test('a comparison without drawings is printed at its synced moment', () => {
  expect(framePairsToPrint(compared([], []), pair(), TIMES)).toEqual([[10, 40]])
})

test('each drawn frame is printed once, with the frame of the other clip at that time', () => {
  // A frame of the slower clip lasts as long as eight frames of the other.
  expect(framePairsToPrint(compared([12, 12], [40, 56, 60]), pair(), TIMES)).toEqual([
    [10, 40],
    [12, 56],
    [12, 60],
  ])
})

test('the matching frame of slow-motion files is found by real time', () => {
  expect(framePairsToPrint(compared([12], []), pair(480), TIMES)).toEqual([[12, 72]])
})

test('at most four moments are printed, and only the synced one without frame tables', () => {
  expect(framePairsToPrint(compared([0, 1, 2, 30, 59], []), pair(), TIMES)).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
    [30, 200],
  ])
  expect(framePairsToPrint(compared([12], []), pair(), [null, TIMES[1]!])).toEqual([[10, 40]])
})
