import { expect, it } from 'vitest'
import { ENGINE_COMMANDS, randomFrames, showFramesIn, summarizeFrameReports } from '../support/browser-engines.ts'
import { ffmpeg } from '../support/test-clips.ts'

const canRun = ffmpeg && ENGINE_COMMANDS.chromium
it.skipIf(!canRun)('the player shows exactly the requested frames (needs ffmpeg and Chromium)', async () => {
  const frames = 8
  const reports = await showFramesIn(
    'chromium',
    await Promise.all([
      randomFrames('29.97.mp4', false, frames),
      randomFrames('240.mov', true, frames),
      randomFrames('mixed.mov', false, frames),
      randomFrames('edit-list.mp4', true, frames),
      randomFrames('vp8-live.webm', true, frames),
      randomFrames('hevc.mov', true, frames),
    ]),
  )
  const { played, asked, wrong, refused } = summarizeFrameReports(reports)
  expect({ played, asked, wrong }).toEqual({ played: 6, asked: 6 * frames, wrong: 0 })
  expect(refused).toBeLessThan(3)
})
