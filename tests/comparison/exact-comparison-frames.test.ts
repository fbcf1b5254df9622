import { expect, it } from 'vitest'
import { largestSyncLagMs, playComparisonsInEngine } from '../support/comparison-playthrough.ts'
import { BROWSER_LAUNCH_COMMANDS } from '../support/run-player-in-browser-engine.ts'
import { ensureTestClip, ffmpegPath } from '../support/test-clips.ts'

const canRun = ffmpegPath && BROWSER_LAUNCH_COMMANDS.chromium
it.skipIf(!canRun)('a comparison shows the exact due frame of both clips (needs ffmpeg and Chromium)', async () => {
  const files = [await ensureTestClip('30.mov'), await ensureTestClip('240.mov')] as [string, string]
  const of = { files, origins: [20, 100] as [number, number], rate: 1 }
  const moments = [0, -416, 815.5, 4.3, 33.4, 66.5, -600, 1500, 100, 95.9, 91.7, 500]
  const [single, video] = await playComparisonsInEngine('chromium', [
    { ...of, exact: true, moments },
    { ...of, exact: false, moments: moments.slice(0, 4) },
  ])
  for (const { due, seen } of [...single!.still, ...video!.still]) expect(seen).toEqual(due)
  expect(single!.still[0]!.due).toEqual([20, 100])
  expect(single!.still[7]!.due).toEqual([65, 299])
  expect(single!.played.length).toBeGreaterThan(10)
  // The clips may be out of sync by at most one frame of the slower one, plus rounding.
  expect(largestSyncLagMs(single!, [75, 300])).toBeLessThan(1000 / 30 + 0.001)
  // The 240 fps clip, which is shorter, ends at its last frame; the other one plays on almost to its end.
  expect(single!.played.at(-1)!.seen[1]).toBe(299)
  expect(single!.played.at(-1)!.seen[0]).toBeGreaterThan(70)
  expect(video!.played.length).toBeGreaterThan(10)
})
