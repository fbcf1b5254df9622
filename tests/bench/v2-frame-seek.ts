import { showFramesInEngine } from '../support/run-player-in-browser-engine.ts'
import { ensureCustomTestClip } from '../support/test-clips.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'

const FRAMES = 300
const STEPS = 120
/** A video such as phones record: 1080 lines, 60 frames per second, one keyframe per second, B-frames. */
const PHONE = {
  frames: FRAMES,
  rate: '60',
  width: 1920,
  height: 1080,
  encode: ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '24M', '-g', '60', '-pix_fmt', 'yuv420p'],
}
const order = {
  forward: Array.from({ length: STEPS }, (_, i) => 60 + i),
  back: Array.from({ length: STEPS }, (_, i) => 240 - i),
  'to a random frame': Array.from({ length: STEPS }, (_, i) => (i * 7919 + 13) % FRAMES),
}

const part = (numbers: number[], share: number) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)]!

/**
 * V2: measures the time from requesting a frame until it is shown, on the rendition and, in the same run, on a phone's original; and the
 * bytes downloaded.
 */
export default async function measureFrameSeek(): Promise<BenchmarkFigure[]> {
  const file = await ensureCustomTestClip('phone.mp4', PHONE)
  const asked = Object.entries(order).flatMap(([way, frames]) =>
    [true, false].map(prepared => ({ way, name: way, file, prepared, frames })),
  )
  const seen = await showFramesInEngine('chromium', asked)
  return seen.flatMap(({ prepared, milliseconds, bytes }, i): BenchmarkFigure[] => {
    const { way } = asked[i]!
    const what = `a step ${way} on ${prepared ? 'the rendition' : "a phone's original"} of 1080p60`
    // Only the rendition has a limit. Other load on the machine also slows down the original in the same run, so its figure reveals a
    // disturbed run.
    const bar = prepared && way !== 'to a random frame'
    return [
      { id: 'V2', name: `${what}, p50`, value: part(milliseconds, 0.5), unit: 'ms', ...(bar && { bar: 20, better: 'less' }) },
      { id: 'V2', name: `${what}, p95`, value: part(milliseconds, 0.95), unit: 'ms', ...(bar && { bar: 50, better: 'less' }) },
      {
        id: 'V2',
        name: `bytes downloaded for ${STEPS} steps ${way}, ${prepared ? 'rendition' : 'original'}`,
        value: (bytes ?? 0) / 2 ** 20,
        unit: 'MB',
      },
    ]
  })
}
