import { expect, test } from 'vitest'
import { detectCaptureRate } from '../../../modules/media/detect-capture-rate.ts'
import type { FrameTable } from '../../../modules/media/frames.ts'

const table = (scale: number, ...runs: FrameTable['runs']): FrameTable => ({ version: 1, scale, first: 0, runs })
const even = table(30, [300, 1])
const float = (n: number) => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setFloat32(0, n)
  return bytes
}

test.each([
  ['no tag', {}, even, null],
  ["Android's tag as a float", { 'com.android.capture.fps': float(240) }, even, 240],
  ["Android's tag as a text", { 'com.android.capture.fps': '119.88' }, even, 119.88],
  ['a tag with the rate of the file', { 'com.android.capture.fps': float(30) }, even, null],
  ['a tag with more than three decimals', { 'com.android.capture.fps': 239.76024 }, even, 239.76],
  [
    'a tag as a float in the middle of a buffer',
    { 'com.android.capture.fps': Uint8Array.of(9, 9, ...float(120), 9).subarray(2, 6) },
    even,
    120,
  ],
  ['a tag of eight bytes', { 'com.android.capture.fps': Uint8Array.of(...float(240), ...float(240)) }, even, null],
  ['a tag that is not a number', { 'com.android.capture.fps': 'fast' }, even, null],
  ['a tag that is a boolean', { 'com.android.capture.fps': true }, even, null],
  ['a tag below the slowest rate', { 'com.android.capture.fps': '0.9' }, even, null],
  ['a tag with the slowest rate', { 'com.android.capture.fps': '1' }, even, 1],
  ['a tag with the fastest rate', { 'com.android.capture.fps': '10000' }, even, 10_000],
  ['a tag above the fastest rate', { 'com.android.capture.fps': '10001' }, even, null],
  ['a tag with the rate of a file whose frames have many ticks', { 'com.android.capture.fps': '30' }, table(600, [300, 20]), null],
  ['a tag less than 5 % above the rate of the file', { 'com.android.capture.fps': '31.4' }, even, null],
  ['a tag less than 5 % below the rate of the file', { 'com.android.capture.fps': '28.6' }, even, null],
  ['a tag more than 5 % above the rate of the file', { 'com.android.capture.fps': '31.6' }, even, 31.6],
  ['a tag more than 5 % below the rate of the file', { 'com.android.capture.fps': '28.4' }, even, 28.4],
  ['one eighth of the speed in the middle, as an iPhone exports it', {}, table(1200, [120, 5], [240, 40], [120, 5]), 240],
  ['a quarter of the speed at the end', {}, table(2400, [60, 20], [100, 80]), 120],
  ['half the speed at the start', {}, table(600, [100, 10], [60, 5]), 120],
  ['just fast enough for slow motion', {}, table(600, [60, 6], [100, 12]), 100],
  ['just not fast enough for slow motion', {}, table(599, [60, 6], [100, 12]), null],
  ['several slow parts, together a tenth of the frames', {}, table(1200, [45, 5], [5, 40], [45, 5], [5, 40]), 240],
  ['a slow part of less than a tenth of the frames', {}, table(1200, [91, 5], [9, 40]), null],
  ['about half the speed', {}, table(24_000, [100, 100], [50, 203]), 240],
  ['a little more than half the speed', {}, table(24_000, [100, 100], [50, 195]), null],
  ['a little less than half the speed', {}, table(24_000, [100, 100], [50, 205]), null],
  ['half, a quarter and an eighth of the speed', {}, table(1200, [100, 5], [40, 10], [40, 20], [40, 40]), 240],
  ['half the speed and an unrelated speed', {}, table(1200, [100, 5], [50, 10], [50, 15]), null],
  ['one speed and many frames of different lengths', {}, table(600, [85, 5], [5, 10], [5, 20], [5, 40]), null],
  ['a phone that sometimes drops frames', {}, table(600, [100, 5], [1, 10], [200, 5], [1, 10]), null],
  ['30 frames a second that slow down in the dark', {}, table(600, [100, 20], [50, 40]), null],
  ['two unrelated speeds', {}, table(600, [100, 5], [100, 15]), null],
] as const)('the capture rate is detected correctly: %s', (_, tags, frames, rate) => {
  expect(detectCaptureRate(tags, frames as never)).toEqual(rate && { rate, by: 'file' })
})
