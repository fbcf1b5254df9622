import { expect, test } from 'vitest'
import { captureRate } from '../../../modules/media/capture.ts'
import type { FrameTable } from '../../../modules/media/frames.ts'

const table = (scale: number, ...runs: FrameTable['runs']): FrameTable => ({ version: 1, scale, first: 0, runs })
const even = table(30, [300, 1])
const float = (n: number) => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setFloat32(0, n)
  return bytes
}

test.each([
  ['nothing noted', {}, even, null],
  ['noted as a float by Android', { 'com.android.capture.fps': float(240) }, even, 240],
  ['noted as words', { 'com.android.capture.fps': '119.88' }, even, 119.88],
  ['noted, and the same as the file', { 'com.android.capture.fps': float(30) }, even, null],
  ['nonsense noted', { 'com.android.capture.fps': 'fast' }, even, null],
  ['an eighth of the pace in the middle, as an iPhone exports it', {}, table(1200, [120, 5], [240, 40], [120, 5]), 240],
  ['a quarter of the pace at the end', {}, table(2400, [60, 20], [100, 80]), 120],
  ['a phone that falls behind now and then', {}, table(600, [100, 5], [1, 10], [200, 5], [1, 10]), null],
  ['30 frames a second with a slower part in the dark', {}, table(600, [100, 20], [50, 40]), null],
  ['two paces that have nothing to do with each other', {}, table(600, [100, 5], [100, 15]), null],
] as const)('the rate of real time: %s', (_, tags, frames, rate) => {
  expect(captureRate(tags, frames as never)).toEqual(rate && { rate, by: 'file' })
})
