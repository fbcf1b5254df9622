import type { BenchmarkFigure } from './benchmark-figure.ts'
import { startDemoAndBrowser } from './demo-and-browser.ts'
import { median } from './http-load-and-cpu-time-helpers.ts'
import {
  type LargestPaint,
  MAX_DASHBOARD_PAINT_MS,
  MAX_STAGE_PAINT_MS,
  measureLargestPaintOfScreen,
  pathOfFolderWithFeedback,
  startNextWaitingReview,
} from './largest-paint-measurement.ts'

const RUNS = 5

/**
 * F4: the largest contentful paint of signed-in screens on a phone with slow 4G, 4 × CPU slowdown and an empty cache, simulated by
 * Lighthouse, median of five.
 */
export default async function measureLargestPaint(): Promise<BenchmarkFigure[]> {
  const site = await startDemoAndBrowser()
  const figures: BenchmarkFigure[] = []
  try {
    const [playersFolder, studio] = [await pathOfFolderWithFeedback(site), await startNextWaitingReview(site)]
    for (const [who, path, name, bar] of [
      ['player', '/player/dashboard', "a player's dashboard", MAX_DASHBOARD_PAINT_MS],
      ['instructor', '/instructor/dashboard', 'the queue', MAX_DASHBOARD_PAINT_MS],
      ['player', playersFolder, 'a folder with feedback', MAX_STAGE_PAINT_MS],
      ['instructor', studio, 'the studio', MAX_STAGE_PAINT_MS],
    ] as const) {
      const seen: LargestPaint[] = []
      while (seen.length < RUNS) seen.push(await measureLargestPaintOfScreen(site, who, path))
      console.log(`${path}: ${seen.map(({ ms, what }) => `${Math.round(ms)} ms ${what}`).join(' · ')}`)
      figures.push({
        id: 'F4',
        name: `largest contentful paint of ${name}`,
        value: median(seen.map(s => s.ms)),
        unit: 'ms',
        bar,
        better: 'less',
      })
    }
    return figures
  } finally {
    await site.stop()
  }
}
