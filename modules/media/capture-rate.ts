import type { Media } from './contract.ts'
import { type FrameTable, frameCount } from './frames.ts'

/** Slow-motion cameras record at least this many frames a second. */
const MIN_SLOW_MOTION_RATE = 100
/** By which factors a phone slows down the slow part of a video. */
const SLOW_MOTION_FACTORS = [2, 4, 8]
/** The share of frames that must have a pace before it counts. */
const MIN_PACE_PART = 0.1

/**
 * Frames per second of real time, if the container shows that its own clock differs: slow motion that was flattened by an export. Android records
 * the rate in a file that plays slower. An iPhone writes the swing at a half, a quarter or an eighth of the pace before and after it.
 */
export function captureRate(tags: Record<string, unknown>, table: FrameTable): Media['captureRate'] {
  const ticks = table.runs.reduce((sum, [count, delta]) => sum + count * delta, 0)
  const rate = (frameCount(table) * table.scale) / ticks
  const captured = noted(tags['com.android.capture.fps']) ?? ramped(table)
  const sane = captured !== null && captured >= 1 && captured <= 10_000 && Math.abs(captured / rate - 1) > 0.05
  return sane ? { rate: Math.round(captured * 1000) / 1000, by: 'file' } : null
}

/** A bare number, or a float of four bytes. */
function noted(tag: unknown): number | null {
  if (tag instanceof Uint8Array && tag.byteLength === 4) return new DataView(tag.buffer, tag.byteOffset).getFloat32(0)
  return typeof tag === 'string' || typeof tag === 'number' ? Number(tag) : null
}

/** The faster of two paces of a video, if the other one is a half, a quarter or an eighth of it. */
function ramped({ scale, runs }: FrameTable): number | null {
  const all = runs.reduce((sum, [count]) => sum + count, 0)
  const counts = new Map<number, number>()
  for (const [count, delta] of runs) counts.set(delta, (counts.get(delta) ?? 0) + count)
  const paces = [...counts].filter(([, count]) => count >= all * MIN_PACE_PART).map(([delta]) => delta)
  const fastest = Math.min(...paces)
  const isSlower = (delta: number) => SLOW_MOTION_FACTORS.some(times => Math.abs(delta / fastest / times - 1) < 0.02)
  return paces.length > 1 && scale / fastest >= MIN_SLOW_MOTION_RATE && paces.every(d => d === fastest || isSlower(d))
    ? scale / fastest
    : null
}
