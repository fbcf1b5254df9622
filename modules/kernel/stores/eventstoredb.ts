import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  DeadlineExceededError,
  END,
  ErrorType,
  EventStoreDBClient,
  excludeSystemEvents,
  type JSONType,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  type RecordedEvent,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { type Logger, silentLogger } from '../logger.ts'
import { outageLog } from '../outage.ts'
import { settleWithin } from '../settle-within.ts'
import { backoff } from '../sleep.ts'
import {
  AppendTooLarge,
  assertStorable,
  Conflict,
  type EventStore,
  LogTruncated,
  lowercaseIds,
  type Meta,
  type NewEvent,
  type Recorded,
  readEitherSpelling,
  StreamDeleted,
} from '../store.ts'

const BATCH = 5000
/**
 * How long an append waits for its answer before it looks into the stream for its own events, each time, ms. All of them are the longest that
 * an append may take: the client would wait for ever for an answer that was lost with its stream.
 */
const LOOK_AFTER_MS = [250, 250, 500, 1000]
/** How often the end of the log is looked for before it counts as truncated: with the rests between, for three seconds. */
const LOOKS_FOR_END = 6

/**
 * The log in EventStoreDB, one node or a cluster, by its client. The position is the commit position. The database may be shared: events
 * without our metadata are not ours.
 */
export const eventstoredbStore = (address: string, log: Logger = silentLogger): EventStore & { close(): Promise<void> } => {
  const client = EventStoreDBClient.connectionString(withAllSeeds(address))
  const outage = outageLog(log, 'EventStoreDB')

  /** The events of a stream after a revision, those of others too; `[]` where there are none. */
  async function eventsAfter(stream: string, revision: bigint): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = []
    try {
      const fromRevision = revision < 0n ? START : revision + 1n
      for await (const { event } of client.readStream(stream, { fromRevision })) if (event) events.push(event)
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw namedError(error, stream)
    }
    return events
  }

  /** The position of the last event of the whole log that is wanted, −1n where there is none. */
  async function lastPosition(wanted: (event: RecordedEvent) => boolean): Promise<bigint> {
    for (let before: { commit: bigint; prepare: bigint } | typeof END = END, maxCount = 1; ; maxCount = BATCH) {
      const page: AllStreamRecordedEvent[] = []
      for await (const { event } of client.readAll({ direction: BACKWARDS, fromPosition: before, maxCount }))
        if (event) page.push(event as AllStreamRecordedEvent)
      const found = page.find(wanted)
      if (found || !page.length) return found?.position.commit ?? -1n
      before = page.at(-1)!.position
    }
  }

  /** A follower that lags behind the node of before catches up within seconds; a restored backup does not. */
  async function assertHeld(position: bigint, signal: AbortSignal) {
    if (position < 0n) return
    const rest = backoff(signal)
    for (let looks = 0; looks < LOOKS_FOR_END; looks++) {
      if ((await lastPosition(() => true)) >= position) return
      await rest()
    }
    if (!signal.aborted) throw new LogTruncated(position, await lastPosition(ours))
  }

  /** The position of the last of these events if they are what comes after this revision, else undefined. */
  async function positionOf(stream: string, expected: bigint, news: NewEvent[]): Promise<bigint | undefined> {
    const there = (await eventsAfter(stream, expected)).slice(0, news.length)
    const same = there.length === news.length && there.every((e, i) => e.id === news[i]!.id)
    return same ? recorded(there.at(-1)!).position : undefined
  }

  /**
   * Appends after this revision of the stream, whoever wrote what is there. The server drops a repeat of events that it has written and not
   * yet indexed, and says so seconds later (`CommitDecision.IdempotentNotReady`), so the events themselves are looked for meanwhile.
   */
  async function write(stream: string, expected: bigint, news: NewEvent[]): Promise<bigint> {
    const answer = client
      .appendToStream(
        stream,
        news.map(({ id, type, data, meta }) => jsonEvent({ id, type, data: data as JSONType, metadata: { ...meta } })),
        { expectedRevision: expected < 0n ? NO_STREAM : expected },
      )
      .catch(error => {
        throw namedError(error, stream)
      })
    let undecided: unknown = new LateAnswer('EventStoreDB says that the events are written, but they are not there.')
    for (const ms of LOOK_AFTER_MS) {
      try {
        const written = await settleWithin(
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
    read: stream => readEitherSpelling(stream, async named => (await outage.watch(eventsAfter(named, -1n))).filter(ours).map(recorded)),

    async append(stream, expected, events) {
      assertStorable(stream, expected, events)
      for (let revision = expected; ; ) {
        try {
          return await outage.watch(write(stream, revision, events))
        } catch (error) {
          if (!(error instanceof WrongExpectedVersionError)) throw error
          const { actualVersion } = error as { actualVersion: bigint | string }
          const actual = typeof actualVersion === 'bigint' ? actualVersion : -1n
          // Nobody who reads our events can know of foreign or removed ones that follow them.
          const isOurs = actual <= revision || (await eventsAfter(stream, revision)).some(ours)
          if (isOurs) throw new Conflict(stream, expected, actual)
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
          { highWaterMark: BATCH },
        )
        subscription.on('confirmation', outage.answered)
        // The connection may go away while the subscription is being ended, and nobody else listens then.
        subscription.on('error', () => {})
        const stop = () => {
          subscription.unsubscribe().catch(() => {})
          subscription.destroy()
        }
        signal.addEventListener('abort', stop)
        try {
          for await (const first of subscription) {
            rest = backoff(signal)
            const batch: Recorded[] = []
            // what has arrived with it comes along, in order
            for (let next: typeof first | null = first; next; next = batch.length < BATCH ? subscription.read() : null)
              if (next.event && ours(next.event)) batch.push(recorded(next.event))
            if (!batch.length) continue
            position = batch.at(-1)!.position
            yield batch
            if (signal.aborted) return
          }
        } catch (error) {
          if (signal.aborted) return
          // The position is none of this log's: another log took its place, and is long enough.
          if ((error as { code?: unknown }).code === INVALID_ARGUMENT) throw new LogTruncated(position, await lastPosition(ours))
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

/** Errors of a subscription that do not pass by themselves. */
const FINAL = new Set<unknown>([ErrorType.ACCESS_DENIED, ErrorType.INVALID_ARGUMENT, ErrorType.UNSUPPORTED])
const isFinal = (error: unknown) => FINAL.has((error as { type?: unknown }).type)

/**
 * How the client words that a server is away and has no type for: a cluster of which nobody answers, a node that stops, starts, is busy or
 * looks for its leader (the server's `NotHandled`), and a connection that went away under a call.
 */
const AWAY =
  /^Failed to discover|^14 UNAVAILABLE|Server Is (Not Ready|Busy|Too Busy)|No leader info available|RST_STREAM|Channel has been shut down/

/** The error by the name that our own code has for it. */
function namedError(error: unknown, stream: string): unknown {
  if (error instanceof StreamDeletedError) return new StreamDeleted(stream, error)
  if (error instanceof MaxAppendSizeExceededError) return new AppendTooLarge(stream, error.maxAppendSize, error)
  return error instanceof Error && AWAY.test(error.message) ? Object.assign(error, { type: ErrorType.UNAVAILABLE }) : error
}

/** Whether an append may have been written all the same. */
const isUndecided = (error: unknown) => error instanceof DeadlineExceededError || error instanceof LateAnswer

const ours = (event: RecordedEvent) => event.isJson && typeof (event.metadata as Meta | undefined)?.command === 'string'

/** An older server does not tell the position when a stream is read (it says 2⁶⁴−1): −1 then. */
const recorded = (event: RecordedEvent | AllStreamRecordedEvent): Recorded => {
  const commit = (event as AllStreamRecordedEvent).position?.commit ?? -1n
  return {
    id: event.id,
    type: event.type,
    data: JSON.parse(lowercaseIds(JSON.stringify(event.data))),
    meta: event.metadata as unknown as Meta,
    stream: event.streamId,
    position: commit < 2n ** 63n ? commit : -1n,
    revision: event.revision,
    at: event.created.toISOString(),
  }
}

class LateAnswer extends Error {
  readonly type = ErrorType.TIMEOUT
}
