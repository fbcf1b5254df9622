import { MAX_VOICE_MS } from '../reviews/policy.ts'
import type { VideoProperties } from './contract.ts'
import {
  BASE_PREPARATION_CPU_SECONDS,
  BASE_PREPARATION_WALL_SECONDS,
  CPU_BUDGET_MULTIPLIER_FOR_ALL_TRIES,
  CPU_SECONDS_PER_FRAME,
  MAX_PREPARATION_WALL_SECONDS,
  MAX_PROBE_CPU_SECONDS,
  MIN_PIXELS_PER_CPU_SECOND,
  MIN_SOUND_SECONDS_PER_CPU_SECOND,
  WALL_SECONDS_PER_CPU_SECOND,
} from './policy.ts'
import type { PreparationRequest } from './preparation-process/protocol.ts'

type Kind = PreparationRequest['kind']
type DeclaredMedia = Pick<VideoProperties, 'frames' | 'width' | 'height' | 'milliseconds'>

/** The CPU seconds of one attempt. @param declared what the container declares; null for a video that was not probed yet */
export function maxCpuSecondsPerTry(kind: Kind, declared: DeclaredMedia | null): number {
  if (kind === 'voice') return BASE_PREPARATION_CPU_SECONDS + MAX_VOICE_MS / 1000 / MIN_SOUND_SECONDS_PER_CPU_SECOND
  if (!declared) return BASE_PREPARATION_CPU_SECONDS + MAX_PROBE_CPU_SECONDS
  const { frames, width, height, milliseconds } = declared
  const pictures = (frames * width * height) / MIN_PIXELS_PER_CPU_SECOND + frames * CPU_SECONDS_PER_FRAME
  return BASE_PREPARATION_CPU_SECONDS + pictures + milliseconds / 1000 / MIN_SOUND_SECONDS_PER_CPU_SECOND
}

/** The wall-clock seconds for the same work on a busy machine. */
export const wallClockBudget = (cpuSeconds: number) =>
  Math.min(MAX_PREPARATION_WALL_SECONDS, BASE_PREPARATION_WALL_SECONDS + cpuSeconds * WALL_SECONDS_PER_CPU_SECOND)

/**
 * The CPU seconds of all tries together. A try that was killed from outside counts toward no other limit, so without this one a file whose process
 * is killed every time would be tried forever. A valid file uses a tenth of one budget each time, so it can be killed many times.
 */
export const cpuBudgetOfAllTries = (kind: Kind, declared: DeclaredMedia | null) =>
  CPU_BUDGET_MULTIPLIER_FOR_ALL_TRIES * maxCpuSecondsPerTry(kind, declared)
