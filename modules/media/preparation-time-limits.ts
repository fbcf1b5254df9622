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
import type { SupervisedPreparationOrder } from './preparation-process/protocol.ts'

type Kind = SupervisedPreparationOrder['kind']
type DeclaredMedia = Pick<VideoProperties, 'frames' | 'width' | 'height' | 'milliseconds'>

/** The maximum CPU seconds of one try. @param declared what the container declares; null for a video that has not been probed yet */
export function maxCpuSecondsPerTry(kind: Kind, declared: DeclaredMedia | null): number {
  if (kind === 'voice') return BASE_PREPARATION_CPU_SECONDS + MAX_VOICE_MS / 1000 / MIN_SOUND_SECONDS_PER_CPU_SECOND
  if (!declared) return BASE_PREPARATION_CPU_SECONDS + MAX_PROBE_CPU_SECONDS
  const { frames, width, height, milliseconds } = declared
  const pictures = (frames * width * height) / MIN_PIXELS_PER_CPU_SECOND + frames * CPU_SECONDS_PER_FRAME
  return BASE_PREPARATION_CPU_SECONDS + pictures + milliseconds / 1000 / MIN_SOUND_SECONDS_PER_CPU_SECOND
}

/** The maximum wall-clock seconds, even on a busy machine, for work that may use `cpuSeconds` of CPU time. */
export const wallClockBudget = (cpuSeconds: number) =>
  Math.min(MAX_PREPARATION_WALL_SECONDS, BASE_PREPARATION_WALL_SECONDS + cpuSeconds * WALL_SECONDS_PER_CPU_SECOND)

/**
 * The maximum CPU seconds of all tries together. Some tries count toward no other limit, such as those that end because their server stops,
 * so without this one a file could use CPU time forever. A valid file uses at most a tenth of one try's budget, so it can be interrupted
 * many times.
 */
export const cpuBudgetOfAllTries = (kind: Kind, declared: DeclaredMedia | null) =>
  CPU_BUDGET_MULTIPLIER_FOR_ALL_TRIES * maxCpuSecondsPerTry(kind, declared)
