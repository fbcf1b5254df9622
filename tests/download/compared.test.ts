import { expect, test } from 'vitest'
import { timeline } from '../../modules/media/frames.ts'
import type { Comparison, Shape } from '../../modules/reviews/contract.ts'
import type { NamedPair } from '../../src/comparison/named-clips.ts'
import { momentsOf } from '../../src/download/compared.ts'

const at = (rate: number, frames: number) => timeline({ version: 1, scale: rate, first: 0, runs: [[frames, 1]] })
const pair = (captured?: number) =>
  [{ clip: { media: {} } }, { clip: { media: captured ? { captureRate: { rate: captured } } : {} } }] as unknown as NamedPair
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

test('where nothing is drawn, the moment both clips are synced on', () => {
  expect(momentsOf(compared([], []), pair(), TIMES)).toEqual([[10, 40]])
})

test('what is drawn on one clip stands beside what the other shows meanwhile, in order, and each moment once', () => {
  // A frame of the slower one is eight of the other.
  expect(momentsOf(compared([12, 12], [40, 56, 60]), pair(), TIMES)).toEqual([
    [10, 40],
    [12, 56],
    [12, 60],
  ])
})

test('by real time, where a file plays slower than life', () => {
  expect(momentsOf(compared([12], []), pair(480), TIMES)).toEqual([[12, 72]])
})

test('no more than four, within both clips; and what nobody has counted stands at its own frames', () => {
  expect(momentsOf(compared([0, 1, 2, 30, 59], []), pair(), TIMES)).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
    [30, 200],
  ])
  expect(momentsOf(compared([12], []), pair(), [null, TIMES[1]!])).toEqual([[10, 40]])
})
