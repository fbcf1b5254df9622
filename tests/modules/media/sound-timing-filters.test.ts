import { expect, test } from 'vitest'
import { frameTimeline } from '../../../modules/media/frames.ts'
import {
  padSoundFilter,
  RESAMPLE_FILTER,
  trimSoundToPictureFilter,
} from '../../../modules/media/preparation-process/sound-timing-filters.ts'

test('sound has 48,000 samples a second and ends one AAC block after the picture', () => {
  expect(RESAMPLE_FILTER).toBe('aresample=48000:async=1000:first_pts=0')
  // Two seconds of video that start half a second late, and whose last frame is shown longer than the others.
  const times = frameTimeline({
    version: 1,
    scale: 600,
    first: 300,
    runs: [
      [58, 20],
      [1, 40],
    ],
  })
  expect(trimSoundToPictureFilter(times)).toBe('atrim=end=2.021333')
  expect(padSoundFilter(times)).toBe('apad=whole_dur=2.021333')
})
