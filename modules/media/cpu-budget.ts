import { MAX_VOICE_MS } from '../reviews/policy.ts'
import type { PreparationOrder } from './child/protocol.ts'
import type { Media } from './contract.ts'
import {
  BASE_CPU_SECONDS,
  BASE_SECONDS,
  CPU_SECONDS_PER_FRAME,
  MAX_BUDGETS_OVER_ALL_TRIES,
  PIXELS_PER_CPU_SECOND,
  PREPARE_SECONDS,
  PROBE_CPU_SECONDS,
  SECONDS_PER_CPU_SECOND,
  SOUND_SECONDS_PER_CPU_SECOND,
} from './policy.ts'

type Kind = PreparationOrder['kind']
type Promised = Pick<Media, 'frames' | 'width' | 'height' | 'milliseconds'>

/** The CPU seconds of one attempt, by what the container promises; `promised` is null for a film that was not read yet. */
export function cpuBudget(kind: Kind, promised: Promised | null): number {
  if (kind === 'voice') return BASE_CPU_SECONDS + MAX_VOICE_MS / 1000 / SOUND_SECONDS_PER_CPU_SECOND
  if (!promised) return BASE_CPU_SECONDS + PROBE_CPU_SECONDS
  const { frames, width, height, milliseconds } = promised
  const pictures = (frames * width * height) / PIXELS_PER_CPU_SECOND + frames * CPU_SECONDS_PER_FRAME
  return BASE_CPU_SECONDS + pictures + milliseconds / 1000 / SOUND_SECONDS_PER_CPU_SECOND
}

/** The wall-clock seconds for the same work on a busy machine. */
export const wallClockBudget = (cpuSeconds: number) => Math.min(PREPARE_SECONDS, BASE_SECONDS + cpuSeconds * SECONDS_PER_CPU_SECOND)

/**
 * Seconds of a core that all tries together may take. A try that was killed from outside counts for nothing else, so a file that is only ever
 * ended that way would be tried without end; a sound one uses a tenth of a budget each time, and outlives a storm of kills.
 */
export const cpuBudgetOfAllTries = (kind: Kind, promised: Promised | null) => MAX_BUDGETS_OVER_ALL_TRIES * cpuBudget(kind, promised)
