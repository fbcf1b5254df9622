import { expect, it } from 'vitest'
import {
  BROWSER_LAUNCH_COMMANDS,
  randomWantedFrames,
  showFramesInEngine,
  summarizeFrameReports,
} from '../support/run-player-in-browser-engine.ts'
import { ffmpegPath } from '../support/test-clips.ts'

const canRun = ffmpegPath && BROWSER_LAUNCH_COMMANDS.chromium
it.skipIf(!canRun)('the player shows exactly the requested frames (needs ffmpeg and Chromium)', async () => {
  const frames = 8
  const reports = await showFramesInEngine(
    'chromium',
    await Promise.all([
      randomWantedFrames('29.97.mp4', false, frames),
      randomWantedFrames('240.mov', true, frames),
      randomWantedFrames('mixed.mov', false, frames),
      randomWantedFrames('edit-list.mp4', true, frames),
      randomWantedFrames('vp8-live.webm', true, frames),
      randomWantedFrames('hevc.mov', true, frames),
    ]),
  )
  const { played, asked, wrong, refused } = summarizeFrameReports(reports)
  expect({ played, asked, wrong }).toEqual({ played: 6, asked: 6 * frames, wrong: 0 })
  expect(refused).toBeLessThan(3)
})
