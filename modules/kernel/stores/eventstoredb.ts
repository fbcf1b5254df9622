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
import { type Logger, silentLogger } from '../logger-interface.ts'
import { createOutageLogger } from '../outage-logger.ts'
import { createBackoffSleep } from '../sleep.ts'
import {
  AppendTooLarge,
  assertEventsStorable,
  type EventMetadata,
  type EventStore,
  LogTruncatedError,
  lowercaseIdsInJson,
  type NewEvent,
  type RecordedEvent,
  RevisionConflict,
  readStreamInEitherCase,
  StreamDeleted,
} from '../store.ts'
import { withDeadline } from '../with-deadline.ts'

const EVENTS_PER_BATCH = 5000
/**
 * How long an append waits for the server's answer: four times the average duration of appends, within these limits. Then it checks whether
 * its events are in the stream, and checks again each time the total wait has doubled.
 */
const SHORTEST_ANSWER_WAIT_MS = 250
const LONGEST_ANSWER_WAIT_MS = 1000
/** The total time limit of an append. Without it, the client would wait forever for an answer that was lost with the connection. */
const APPEND_TIMEOUT_MS = 2000

/**
 * Decides how long appends wait for an answer before they check the stream, based on how long appends usually take. Checking earlier would
 * only add load to a busy server.
 */
function answerWaits() {
  let usualMs = 0
  return {
    /** Records how long an append took. */
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
/** How many times the end of the log is read before the log counts as truncated; with the pauses between them, this takes three seconds. */
const MAX_END_CHECKS = 6

/**
 * The log in EventStoreDB (one node or a cluster), through its official client. The position of an event is its commit position. Other
 * programs may use the same database: events without our metadata are skipped.
 */
export const eventstoredbStore = (address: string, log: Logger = silentLogger): EventStore & { close(): Promise<void> } => {
  const client = EventStoreDBClient.connectionString(withAllSeeds(address))
  const outage = createOutageLogger(log, 'EventStoreDB')
  const waits = answerWaits()

  /** The events of a stream after a revision, including those of other programs; `[]` if there are none. */
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

  /** The position of the last event of the whole log for which `wanted` returns true; −1n if there is none. */
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
   * Checks, for up to three seconds, that the log still reaches this position: a node that lags behind the one read before catches up
   * within that time, but a restored backup does not.
   * @throws LogTruncatedError
   */
  async function assertHeld(position: bigint, signal: AbortSignal) {
    if (position < 0n) return
    const pause = createBackoffSleep(signal)
    for (let checks = 0; checks < MAX_END_CHECKS; checks++) {
      if ((await lastPosition(() => true)) >= position) return
      await pause()
    }
    if (!signal.aborted) throw new LogTruncatedError(position, await lastPosition(isOurs))
  }

  /** The position of the last of `newEvents` if exactly these events follow revision `expected` in the stream; otherwise undefined. */
  async function positionOf(stream: string, expected: bigint, newEvents: NewEvent[]): Promise<bigint | undefined> {
    const storedEvents = (await eventsAfter(stream, expected)).slice(0, newEvents.length)
    const same = storedEvents.length === newEvents.length && storedEvents.every((e, i) => e.id === newEvents[i]!.id)
    return same ? recorded(storedEvents.at(-1)!).position : undefined
  }

  /**
   * Appends after this revision of the stream, whichever program wrote the last event. If events are sent again before the server has
   * indexed them, it drops the repetition and answers only seconds later (`CommitDecision.IdempotentNotReady`), so this function reads the
   * stream in the meantime.
   * @returns the position of the last event
   */
  async function write(stream: string, expected: bigint, newEvents: NewEvent[]): Promise<bigint> {
    const sentAt = performance.now()
    const answer = client
      .appendToStream(
        stream,
        newEvents.map(({ id, type, data, meta }) => jsonEvent({ id, type, data: data as JSONType, metadata: { ...meta } })),
        { expectedRevision: expected < 0n ? NO_STREAM : expected },
      )
      .finally(() => waits.note(performance.now() - sentAt))
      .catch(error => {
        throw translateError(error, stream)
      })
    let undecided: unknown = new LateAnswer('EventStoreDB confirmed an append, but its events are not in the stream.')
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
      const position = await positionOf(stream, expected, newEvents)
      if (position !== undefined) return position
    }
    throw undecided
  }

  return {
    read: stream => readStreamInEitherCase(stream, async name => (await outage.watch(eventsAfter(name, -1n))).filter(isOurs).map(recorded)),

    async append(stream, expected, events) {
      assertEventsStorable(stream, expected, events)
      for (let revision = expected; ; ) {
        try {
          return await outage.watch(write(stream, revision, events))
        } catch (error) {
          if (!(error instanceof WrongExpectedVersionError)) throw error
          const { actualVersion } = error as { actualVersion: bigint | string }
          const actual = typeof actualVersion === 'bigint' ? actualVersion : -1n
          // Other programs' events, or deleted ones, may follow ours. They are not a conflict, because our readers do not see them.
          const isConflict = actual <= revision || (await eventsAfter(stream, revision)).some(isOurs)
          if (isConflict) throw new RevisionConflict(stream, expected, actual)
          revision = actual
        }
      }
    },

    async *follow(after, signal) {
      let position = after
      for (let pause = createBackoffSleep(signal); !signal.aborted; await pause()) {
        try {
          await assertHeld(position, signal)
        } catch (error) {
          if (error instanceof LogTruncatedError || isFinal(error)) throw error
          if (!signal.aborted) outage.recordFailure(error)
          continue
        }
        if (signal.aborted) return
        const subscription = client.subscribeToAll(
          { fromPosition: position < 0n ? START : { commit: position, prepare: position }, filter: excludeSystemEvents() },
          { highWaterMark: EVENTS_PER_BATCH },
        )
        subscription.on('confirmation', outage.recordAnswer)
        // If the connection breaks while the subscription ends, the loop below does not handle the error. Without a listener,
        // it would end the process.
        subscription.on('error', () => {})
        const stop = () => {
          subscription.unsubscribe().catch(() => {})
          subscription.destroy()
        }
        signal.addEventListener('abort', stop)
        try {
          for await (const first of subscription) {
            pause = createBackoffSleep(signal)
            const batch: RecordedEvent[] = []
            // Add the events that have arrived in the meantime to the same batch.
            for (let next: typeof first | null = first; next; next = batch.length < EVENTS_PER_BATCH ? subscription.read() : null)
              if (next.event && isOurs(next.event)) batch.push(recorded(next.event))
            if (!batch.length) continue
            position = batch.at(-1)!.position
            yield batch
            if (signal.aborted) return
          }
        } catch (error) {
          if (signal.aborted) return
          // The log has no event at this position: it was replaced by another log that is at least as long.
          if ((error as { code?: unknown }).code === INVALID_ARGUMENT) throw new LogTruncatedError(position, await lastPosition(isOurs))
          if (isFinal(error)) throw error
          outage.recordFailure(error)
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
 * Returns the connection string in the form that the client needs. With `esdb+discover://a,b,c` the client would ask only the first host
 * for the nodes of the cluster; with `esdb://a,b,c` it asks any of them, so a lost host does no harm. `kurrentdb` is the newer name of
 * the scheme, which the client does not know.
 */
function withAllSeeds(address: string): string {
  const [, discover = '', rest = address] = /^(?:esdb|kurrentdb)(\+discover)?:\/\/(.*)$/s.exec(address.trim()) ?? []
  const [hosts] = rest.replace(/^[^:]+:[^@]+@/, '').split(/[/?]/)
  return `esdb${hosts!.includes(',') ? '' : discover}://${rest}`
}

/** The gRPC status with which the server rejects a position. */
const INVALID_ARGUMENT = 3

/** Errors of a subscription that last until an operator resolves their cause. */
const FINAL_ERROR_TYPES = new Set<unknown>([ErrorType.ACCESS_DENIED, ErrorType.INVALID_ARGUMENT, ErrorType.UNSUPPORTED])
const isFinal = (error: unknown) => FINAL_ERROR_TYPES.has((error as { type?: unknown }).type)

/**
 * Messages of client errors that mean that the server is unavailable, but have no type that says so: no node of a cluster answers; a node
 * stops, starts, is busy or has no leader (the server's `NotHandled`); or the connection broke during a call.
 */
const UNAVAILABLE_MESSAGE =
  /^Failed to discover|^14 UNAVAILABLE|Server Is (Not Ready|Busy|Too Busy)|No leader info available|RST_STREAM|Channel has been shut down/

/** Translates a client error to `StreamDeleted` or `AppendTooLarge`, or marks it as transient if the server is unavailable. */
function translateError(error: unknown, stream: string): unknown {
  if (error instanceof StreamDeletedError) return new StreamDeleted(stream, error)
  if (error instanceof MaxAppendSizeExceededError) return new AppendTooLarge(stream, error.maxAppendSize, error)
  return error instanceof Error && UNAVAILABLE_MESSAGE.test(error.message) ? Object.assign(error, { type: ErrorType.UNAVAILABLE }) : error
}

/** Whether the events of an append that failed with this error may have been written anyway. */
const isUndecided = (error: unknown) => error instanceof DeadlineExceededError || error instanceof LateAnswer

/** Whether an event is ours: other programs may share the database, but only our events carry our metadata. */
const isOurs = (event: ClientEvent) => event.isJson && typeof (event.metadata as EventMetadata | undefined)?.command === 'string'

/** When a stream is read, older servers send 2⁶⁴−1 instead of the position of each event; `position` is then −1n. */
const recorded = (event: ClientEvent | AllStreamRecordedEvent): RecordedEvent => {
  const commit = (event as AllStreamRecordedEvent).position?.commit ?? -1n
  return {
    id: event.id,
    type: event.type,
    data: JSON.parse(lowercaseIdsInJson(JSON.stringify(event.data))),
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
