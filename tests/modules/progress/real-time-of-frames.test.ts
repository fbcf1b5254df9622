import { expect, test } from 'vitest'
import type { VideoProperties } from '../../../modules/media/contract.ts'
import { frameTimeline } from '../../../modules/media/frames.ts'
import { needsFrameTable, realTimeOfFrames } from '../../../modules/progress/real-time-of-frames.ts'

const media = (over: Partial<VideoProperties>): VideoProperties => ({
  container: 'mov',
  codec: 'hevc',
  width: 1080,
  height: 1920,
  rotation: 90,
  milliseconds: 5000,
  frames: 150,
  rate: [30, 1],
  variable: false,
  hdr: false,
  sound: true,
  captureRate: null,
  ...over,
})
/** 240 frames per second, then 60. */
const times = frameTimeline({
  version: 1,
  scale: 240,
  first: 12,
  runs: [
    [10, 1],
    [10, 4],
  ],
})

test.each([
  ['the rate of the file', { media: media({ rate: [30_000, 1001] }) }, 30, 1001],
  ['the capture rate in the file', { media: media({ captureRate: { rate: 240, by: 'file' } }) }, 120, 500],
  ['the rate set by a person, before all others', { captureRate: 120, media: media({ captureRate: { rate: 240, by: 'file' } }) }, 60, 500],
  ['the frame table if the rate varies', { media: media({ rate: null, variable: true }), times }, 12, (10 + 2 * 4) * (1000 / 240)],
])('the real time of frames is computed from %s', (_, filming, frame, ms) => {
  expect(realTimeOfFrames(filming)!(0)).toBe(0)
  expect(realTimeOfFrames(filming)!(frame)).toBeCloseTo(ms, 6)
})

test('the real time is unknown without a frame rate or a frame table', () => {
  expect(realTimeOfFrames({ media: null })).toBeNull()
  expect(realTimeOfFrames({ media: media({ rate: null, variable: true }) })).toBeNull()
  expect(needsFrameTable({ media: media({ rate: null, variable: true }) })).toBe(true)
  expect([
    needsFrameTable({ media: null }),
    needsFrameTable({ media: media({}) }),
    needsFrameTable({ captureRate: 240, media: media({ rate: null }) }),
  ]).toEqual([false, false, false])
})
