import { expect, it } from 'vitest'
import { ffmpeg } from '../../support/clips.ts'
import { engines, judged, seenIn } from '../../support/engines.ts'

const here = ffmpeg && engines.chromium
it.skipIf(!here)('frames asked for in the player are the frames seen (needs ffmpeg and Chromium)', { timeout: 180_000 }, async () => {
  const frames = 8
  const seen = await seenIn('chromium', [
    { name: '29.97.mp4', prepared: false, frames },
    { name: '240.mov', prepared: true, frames },
    { name: 'mixed.mov', prepared: false, frames },
    { name: 'edit-list.mp4', prepared: true, frames },
    { name: 'vp8-live.webm', prepared: true, frames },
    { name: 'hevc.mov', prepared: true, frames },
  ])
  const { played, asked, wrong, refused } = judged(seen)
  expect({ played, asked, wrong }).toEqual({ played: 6, asked: 6 * frames, wrong: 0 })
  expect(refused).toBeLessThan(3)
})
