import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import type { Logger } from '../kernel/logger-interface.ts'
import { createOutageLogger, type OutageLogger } from '../kernel/outage-logger.ts'
import { abortableSleep, createBackoffSleep } from '../kernel/sleep.ts'
import { type EventStore, LogTruncatedError } from '../kernel/store.ts'
import { isStoreUnavailable } from '../kernel/transient-errors.ts'
import { eventBatchDelivery, type Reader } from './deliver-batch.ts'
import { alwaysHeldLeaderLease, type LeaderLease } from './leader-lease.ts'
import { readersWithUntriedParkedStreams } from './read-parked-streams.ts'
import { notifyPositionsReset, readerPositionTracker } from './reader-position-tracker.ts'

/** Loggers that have already reported stopped readers. Read models and processes share a logger, and one report is enough. */
const stoppedReadersReported = new WeakSet<Logger>()
/** How often a stopped reader checks whether it has been rebuilt or resumed. */
const STOPPED_CHECK_MS = 2000

export interface ReaderRunnerOptions {
  log: Logger
  /** Logs when the database is unavailable. */
  outage?: OutageLogger
  /** Elects the one process that reads the log for all processes; by default, each process reads for itself. */
  lease?: LeaderLease
  /** The version of the code. On start, streams that other code has parked are retried; if absent, all parked streams are. */
  code?: string
}

/** How catching up ended. `misses-events`: another process has moved or replaced the checkpoint, so the reader starts again from there. */
type CatchUpEnd = 'caught-up' | 'misses-events' | 'aborted'

/**
 * Follows the log for many readers. A reader that is behind catches up with a subscription of its own, and then goes live: all live readers
 * share one subscription, and one transaction for each batch. A live reader that misses events catches up again.
 */
export function readerSubscriptions(sql: Sql, store: EventStore, options: ReaderRunnerOptions) {
  const { log, code = randomUUID(), outage = createOutageLogger(log, 'Postgres'), lease = alwaysHeldLeaderLease } = options
  /** Aborted when this process no longer follows the log. */
  let following: AbortSignal | undefined
  const positions = readerPositionTracker(sql, () => following?.aborted === false)
  const deliver = eventBatchDelivery(sql, { log, outage, code, onReached: positions.note })
  const live = new Set<Reader>()
  /** The position of the shared subscription: a reader that has reached it may go live. */
  let livePosition = -1n

  /**
   * Stops every reader that is beyond the end of the log, in all processes, and logs it once. A checkpoint that has moved since the end was
   * read is left alone: after a failover, the reader of another process may already have processed an event appended since then.
   */
  async function stopReaders({ position, end, endReadAt = 'infinity' }: LogTruncatedError) {
    const rows = await sql`
      update checkpoints set log_end = ${`${end}`}::bigint
      where log_end is null and (position > ${`${end}`}::bigint or position = ${`${position}`}::bigint)
        and at <= ${endReadAt}::text::timestamptz returning name`
    if (!rows.length) return
    const names = rows.map(r => r.name as string).sort()
    // Callers that wait for one of these readers, in any process, must not rely on its former position.
    for (const name of names) positions.forget(name)
    reportStopped(names)
    await notifyPositionsReset(sql, names, end)
  }
  const reportStopped = (readers: string[]) => {
    stoppedReadersReported.add(log)
    log.error(
      { readers },
      "the log is older than its readers' checkpoints, as after a restore from a backup: readers stop until `npm run rebuild`",
    )
  }

  /** Waits while a reader is stopped. @returns its checkpoint's position; undefined if the checkpoint is gone, or after the abort */
  async function checkpointOf(name: string, signal: AbortSignal): Promise<bigint | undefined> {
    for (; !signal.aborted; await abortableSleep(STOPPED_CHECK_MS, signal)) {
      const [row] = await sql`select position::text, log_end is not null as stopped from checkpoints where name = ${name}`
      if (!row?.stopped) return row && BigInt(row.position)
      // Callers that wait for this reader must not rely on its former position.
      positions.forget(name)
    }
  }

  async function readUntil(reader: Reader, from: bigint, signal: AbortSignal, isDone: IsDone): Promise<CatchUpEnd> {
    for await (const events of store.follow(from, signal, reader.types)) {
      const behind = await deliver([reader], from, events, signal)
      if (signal.aborted) return 'aborted'
      if (await isDone(positions.get(reader.name)!)) return 'caught-up'
      if (behind.length) return 'misses-events'
      from = events.at(-1)!.position
    }
    return 'aborted'
  }

  type IsDone = (position: bigint) => boolean | Promise<boolean>
  /**
   * Reads the log for one reader until `isDone` holds for its position. If the checkpoint was deleted, calls `isDone` with −1 and ends.
   * @returns the last answer of `isDone`; false if aborted while reading
   */
  async function catchUp(reader: Reader, signal: AbortSignal, isDone: IsDone): Promise<boolean> {
    for (;;) {
      const from = await checkpointOf(reader.name, signal)
      if (signal.aborted) return false
      if (from === undefined) {
        log.info({ name: reader.name }, 'the checkpoint of a reader was deleted, so this process stops the reader')
        return isDone(-1n)
      }
      // A table that was recreated under this name has a lower position than its predecessor.
      positions.forget(reader.name)
      positions.note([[reader.name, from]])
      if (await isDone(from)) return true
      const end = await readUntil(reader, from, signal, isDone)
      if (end !== 'misses-events') return end === 'caught-up'
    }
  }

  /** Makes a reader catch up and then go live. */
  const join = (reader: Reader, signal: AbortSignal) =>
    retrying(signal, () => catchUp(reader, signal, position => !signal.aborted && position >= livePosition && !!live.add(reader)))

  /** Follows the log for all live readers, with one shared subscription. */
  async function followLive(signal: AbortSignal) {
    const catchUpAgain = (readers: Iterable<Reader>) => {
      // If this process already leads again, its new subscription takes care of these readers.
      if (signal.aborted) return
      for (const reader of readers) {
        live.delete(reader)
        join(reader, signal)
      }
    }
    let from = livePosition
    try {
      for await (const events of store.follow(from, signal)) {
        if (signal.aborted) return
        livePosition = events.at(-1)!.position
        catchUpAgain(await deliver([...live], from, events, signal))
        from = livePosition
      }
    } catch (error) {
      if (error instanceof LogTruncatedError) {
        await stopReaders(error)
        // A database that lost its last commits may have lost checkpoint updates, too, so the readers that were not stopped catch up again
        // from their stored checkpoints.
        livePosition = error.end
        catchUpAgain([...live])
      }
      throw error
    }
  }

  /** Repeats the work, with backoff, until it succeeds or is aborted. */
  async function retrying(signal: AbortSignal, work: () => Promise<unknown>) {
    for (const wait = createBackoffSleep(signal); !signal.aborted; ) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof LogTruncatedError) await stopReaders(error).catch(outage.recordFailure)
        else if (isStoreUnavailable(error)) outage.recordFailure(error)
        else log.error({ err: error }, 'following the log failed; trying again')
        await wait()
      }
    }
  }

  return {
    code,
    /** Runs work while this process is the one that reads the log for all processes. */
    whileLeading: lease.whileLeading,
    catchUp,
    join,
    retrying,
    caughtUp: positions.reached,
    /** Returns the readers that have a parked stream which this code has not tried. */
    untried: (names: string[]) => readersWithUntriedParkedStreams(sql, names, code),
    /** Starts the shared subscription at the position of the furthest of these readers. It ends when `signal` is aborted. */
    async start(names: string[], signal: AbortSignal) {
      const rows = await sql`select coalesce(log_end, position)::text as position from checkpoints where name in ${sql(names)}`
      // A server that becomes the leader again starts from the checkpoints, not from its former position.
      live.clear()
      livePosition = -1n
      for (const { position } of rows) if (BigInt(position) > livePosition) livePosition = BigInt(position)
      const stopped = await sql`select name from checkpoints where log_end is not null order by name`
      if (stopped.length && !stoppedReadersReported.has(log)) reportStopped(stopped.map(r => r.name))
      await positions.listenForResets()
      following = signal
      retrying(signal, () => followLive(signal))
    },
  }
}
