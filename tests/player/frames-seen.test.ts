import { expect, it } from 'vitest'
import { ffmpeg } from '../support/clips.ts'
import { atRandom, engines, judged, seenIn } from '../support/engines.ts'

const here = ffmpeg && engines.chromium
it.skipIf(!here)('frames asked for in the player are the frames seen (needs ffmpeg and Chromium)', async () => {
  const frames = 8
  const seen = await seenIn(
    'chromium',
    await Promise.all([
      atRandom('29.97.mp4', false, frames),
      atRandom('240.mov', true, frames),
      atRandom('mixed.mov', false, frames),
      atRandom('edit-list.mp4', true, frames),
      atRandom('vp8-live.webm', true, frames),
      atRandom('hevc.mov', true, frames),
    ]),
  )
  const { played, asked, wrong, refused } = judged(seen)
  expect({ played, asked, wrong }).toEqual({ played: 6, asked: 6 * frames, wrong: 0 })
  expect(refused).toBeLessThan(3)
})
