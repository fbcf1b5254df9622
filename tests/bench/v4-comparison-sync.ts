import { largestSyncLagMs, playComparisonsInEngine } from '../support/comparison-playthrough.ts'
import { BROWSER_LAUNCH_COMMANDS, type BrowserEngine } from '../support/run-player-in-browser-engine.ts'
import { ensureCustomTestClip, ensureTestClip } from '../support/test-clips.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'

const SECONDS = 10
const MOMENTS = 60
const RATES = [30, 240] as const
const x264 = (rate: number) => ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-pix_fmt', 'yuv420p', '-g', String(rate)]

/**
 * V4: plays ten-second clips of 30 and 240 frames per second side by side, at full and reduced speed, and measures the lag between the two,
 * read from the canvas. Also seeks while paused.
 */
export default async function measureComparisonSync(): Promise<BenchmarkFigure[]> {
  const [slow, fast] = await Promise.all(
    RATES.map(rate =>
      ensureCustomTestClip(`compared-${rate}.mp4`, {
        frames: SECONDS * rate,
        rate: `${rate}`,
        width: 1280,
        height: 720,
        encode: x264(rate),
      }),
    ),
  )
  const counts: [number, number] = [SECONDS * RATES[0], SECONDS * RATES[1]]
  const of = { files: [slow!, fast!] as [string, string], origins: [0, 0] as [number, number], moments: [] }
  const ways = [
    { name: 'on one clock, at 1×', exact: true, rate: 1, bar: true },
    { name: 'on one clock, at 0.25×', exact: true, rate: 0.25, bar: true },
    { name: 'in two <video>s that follow the clock, at 1×', exact: false, rate: 1, bar: false },
  ]
  const seen = await playComparisonsInEngine(
    'chromium',
    ways.map(({ exact, rate }) => ({ ...of, exact, rate })),
  )
  const played = seen.flatMap((its, i): BenchmarkFigure[] => {
    const { name, bar, rate } = ways[i]!
    const what = `30 beside 240 frames/s for ${SECONDS} s, ${name}`
    return [
      {
        id: 'V4',
        name: `${what}: largest lag between the two pictures`,
        value: largestSyncLagMs(its, counts),
        unit: 'ms',
        ...(bar && { bar: 1000 / RATES[0], better: 'less' as const }),
      },
      { id: 'V4', name: `${what}: screen pictures checked`, value: its.played.length, unit: '' },
      // A value above 1 means that the clock had to wait for frames.
      { id: 'V4', name: `${what}: time it took, relative to its length`, value: (its.took * rate) / its.longest, unit: '×' },
    ]
  })
  return [...played, ...(await standing())]
}

/**
 * In each installed engine, seeks to random times while paused, and compares the due frames with those on the canvas, whose size changes
 * each time.
 */
async function standing(): Promise<BenchmarkFigure[]> {
  const figures: BenchmarkFigure[] = []
  for (const engine of ['chromium', 'firefox', 'webkit'] satisfies BrowserEngine[]) {
    if (!BROWSER_LAUNCH_COMMANDS[engine]) {
      console.log(`${engine} is not here: not measured.`)
      continue
    }
    const files: [string, string] = [await ensureTestClip('30.mov'), await ensureTestClip('240.mov')]
    const moments = Array.from({ length: MOMENTS }, () => (Math.random() - 0.25) * 2400)
    const [its] = await playComparisonsInEngine(engine, [{ files, origins: [20, 100], exact: true, rate: 1, moments }])
    const wrong = its!.still.filter(({ due, seen }) => due.join() !== seen.join()).length
    figures.push({
      id: 'V4',
      name: `${engine}, ${MOMENTS} random times while paused: wrong pictures`,
      value: wrong,
      unit: '',
      bar: 0,
      better: 'less',
    })
  }
  return figures
}
