import { expect, it } from 'vitest'
import { BROWSER_LAUNCH_COMMANDS, randomFrameRequest, showFramesInEngine, summarizeFrameReports } from '../support/browser-engines.ts'
import { ffmpeg } from '../support/test-clips.ts'

const canRun = ffmpeg && BROWSER_LAUNCH_COMMANDS.chromium
it.skipIf(!canRun)('the player shows exactly the requested frames (needs ffmpeg and Chromium)', async () => {
  const frames = 8
  const reports = await showFramesInEngine(
    'chromium',
    await Promise.all([
      randomFrameRequest('29.97.mp4', false, frames),
      randomFrameRequest('240.mov', true, frames),
      randomFrameRequest('mixed.mov', false, frames),
      randomFrameRequest('edit-list.mp4', true, frames),
      randomFrameRequest('vp8-live.webm', true, frames),
      randomFrameRequest('hevc.mov', true, frames),
    ]),
  )
  const { played, asked, wrong, refused } = summarizeFrameReports(reports)
  expect({ played, asked, wrong }).toEqual({ played: 6, asked: 6 * frames, wrong: 0 })
  expect(refused).toBeLessThan(3)
})
