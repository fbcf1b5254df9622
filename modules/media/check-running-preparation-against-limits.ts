import type { VideoProperties } from './contract.ts'
import { MAX_PREPARATION_MEMORY_BYTES, MAX_PREPARATION_WALL_SECONDS, MAX_PROBE_CPU_SECONDS, MAX_PROBE_WALL_SECONDS } from './policy.ts'
import type { PreparationMessage, SupervisedPreparationOrder } from './preparation-process/protocol.ts'
import { maxCpuSecondsPerTry, wallClockBudget } from './preparation-time-limits.ts'

/** The preparation exceeded a limit, which the message names. */
export class LimitExceededError extends Error {
  /** Whether the limit was wall-clock time, so that a busy machine may be the cause. Another try would exceed any other limit again. */
  readonly clock: boolean
  constructor(what: string, clock = false) {
    super(what)
    this.clock = clock
  }
}

export interface PreparationLimits {
  probeCpuSeconds: number
  probeSeconds: number
  /** The wall-clock limit of the whole preparation, in seconds. A phase may have a lower one. */
  seconds: number
  memory: number
  /** Replaces the budget computed from the declared content. */
  cpuSeconds?: number
}
const defaultLimits: PreparationLimits = {
  probeCpuSeconds: MAX_PROBE_CPU_SECONDS,
  probeSeconds: MAX_PROBE_WALL_SECONDS,
  seconds: MAX_PREPARATION_WALL_SECONDS,
  memory: MAX_PREPARATION_MEMORY_BYTES,
}

/** A part of the work with its limits, counted from its beginning. */
interface Phase {
  is: 'transferring' | 'probing' | 'preparing'
  /** Time and CPU seconds at its beginning. */
  began: { at: number; cpu: number }
  cpuSeconds: number
  seconds: number
}
const PHASE_SUFFIX = { transferring: '', probing: ' while probing the file', preparing: '' }

/**
 * Measures a preparation against its limits. During the probe, these are small and the same for all videos; after it, they follow from the
 * frames and pixels that the container declares. A voice-over gets the limits for the longest recording that is allowed. The content of a
 * review video is known in advance.
 * @param now seconds
 */
export function trackPreparationUsage(
  { kind, promised = null }: Pick<SupervisedPreparationOrder, 'kind'> & { promised?: VideoProperties | null | undefined },
  limits: Partial<PreparationLimits>,
  now: number,
) {
  const max = { ...defaultLimits, ...limits }
  /** CPU seconds of each process by its id, as last measured. */
  const usedBy = new Map<number, number>()
  const cpu = () => [...usedBy.values()].reduce((sum, seconds) => sum + seconds, 0)
  let phase = transferring(now)
  function transferring(at: number): Phase {
    return { is: 'transferring', began: { at, cpu: cpu() }, cpuSeconds: Number.POSITIVE_INFINITY, seconds: Number.POSITIVE_INFINITY }
  }
  const preparing = (at: number, budget: number): Phase => {
    const cpuSeconds = max.cpuSeconds ?? budget
    return { is: 'preparing', began: { at, cpu: cpu() }, cpuSeconds, seconds: wallClockBudget(cpuSeconds) }
  }

  return {
    /** Enters the next phase if this message of the preparation process begins one. */
    onMessage(message: PreparationMessage, at: number) {
      if (message.is === 'probing') {
        phase =
          kind !== 'rendition'
            ? preparing(at, maxCpuSecondsPerTry(kind, promised))
            : { is: 'probing', began: { at, cpu: cpu() }, cpuSeconds: max.probeCpuSeconds, seconds: max.probeSeconds }
      }
      if (message.is === 'probed') phase = preparing(at, maxCpuSecondsPerTry(kind, message.media))
      if (message.is === 'made') phase = transferring(at)
    },
    /**
     * @param used CPU seconds and bytes of memory of a process; null if the system does not report them.
     * @returns the exceeded limit, or null
     */
    measure(pid: number, used: { cpu: number; memory: number } | null, at: number): LimitExceededError | null {
      if (used) usedBy.set(pid, used.cpu)
      const { is, began, seconds, cpuSeconds } = phase
      if (at - now > max.seconds) return new LimitExceededError('time', true)
      if (at - began.at > seconds) return new LimitExceededError(`time${PHASE_SUFFIX[is]}`, true)
      if (used && used.memory > max.memory) return new LimitExceededError(`memory: ${Math.round(used.memory / 1e6)} MB`)
      return cpu() - began.cpu > cpuSeconds ? new LimitExceededError(`work${PHASE_SUFFIX[is]}`) : null
    },
    /** CPU seconds of all processes so far. */
    cpuSeconds: cpu,
  }
}
