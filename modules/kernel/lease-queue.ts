import type { Sql } from 'postgres'
import type { Log } from './following.ts'
import { wakeUp } from './wake-up.ts'

/**
 * Jobs in a table of Postgres. Whoever claims one has it for the length of a lease and renews that while performing it; a job whose lease has
 * run out is free for everybody. A number that grows with each claim tells its holders apart (a fencing token): one that is late changes nothing.
 */
export interface JobTable<Job extends { id: string }> {
  /** What the log calls it. */
  name: string
  /** Postgres notifies it of jobs that may be claimed. */
  channel: string
  /** How long after a worker's death another takes over, ms. A living worker renews a lease at least three times in that time. */
  lease: number
  /** Claims due jobs for the length of the lease, as many as have a place beside those that are performed here. */
  claim(performed: Job[]): Promise<Job[]>
  /** Renews leases. @returns the jobs that somebody else has claimed since */
  renew(jobs: Job[]): Promise<Job[]>
  /** Milliseconds until another may be claimed. */
  untilNext(performed: Job[]): Promise<number>
  /** @param ending aborted when this worker ends; what it awaits is still waited for */
  perform(job: Job, lease: Lease, ending: AbortSignal): Promise<void>
}

export interface Lease {
  /** Aborted once the job is somebody else's. */
  lost: AbortSignal
  /** Renews it no more: before a job's next try is put off, which a renewal on its way would undo. */
  end(): Promise<void>
}

/** Heartbeats come at least this often: they also tell how far a job is. */
const LONGEST_HEARTBEAT_MS = 1000
/** The table is looked at again after this even where nobody calls. */
const LONGEST_SLEEP_MS = 60_000
/** The same where a due job was locked by another worker. */
const SHORTEST_SLEEP_MS = 20
/** The same where the table could not be read. */
const RETRY_MS = 1000

/** Performs the jobs of a table. At least once each; never twice at a time while the worker lives, reaches Postgres and renews. */
export function leaseQueue<Job extends { id: string }>(sql: Sql, log: Log, table: JobTable<Job>) {
  const { name, channel, lease } = table
  const performed = new Map<Job, { done: Promise<void>; lost: AbortController; isRenewed: boolean }>()
  const jobs = () => [...performed.keys()]
  const alarm = wakeUp()
  const waitingForIdle: (() => void)[] = []
  let working: Promise<void> | undefined
  let heartbeats: NodeJS.Timeout | undefined
  let renewing: Promise<void> | undefined

  async function renew() {
    const renewed = jobs().filter(job => performed.get(job)!.isRenewed)
    const lost = renewed.length ? await table.renew(renewed) : []
    for (const job of lost) performed.get(job)?.lost.abort()
  }
  const beat = () => {
    renewing ??= renew()
      .catch(error => log.error({ err: error }, `leases of ${name} could not be renewed; trying again`))
      .finally(() => {
        renewing = undefined
      })
  }

  function begin(job: Job, ending: AbortSignal) {
    const its = { done: Promise.resolve(), lost: new AbortController(), isRenewed: true }
    const end = async () => {
      its.isRenewed = false
      await renewing
    }
    performed.set(job, its)
    heartbeats ??= setInterval(beat, Math.min(LONGEST_HEARTBEAT_MS, lease / 3))
    its.done = table
      .perform(job, { lost: its.lost.signal, end }, ending)
      .catch(error => log.error({ err: error, job: job.id }, `how a job of ${name} ended could not be written down`))
      .finally(() => {
        performed.delete(job)
        if (!performed.size) heartbeats = void clearInterval(heartbeats)
        alarm.wake()
      })
  }

  async function work(ending: AbortSignal) {
    while (!ending.aborted) {
      alarm.reset()
      const waiting = waitingForIdle.length
      let sleep = RETRY_MS
      try {
        for (const job of await table.claim(jobs())) begin(job, ending)
        if (!performed.size) for (const resolve of waitingForIdle.splice(0, waiting)) resolve()
        sleep = Math.min(Math.max(await table.untilNext(jobs()), SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS)
      } catch (error) {
        log.error({ err: error }, `${name} cannot be read; trying again`)
      }
      await alarm.sleep(sleep)
    }
  }

  return {
    /** Works until aborted; what is performed then comes to its end. Resolves once it listens. */
    async start(ending: AbortSignal) {
      ending.addEventListener('abort', alarm.wake)
      await sql.listen(channel, alarm.wake, alarm.wake)
      working = work(ending)
    },
    /** After the abort: resolves when all that is performed here has ended. */
    async settled() {
      await working
      await Promise.all([...performed.values()].map(its => its.done))
    },
    /** Resolves when nothing is due and nothing is performed here. Only where `start` was called. */
    idle: () =>
      new Promise<void>(resolve => {
        waitingForIdle.push(resolve)
        alarm.wake()
      }),
  }
}
