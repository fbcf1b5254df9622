import type { VideoProperties } from './contract.ts'
import { type FrameTable, frameCount } from './frames.ts'
import { CAPTURE_RATE_TAG } from './policy.ts'

/** Slow-motion cameras record at least this many frames per second. */
const MIN_SLOW_MOTION_RATE = 100
/** The factors by which phones slow down a part of a video. */
const SLOW_MOTION_FACTORS = [2, 4, 8]
/** A frame duration counts as one of the video's speeds if at least this share of all frames has it. */
const MIN_PACE_PART = 0.1

/**
 * The number of frames that the camera recorded per second, if the container shows that the video does not play at that rate, as in slow
 * motion that was exported as an ordinary video. Android stores the rate in a tag. In an iPhone's file, the part in slow motion plays at a
 * half, a quarter or an eighth of the speed of the parts before and after it.
 * @returns null if nothing shows a rate that differs from the video's by more than 5%
 */
export function detectCaptureRate(tags: Record<string, unknown>, table: FrameTable): VideoProperties['captureRate'] {
  const ticks = table.runs.reduce((sum, [count, delta]) => sum + count * delta, 0)
  const rate = (frameCount(table) * table.scale) / ticks
  const captured = numberOfTag(tags[CAPTURE_RATE_TAG]) ?? rateOfFasterPace(table)
  const isPlausible = captured !== null && captured >= 1 && captured <= 10_000 && Math.abs(captured / rate - 1) > 0.05
  return isPlausible ? { rate: Math.round(captured * 1000) / 1000, by: 'file' } : null
}

/** The value of a metadata tag that is a number, a string (NaN if it is not numeric) or a four-byte float; null for any other tag. */
function numberOfTag(tag: unknown): number | null {
  if (tag instanceof Uint8Array && tag.byteLength === 4) return new DataView(tag.buffer, tag.byteOffset).getFloat32(0)
  return typeof tag === 'string' || typeof tag === 'number' ? Number(tag) : null
}

/** The highest of several frame rates of a video, if it is high enough for slow motion and the others are ½, ¼ or ⅛ of it; else null. */
function rateOfFasterPace({ scale, runs }: FrameTable): number | null {
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
