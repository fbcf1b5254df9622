import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  type RecordedEvent as ClientEvent,
  DeadlineExceededError,
  END,
  ErrorType,
  EventStoreDBClient,
  excludeSystemEvents,
  type JSONType,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { type Logger, silentLogger } from '../logger.ts'
import { createOutageLogger } from '../outage-logger.ts'
import { backoff } from '../sleep.ts'
import {
  AppendTooLarge,
  assertStorable,
  type EventMetadata,
  type EventStore,
  LogTruncated,
  lowercaseIds,
  type NewEvent,
  type RecordedEvent,
  RevisionConflict,
  readEitherSpelling,
  StreamDeleted,
} from '../store.ts'
import { withDeadline } from '../with-deadline.ts'

const EVENTS_PER_BATCH = 5000
/**
 * An append that has waited this long for its answer, or four times as long as appends take on average, reads the stream to see whether its
 * events are there; it does so again whenever that time has doubled.
 */
const SHORTEST_ANSWER_WAIT_MS = 250
const LONGEST_ANSWER_WAIT_MS = 1000
/** In all, an append takes this long at most: the client alone would wait for ever for an answer that was lost with its connection. */
const APPEND_TIMEOUT_MS = 2000

/**
 * How long appends wait for an answer before they look for their events. Where the server is merely busy, every look would make it busier.
 */
function answerWaits() {
  let usualMs = 0
  return {
    /** Notes how long an append took. */
    note(ms: number) {
      usualMs += (ms - usualMs) / 8
    },
    /** The waits of one append, in ms; they add up to `APPEND_TIMEOUT_MS`. */
    *next(): Generator<number> {
      let ms = Math.min(Math.max(4 * usualMs, SHORTEST_ANSWER_WAIT_MS), LONGEST_ANSWER_WAIT_MS)
      for (let waitedMs = 0; waitedMs < APPEND_TIMEOUT_MS; ms = Math.min(waitedMs, APPEND_TIMEOUT_MS - waitedMs)) {
        waitedMs += ms
        yield ms
      }
    },
  }
}
/** How often the end of the log is read before the log counts as truncated: with the pauses between, this takes three seconds. */
const MAX_END_CHECKS = 6

/**
 * The log in EventStoreDB, one node or a cluster, by its client. The position is the commit position. The database may be shared: events
 * without our metadata are not ours.
 */
export const eventstoredbStore = (address: string, log: Logger = silentLogger): EventStore & { close(): Promise<void> } => {
  const client = EventStoreDBClient.connectionString(withAllSeeds(address))
  const outage = createOutageLogger(log, 'EventStoreDB')
  const waits = answerWaits()

  /** The events of a stream after a revision, those of others too; `[]` where there are none. */
  async function eventsAfter(stream: string, revision: bigint): Promise<ClientEvent[]> {
    const events: ClientEvent[] = []
    try {
      const fromRevision = revision < 0n ? START : revision + 1n
      for await (const { event } of client.readStream(stream, { fromRevision })) if (event) events.push(event)
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw translateError(error, stream)
    }
    return events
  }

  /** The position of the last event of the whole log that is wanted, −1n where there is none. */
  async function lastPosition(wanted: (event: ClientEvent) => boolean): Promise<bigint> {
    for (let before: { commit: bigint; prepare: bigint } | typeof END = END, maxCount = 1; ; maxCount = EVENTS_PER_BATCH) {
      const page: AllStreamRecordedEvent[] = []
      for await (const { event } of client.readAll({ direction: BACKWARDS, fromPosition: before, maxCount }))
        if (event) page.push(event as AllStreamRecordedEvent)
      const wantedEvent = page.find(wanted)
      if (wantedEvent || !page.length) return wantedEvent?.position.commit ?? -1n
      before = page.at(-1)!.position
    }
  }

  /**
   * A node that lags behind the one that we read before catches up within seconds; a restored backup does not.
   * @throws LogTruncated
   */
  async function assertHeld(position: bigint, signal: AbortSignal) {
    if (position < 0n) return
    const rest = backoff(signal)
    for (let checks = 0; checks < MAX_END_CHECKS; checks++) {
      if ((await lastPosition(() => true)) >= position) return
      await rest()
    }
    if (!signal.aborted) throw new LogTruncated(position, await lastPosition(isOurs))
  }

  /** The position of the last of these events if they are what follows this revision of the stream; undefined if not. */
  async function positionOf(stream: string, expected: bigint, news: NewEvent[]): Promise<bigint | undefined> {
    const storedEvents = (await eventsAfter(stream, expected)).slice(0, news.length)
    const same = storedEvents.length === news.length && storedEvents.every((e, i) => e.id === news[i]!.id)
    return same ? recorded(storedEvents.at(-1)!).position : undefined
  }

  /**
   * Appends after this revision of the stream, whoever wrote what is there. The server drops a repeat of events that it has written and not
   * yet indexed, and says so seconds later (`CommitDecision.IdempotentNotReady`), so the events themselves are looked for meanwhile.
   */
  async function write(stream: string, expected: bigint, news: NewEvent[]): Promise<bigint> {
    const sentAt = performance.now()
    const answer = client
      .appendToStream(
        stream,
        news.map(({ id, type, data, meta }) => jsonEvent({ id, type, data: data as JSONType, metadata: { ...meta } })),
        { expectedRevision: expected < 0n ? NO_STREAM : expected },
      )
      .finally(() => waits.note(performance.now() - sentAt))
      .catch(error => {
        throw translateError(error, stream)
      })
    let undecided: unknown = new LateAnswer('EventStoreDB says that the events are written, but they are not there.')
    for (const ms of waits.next()) {
      try {
        const written = await withDeadline(
          ms,
          answer,
          () => new LateAnswer('EventStoreDB did not answer in time. Whether the events were written is not known.'),
        )
        if (written.position) return written.position.commit
      } catch (error) {
        if (!isUndecided(error)) throw error
        undecided = error
      }
      const position = await positionOf(stream, expected, news)
      if (position !== undefined) return position
    }
    throw undecided
  }

  return {
    read: stream => readEitherSpelling(stream, async named => (await outage.watch(eventsAfter(named, -1n))).filter(isOurs).map(recorded)),

    async append(stream, expected, events) {
      assertStorable(stream, expected, events)
      for (let revision = expected; ; ) {
        try {
          return await outage.watch(write(stream, revision, events))
        } catch (error) {
          if (!(error instanceof WrongExpectedVersionError)) throw error
          const { actualVersion } = error as { actualVersion: bigint | string }
          const actual = typeof actualVersion === 'bigint' ? actualVersion : -1n
          // Events of others, or removed ones, may follow ours. They are no conflict, because no reader of ours sees them.
          const isConflict = actual <= revision || (await eventsAfter(stream, revision)).some(isOurs)
          if (isConflict) throw new RevisionConflict(stream, expected, actual)
          revision = actual
        }
      }
    },

    async *follow(after, signal) {
      let position = after
      for (let rest = backoff(signal); !signal.aborted; await rest()) {
        try {
          await assertHeld(position, signal)
        } catch (error) {
          if (error instanceof LogTruncated || isFinal(error)) throw error
          if (!signal.aborted) outage.failed(error)
          continue
        }
        if (signal.aborted) return
        const subscription = client.subscribeToAll(
          { fromPosition: position < 0n ? START : { commit: position, prepare: position }, filter: excludeSystemEvents() },
          { highWaterMark: EVENTS_PER_BATCH },
        )
        subscription.on('confirmation', outage.answered)
        // If the connection goes away while the subscription ends, no loop handles the error any more.
        subscription.on('error', () => {})
        const stop = () => {
          subscription.unsubscribe().catch(() => {})
          subscription.destroy()
        }
        signal.addEventListener('abort', stop)
        try {
          for await (const first of subscription) {
            rest = backoff(signal)
            const batch: RecordedEvent[] = []
            // Events that have arrived since come along in the same batch.
            for (let next: typeof first | null = first; next; next = batch.length < EVENTS_PER_BATCH ? subscription.read() : null)
              if (next.event && isOurs(next.event)) batch.push(recorded(next.event))
            if (!batch.length) continue
            position = batch.at(-1)!.position
            yield batch
            if (signal.aborted) return
          }
        } catch (error) {
          if (signal.aborted) return
          // This log has no such position: another log of at least that length has taken the place of the one that was read.
          if ((error as { code?: unknown }).code === INVALID_ARGUMENT) throw new LogTruncated(position, await lastPosition(isOurs))
          if (isFinal(error)) throw error
          outage.failed(error)
        } finally {
          signal.removeEventListener('abort', stop)
          stop()
        }
      }
    },

    close: () => client.dispose(),
  }
}

/**
 * The address as the client takes it. Of `esdb+discover://a,b,c` it would ask the first alone for the cluster; of `esdb://a,b,c` it asks any,
 * so that one that is lost does not lose the cluster. `kurrentdb` is the newer name, which it does not know.
 */
function withAllSeeds(address: string): string {
  const [, discover = '', rest = address] = /^(?:esdb|kurrentdb)(\+discover)?:\/\/(.*)$/s.exec(address.trim()) ?? []
  const [hosts] = rest.replace(/^[^:]+:[^@]+@/, '').split(/[/?]/)
  return `esdb${hosts!.includes(',') ? '' : discover}://${rest}`
}

/** The status of gRPC by which the server refuses a position. */
const INVALID_ARGUMENT = 3

/** Errors of a subscription that stay until an operator does something. */
const FINAL_ERROR_TYPES = new Set<unknown>([ErrorType.ACCESS_DENIED, ErrorType.INVALID_ARGUMENT, ErrorType.UNSUPPORTED])
const isFinal = (error: unknown) => FINAL_ERROR_TYPES.has((error as { type?: unknown }).type)

/**
 * Messages by which the client says that a server is away where it has no error type for it: a cluster of which no node answers; a node that
 * stops, starts, is busy or has no leader (the server's `NotHandled`); and a connection that broke during a call.
 */
const UNAVAILABLE_MESSAGE =
  /^Failed to discover|^14 UNAVAILABLE|Server Is (Not Ready|Busy|Too Busy)|No leader info available|RST_STREAM|Channel has been shut down/

/** The same error as one of ours (`StreamDeleted`, `AppendTooLarge`), or marked as transient where the server is away. */
function translateError(error: unknown, stream: string): unknown {
  if (error instanceof StreamDeletedError) return new StreamDeleted(stream, error)
  if (error instanceof MaxAppendSizeExceededError) return new AppendTooLarge(stream, error.maxAppendSize, error)
  return error instanceof Error && UNAVAILABLE_MESSAGE.test(error.message) ? Object.assign(error, { type: ErrorType.UNAVAILABLE }) : error
}

/** Whether the events of an append that failed with this error may have been written all the same. */
const isUndecided = (error: unknown) => error instanceof DeadlineExceededError || error instanceof LateAnswer

/** Other programs may share the database: our events carry our metadata. */
const isOurs = (event: ClientEvent) => event.isJson && typeof (event.metadata as EventMetadata | undefined)?.command === 'string'

/** An older server gives no position where a stream is read (it says 2⁶⁴−1): the position is −1n then. */
const recorded = (event: ClientEvent | AllStreamRecordedEvent): RecordedEvent => {
  const commit = (event as AllStreamRecordedEvent).position?.commit ?? -1n
  return {
    id: event.id,
    type: event.type,
    data: JSON.parse(lowercaseIds(JSON.stringify(event.data))),
    meta: event.metadata as unknown as EventMetadata,
    stream: event.streamId,
    position: commit < 2n ** 63n ? commit : -1n,
    revision: event.revision,
    at: event.created.toISOString(),
  }
}

class LateAnswer extends Error {
  readonly type = ErrorType.TIMEOUT
}
