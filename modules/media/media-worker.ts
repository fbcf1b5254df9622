import { leaseQueueWorker } from '../jobs/lease-queue-worker.ts'
import type { Logger } from '../kernel/logger-interface.ts'
import { runInTrace } from '../kernel/trace.ts'
import { type ClaimedPreparation, type MediaJobHandlerOptions, mediaJobHandler } from './media-job-handler.ts'
import { mediaJobQueue } from './media-job-queue.ts'
import { SHORT_LANE_TURN_CPU_SECONDS, SHORT_LANE_TURN_WALL_SECONDS } from './preparation-lane-choice.ts'
import { findProcessSandbox } from './sandbox.ts'

export interface MediaWorkerOptions extends Omit<MediaJobHandlerOptions, 'lease'> {
  log: Logger & { warn(about: object, what: string): void }
  /** How many jobs run at once, short or long; 0 if this server only serves requests. */
  atOnce: number
  /** How many additional short jobs run; long jobs never take these places. */
  shortBeside: number
  lease?: number | undefined
  /** CPU seconds after which a short job makes room for a waiting one. */
  shortTurn?: number | undefined
}

/** How often the worker checks, while all places are taken, whether a short job has used up its turn. */
const TURN_CHECK_MS = 1000

/**
 * Performs media jobs (videos, voice-overs and review videos) as they arrive: each in its own process, `atOnce` at a time, plus
 * `shortBeside` jobs that are expected to be short. A job that was expected to be short but takes long makes room for a waiting short one,
 * and starts again in the long lane.
 */
export function mediaWorker({ atOnce, shortBeside, lease = 10_000, shortTurn = SHORT_LANE_TURN_CPU_SECONDS, ...rest }: MediaWorkerOptions) {
  const work = mediaJobQueue(rest.sql)
  const prepare = mediaJobHandler({ ...rest, lease })

  /** How many jobs can start now, and how many of them can be long. */
  function freePlaces(here: ClaimedPreparation[]) {
    const free = atOnce + shortBeside - here.length
    return { free, long: Math.min(free, atOnce - here.filter(job => job.work.long).length) }
  }

  /** The first short job that has used up its turn and can move to the long lane. */
  const firstToMove = (here: ClaimedPreparation[]) =>
    here.find(({ work, child, started }) => {
      const seconds = (performance.now() - started) / 1000
      return shortBeside && !work.long && ((child?.cpuSeconds() ?? 0) >= shortTurn || seconds >= SHORT_LANE_TURN_WALL_SECONDS)
    })
  const isAwaitedWorkDue = async () => ((await work.untilNext('awaited')) ?? 1) <= 0
  const isShortWorkDue = async () => ((await work.untilNext('short')) ?? 1) <= 0

  const queue = leaseQueueWorker<ClaimedPreparation>(rest.sql, rest.log, {
    name: 'the queue of media work',
    channel: 'media',
    lease,
    perform: (job, held, ending) => runInTrace(job.work.trace ?? undefined, () => prepare(job, held, ending)),
    async claim(here) {
      const { free, long } = freePlaces(here)
      const first = free > 0 ? undefined : firstToMove(here)
      if (first && (await isShortWorkDue())) first.moving.abort()
      // A remake, for which nobody waits, makes room immediately for a job that somebody waits for.
      const remake = long > 0 ? undefined : here.find(job => job.work.remaking && !job.moving.signal.aborted)
      if (remake && (await isAwaitedWorkDue())) remake.moving.abort()
      const claimed = free > 0 ? await work.take(free, lease, long) : []
      return claimed.map(work => ({ id: work.video, work, progress: 0, started: performance.now(), moving: new AbortController() }))
    },
    async renew(preparations) {
      const held = await Promise.all(preparations.map(p => work.renewLease(p.work, p.progress, lease, p.child?.cpuSeconds())))
      return preparations.filter((_, i) => !held[i])
    },
    async untilNext(here) {
      const { free, long } = freePlaces(here)
      if (free > 0) return (await work.untilNext(long > 0 ? 'both' : 'short')) ?? Infinity
      // After this time, `claim` checks how long the jobs have run, and queries the queue only if one of them could make room.
      return TURN_CHECK_MS
    },
  })

  return {
    /** Works until aborted, and then returns unfinished work to the queue. */
    async start(ending: AbortSignal) {
      if (atOnce === 0) return
      const { warning } = await findProcessSandbox()
      if (warning) rest.log.warn({}, warning)
      // The old renditions can still be watched, so an unavailable database must not keep the worker from starting.
      await work.remakeOutdated().catch(error => rest.log.error({ err: error }, 'outdated renditions could not be queued'))
      await queue.start(ending)
    },
    /** After the abort: resolves when all unfinished work has been returned to the queue. */
    settled: queue.settled,
  }
}
