import type { Sql } from 'postgres'
import type { Logger } from '../kernel/logger-interface.ts'
import { createInterruptibleSleep } from '../kernel/sleep.ts'

/**
 * Jobs in a Postgres table. A worker that claims a job holds it for the length of a lease, which it renews while it performs the job. Once
 * a lease has expired, any worker may claim the job. Each claim raises a number in the row (a fencing token), so that a worker that lost
 * its lease writes nothing.
 */
export interface LeaseQueueDefinition<Job extends { id: string }> {
  /** The table's name in log messages: "the outbox". */
  name: string
  /** The `NOTIFY` channel that announces jobs that may be claimed. */
  channel: string
  /** How long after a worker's death another takes over, ms. A live worker renews its leases at least three times in that time. */
  lease: number
  /** Claims due jobs for the length of the lease, as many as this worker may perform in addition to its running ones. */
  claim(running: Job[]): Promise<Job[]>
  /** Renews leases. @returns the jobs that another worker has claimed since */
  renew(jobs: Job[]): Promise<Job[]>
  /** Milliseconds until another job may be claimed, or Infinity. */
  untilNext(running: Job[]): Promise<number>
  /** @param ending aborted when this worker is told to stop; it still waits for the returned promise */
  perform(job: Job, lease: JobLeaseHandle, ending: AbortSignal): Promise<void>
}

export interface JobLeaseHandle {
  /** Aborted once another worker has claimed the job. */
  lost: AbortSignal
  /**
   * Stops renewing the lease, and waits for a renewal that is already running, which could otherwise overwrite the due time of the job's
   * next attempt.
   */
  end(): Promise<void>
}

/** Longest time between two heartbeats. Each renews the leases and stores the progress of media jobs, so they must not be rarer. */
const LONGEST_HEARTBEAT_MS = 1000
/** After this time the worker reads the table again even if nothing woke it. */
const LONGEST_SLEEP_MS = 60_000
/** Shortest sleep. Without it, a worker would read the table in a tight loop while another worker has locked a job that is due. */
const SHORTEST_SLEEP_MS = 20
/** How long a worker pauses after it has failed to read the table. */
const RETRY_MS = 1000

/** Creates a worker that performs a table's jobs: each at least once, and never twice at a time while it lives and reaches Postgres. */
export function leaseQueueWorker<Job extends { id: string }>(sql: Sql, log: Logger, table: LeaseQueueDefinition<Job>) {
  const { name, channel, lease } = table
  const running = new Map<Job, { done: Promise<void>; lost: AbortController; isRenewed: boolean }>()
  const jobs = () => [...running.keys()]
  const sleep = createInterruptibleSleep()
  const waitingForIdle: (() => void)[] = []
  let working: Promise<void> | undefined
  let heartbeats: NodeJS.Timeout | undefined
  let renewing: Promise<void> | undefined

  async function renew() {
    const renewed = jobs().filter(job => running.get(job)!.isRenewed)
    const lost = renewed.length ? await table.renew(renewed) : []
    for (const job of lost) running.get(job)?.lost.abort()
  }
  const sendHeartbeat = () => {
    renewing ??= renew()
      .catch(error => log.error({ err: error }, `leases of ${name} could not be renewed`))
      .finally(() => {
        renewing = undefined
      })
  }

  function begin(job: Job, ending: AbortSignal) {
    const state = { done: Promise.resolve(), lost: new AbortController(), isRenewed: true }
    const end = async () => {
      state.isRenewed = false
      await renewing
    }
    running.set(job, state)
    heartbeats ??= setInterval(sendHeartbeat, Math.min(LONGEST_HEARTBEAT_MS, lease / 3))
    state.done = table
      .perform(job, { lost: state.lost.signal, end }, ending)
      .catch(error => log.error({ err: error, job: job.id }, `the outcome of a job of ${name} could not be written`))
      .finally(() => {
        running.delete(job)
        if (!running.size) heartbeats = void clearInterval(heartbeats)
        sleep.wake()
      })
  }

  async function work(ending: AbortSignal) {
    while (!ending.aborted) {
      sleep.reset()
      const waiting = waitingForIdle.length
      let untilNextMs = RETRY_MS
      try {
        for (const job of await table.claim(jobs())) begin(job, ending)
        if (!running.size) for (const resolve of waitingForIdle.splice(0, waiting)) resolve()
        untilNextMs = Math.min(Math.max(await table.untilNext(jobs()), SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS)
      } catch (error) {
        log.error({ err: error }, `${name} cannot be read; trying again`)
      }
      await sleep.sleep(untilNextMs)
    }
  }

  return {
    /** Starts performing jobs. Once `ending` is aborted, only running jobs are finished. Resolves when the worker listens for new jobs. */
    async start(ending: AbortSignal) {
      ending.addEventListener('abort', sleep.wake)
      const listening = await sql.listen(channel, sleep.wake, sleep.wake)
      // The connection may be closed by then, which ends the subscription as well.
      ending.addEventListener('abort', () => listening.unlisten().catch(() => {}))
      working = work(ending)
    },
    /** Resolves when all running jobs have ended. Call it only after aborting `ending`. */
    async settled() {
      await working
      await Promise.all([...running.values()].map(state => state.done))
    },
    /** Resolves when no job is due and this worker performs none. `start` must have been called. */
    idle: () =>
      new Promise<void>(resolve => {
        waitingForIdle.push(resolve)
        sleep.wake()
      }),
  }
}
