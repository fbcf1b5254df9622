import type { ChildMessage, PreparationOrder } from './child/protocol.ts'
import type { Media } from './contract.ts'
import { cpuBudget, wallClockBudget } from './cpu-budget.ts'
import { MAX_MEMORY_BYTES, PREPARE_SECONDS, PROBE_CPU_SECONDS, PROBE_SECONDS } from './policy.ts'

/** The preparation exceeded a limit, which the message names. */
export class LimitExceeded extends Error {
  /** Of the clock, which a busy machine has a part in; all others say the same the next time. */
  readonly clock: boolean
  constructor(what: string, clock = false) {
    super(what)
    this.clock = clock
  }
}

export interface ReadLimits {
  lookCpuSeconds: number
  lookSeconds: number
  /** For all of it; what the file promised may allow less. */
  seconds: number
  memory: number
  /** Instead of what the file promised. */
  cpuSeconds?: number
}
const defaultLimits: ReadLimits = {
  lookCpuSeconds: PROBE_CPU_SECONDS,
  lookSeconds: PROBE_SECONDS,
  seconds: PREPARE_SECONDS,
  memory: MAX_MEMORY_BYTES,
}

/** A part of the work, with what it may take from its beginning on. */
interface Phase {
  is: 'moving bytes' | 'looking' | 'preparing'
  /** By the clock and in seconds of a core, at its beginning. */
  began: { at: number; cpu: number }
  cpuSeconds: number
  seconds: number
}
const PHASE_SUFFIX = { 'moving bytes': '', looking: ' to look into the file', preparing: '' }

/**
 * Measures a preparation against what it may take. Until a film has been looked into, that is little and the same for all; then it follows from
 * the frames and the pixels that its container promised. A voice-over promises no more than the longest that may be recorded, and how long the
 * video of a review will be is known before.
 * @param now seconds
 */
export function workMeter(
  { kind, promised = null }: Pick<PreparationOrder, 'kind'> & { promised?: Media | null | undefined },
  limits: Partial<ReadLimits>,
  now: number,
) {
  const most = { ...defaultLimits, ...limits }
  /** Seconds of a core that each process has used, by its number, when it was last measured. */
  const usedBy = new Map<number, number>()
  const cpu = () => [...usedBy.values()].reduce((sum, seconds) => sum + seconds, 0)
  let phase = moving(now)
  function moving(at: number): Phase {
    return { is: 'moving bytes', began: { at, cpu: cpu() }, cpuSeconds: Number.POSITIVE_INFINITY, seconds: Number.POSITIVE_INFINITY }
  }
  const preparing = (at: number, budget: number): Phase => {
    const cpuSeconds = most.cpuSeconds ?? budget
    return { is: 'preparing', began: { at, cpu: cpu() }, cpuSeconds, seconds: wallClockBudget(cpuSeconds) }
  }

  return {
    /** A word of the process that prepares. */
    hear(word: ChildMessage, at: number) {
      if (word.is === 'looking') {
        phase =
          kind !== 'rendition'
            ? preparing(at, cpuBudget(kind, promised))
            : { is: 'looking', began: { at, cpu: cpu() }, cpuSeconds: most.lookCpuSeconds, seconds: most.lookSeconds }
      }
      if (word.is === 'looked') phase = preparing(at, cpuBudget(kind, word.media))
      if (word.is === 'made') phase = moving(at)
    },
    /** What a process has used so far, seconds of a core and bytes of memory; null where the system does not tell. @returns the limit that is passed */
    measure(pid: number, used: { cpu: number; memory: number } | null, at: number): LimitExceeded | null {
      if (used) usedBy.set(pid, used.cpu)
      const { is, began, seconds, cpuSeconds } = phase
      if (at - now > most.seconds) return new LimitExceeded('time', true)
      if (at - began.at > seconds) return new LimitExceeded(`time${PHASE_SUFFIX[is]}`, true)
      if (used && used.memory > most.memory) return new LimitExceeded(`memory: ${Math.round(used.memory / 1e6)} MB`)
      return cpu() - began.cpu > cpuSeconds ? new LimitExceeded(`work${PHASE_SUFFIX[is]}`) : null
    },
    /** Seconds of a core that all of it has taken so far. */
    cpuSeconds: cpu,
  }
}
