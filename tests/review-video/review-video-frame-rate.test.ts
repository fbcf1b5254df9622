import { expect, test } from 'vitest'
import { SOUND_SAMPLE_RATE_HZ } from '../../modules/media/preparation-process/sound-timing-filters.ts'
import { REVIEW_VIDEO_FRAME_RATES, reviewVideoFrameRate } from '../../src/review-video/review-video-size-and-frame-rate.ts'
import { createSampleClipData, sampleReviewedSession, sampleVideoPropertiesAtRate } from './sample-review.ts'

const rateOf = (...rates: ([number, number] | null)[]) =>
  reviewVideoFrameRate(
    sampleReviewedSession(
      {},
      rates.map(rate => createSampleClipData('a', { media: sampleVideoPropertiesAtRate(rate) })),
    ),
  )

test.each([
  ['23.976', [[24000, 1001]], 24],
  ['25', [[25, 1]], 25],
  ['29.97', [[30000, 1001]], 30],
  ['59.94', [[60000, 1001]], 60],
  ['240', [[240, 1]], 60],
  ['45', [[45, 1]], 50],
  ['5', [[5, 1]], 24],
  [
    '30 and one of 60',
    [
      [30, 1],
      [60, 1],
    ],
    60,
  ],
  // The sample clip has 300 frames in 5 seconds.
  ['a varying number around 60', [null], 60],
] as [string, ([number, number] | null)[], number][])(
  'a clip of %s frames per second gets a review video with all frames, up to 60',
  (_, rates, expected) => {
    expect(rateOf(...rates)).toBe(expected)
  },
)

test('slow motion that was exported at a low rate plays at the rate of the file', () => {
  const media = sampleVideoPropertiesAtRate([30, 1], { captureRate: { rate: 240, by: 'file' } })
  expect(reviewVideoFrameRate(sampleReviewedSession({}, [createSampleClipData('a', { media })]))).toBe(30)
})

test('a review video of a clip without a probe has 30 frames per second', () => {
  expect(reviewVideoFrameRate(sampleReviewedSession({}))).toBe(30)
})

test('at every frame rate a frame lasts a whole number of sound samples', () => {
  for (const rate of REVIEW_VIDEO_FRAME_RATES) expect(Number.isInteger(SOUND_SAMPLE_RATE_HZ / rate)).toBe(true)
})
