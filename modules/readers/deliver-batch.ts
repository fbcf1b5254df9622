import type { Sql, TransactionSql } from 'postgres'
import type { Logger } from '../kernel/logger-interface.ts'
import type { OutageLogger } from '../kernel/outage-logger.ts'
import { createBackoffSleep } from '../kernel/sleep.ts'
import { storableErrorText } from '../kernel/storable-error-text.ts'
import type { RecordedEvent } from '../kernel/store.ts'
import { isDataError, isStoreUnavailable } from '../kernel/transient-errors.ts'
import { parkedStreamCache } from './read-parked-streams.ts'
import { updateCheckpointPositions } from './update-checkpoint-positions.ts'

/** Processes the events of the log in order, and keeps a checkpoint. Each process and each table of a projection has its own reader. */
export interface Reader {
  /** The name of its checkpoint. */
  name: string
  /** The types of events that it processes; all types if absent. */
  types?: string[]
  /**
   * Whether its result depends on the order of all events, so that it must not skip a stream. On a poison event it stops and tries again,
   * instead of parking the stream.
   */
  neverParks?: boolean
  /** Processes events in the transaction that moves the checkpoint. It must have no effects outside of that transaction. */
  apply(tx: TransactionSql, events: RecordedEvent[]): Promise<unknown>
}

interface DeliveryOptions {
  log: Logger
  outage: OutageLogger
  /** The version of the code that processes events, stored with parked streams (`parked.code`). */
  code: string
  /** Receives the position of each reader after a delivery. */
  onReached(positions: Iterable<readonly [name: string, position: bigint]>): void
}

/**
 * Gives batches of events to readers. Each event counts once for each reader, however many processes deliver it, because the checkpoint is
 * locked and moved in the transaction of `apply`. A poison event, which fails on every try, parks its stream for the reader.
 */
export function eventBatchDelivery(sql: Sql, { log, outage, code, onReached }: DeliveryOptions) {
  const parkedStreams = parkedStreamCache()

  /**
   * In one transaction, locks the checkpoints, gives each reader its new events, and advances the checkpoints.
   * @returns readers that have not reached the end of the batch
   */
  async function applyBatch(readers: Reader[], from: bigint, events: RecordedEvent[]): Promise<Reader[]> {
    const last = events.at(-1)!.position
    const reached = await sql.begin(async tx => {
      const [, rows] = await Promise.all([
        // Commits need not wait for the disk, because a crash loses rows and checkpoint together. Postgres caches plans while tables are
        // still empty; with sequential scans disabled, those plans use the index from the beginning.
        tx`select set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true)`,
        tx`select name, position::text, parked from checkpoints where name in ${tx(readers.map(r => r.name))} order by name for update`,
      ])
      const positions = new Map(rows.map(r => [r.name as string, BigInt(r.position)]))
      const parkedVersions = new Map(rows.map(r => [r.name as string, r.parked as string | null]))
      const ready = readers.filter(({ name }) => positions.get(name)! >= from && positions.get(name)! < last)
      if (!ready.length) return positions
      const apply = async (reader: Reader) => {
        const streams = await parkedStreams(tx, reader.name, parkedVersions.get(reader.name)!)
        return reader.apply(tx, withoutStreams(streams, eventsAfter(events, positions.get(reader.name)!)))
      }
      await allSettled(ready.map(apply))
      await updateCheckpointPositions(
        tx,
        ready.map(reader => reader.name),
        last,
      )
      for (const { name } of ready) positions.set(name, last)
      return positions
    })
    onReached(reached)
    return readers.filter(r => (reached.get(r.name) ?? -2n) < last)
  }

  /**
   * Parks the stream of an event for a reader, and moves the reader's checkpoint past the event, unless another process has done so.
   * @returns `[reader]` if its checkpoint is before `from`, so that it has to catch up first; otherwise `[]`
   */
  async function park(reader: Reader, from: bigint, e: RecordedEvent, error: unknown): Promise<Reader[]> {
    const { name } = reader
    let isParked = false
    const position = await sql.begin(async tx => {
      const [row] = await tx`select position::text from checkpoints where name = ${name} for update`
      const before = BigInt(row?.position ?? -2)
      if (before < from || before >= e.position) return before
      isParked = true
      await tx`
        insert into parked (reader, stream, position, revision, event, type, error, code)
        values (${name}, ${e.stream}, ${`${e.position}`}::bigint, ${`${e.revision}`}::bigint, ${e.id}, ${e.type}, ${storableErrorText(error)}, ${code})
        on conflict do nothing`
      await tx`update checkpoints set parked = gen_random_uuid() where name = ${name}`
      await updateCheckpointPositions(tx, [name], e.position)
      return e.position
    })
    if (isParked)
      log.error(
        { reader: name, position: `${e.position}`, stream: e.stream, type: e.type, event: e.id, trace: e.meta.trace, err: error },
        'a reader of the log failed on an event and parked its stream',
      )
    onReached([[name, position]])
    return position < e.position ? [reader] : []
  }

  /**
   * Delivers a batch that begins after position `from`, and retries while Postgres is unavailable. On a data error it delivers to each
   * reader separately, and halves the batch of a reader that fails until it finds the poison event. It parks that event's stream only if
   * the event fails again after a pause: an unknown connection error looks like a data error, but has usually gone away by then.
   * @returns readers that have to catch up by themselves: they miss events before the batch, had not received the batch before the abort,
   * or never park and were not the only reader
   * @throws the data error of a single reader that never parks
   */
  return async function deliver(readers: Reader[], from: bigint, events: RecordedEvent[], signal: AbortSignal): Promise<Reader[]> {
    let hasFailedAlone = false
    let poison: { error: unknown } | undefined
    for (const wait = createBackoffSleep(signal); !signal.aborted && readers.length; ) {
      try {
        const delivery = poison ? park(readers[0]!, from, events[0]!, poison.error) : applyBatch(readers, from, events)
        return await outage.watch(delivery)
      } catch (error) {
        if (poison || !isDataError(error)) {
          if (!isStoreUnavailable(error)) log.error({ err: error }, 'events could not be delivered to readers; trying again')
          await wait()
        } else if (readers.length > 1) {
          const behind: Reader[] = []
          // A reader that never parks would hold up the others, so it catches up by itself.
          for (const reader of readers) behind.push(...(reader.neverParks ? [reader] : await deliver([reader], from, events, signal)))
          return behind
        } else if (readers[0]!.neverParks) {
          throw error
        } else if (events.length > 1) {
          const half = events.length >> 1
          const behind = await deliver(readers, from, events.slice(0, half), signal)
          return behind.length ? behind : deliver(readers, events[half - 1]!.position, events.slice(half), signal)
        } else if (hasFailedAlone) poison = { error }
        else {
          hasFailedAlone = true
          await wait()
        }
      }
    }
    return readers
  }
}

/**
 * Waits for all promises before it throws: a query that a reader sends after the rollback would run outside the transaction, and be kept.
 */
async function allSettled(work: Promise<unknown>[]) {
  const failed = (await Promise.allSettled(work)).find(w => w.status === 'rejected')
  if (failed) throw failed.reason
}

const eventsAfter = (events: RecordedEvent[], position: bigint) =>
  events[0]!.position > position ? events : events.filter(e => e.position > position)

const withoutStreams = (streams: ReadonlySet<string>, events: RecordedEvent[]) =>
  streams.size ? events.filter(e => !streams.has(e.stream)) : events
