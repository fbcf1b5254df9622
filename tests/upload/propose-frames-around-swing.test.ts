import { expect, test } from 'vitest'
import { frameTimeline } from '../../modules/media/frames.ts'
import { proposeFramesAroundSwing } from '../../src/upload/find-swing-by-sound.ts'

test('the proposed frames are from 2.5 s before to 1.5 s after the hit', () => {
  const times = frameTimeline({ version: 1, scale: 60, first: 30, runs: [[2400, 1]] })
  expect(proposeFramesAroundSwing(20.5, times, 'sound')).toEqual({ by: 'sound', seconds: 20.5, from: 1050, to: 1290 })
  expect(proposeFramesAroundSwing(1, times, 'sound')).toMatchObject({ from: 0, to: 120 })
  // A video that is hardly longer than a swing needs no trimming.
  expect(proposeFramesAroundSwing(1, frameTimeline({ version: 1, scale: 60, first: 0, runs: [[120, 1]] }), 'sound')).toBeNull()
})
