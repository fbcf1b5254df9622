import {
  type AllStreamRecordedEvent,
  EventStoreDBClient,
  excludeSystemEvents,
  type JSONType,
  jsonEvent,
  NO_STREAM,
  type RecordedEvent,
  START,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { Conflict, type EventStore, inEitherSpelling, type Meta, type Recorded, resting, spelled, storable } from '../store.ts'

const BATCH = 5000
/** How long an append may take, ms. The client would wait for ever for an answer that was lost with its stream. */
const PATIENCE = 15_000

/**
 * The log in EventStoreDB, one node or a cluster, by its client. The position is the commit position. The database may be shared: events
 * without our metadata are not ours.
 */
export const eventstoredbStore = (connectionString: string): EventStore & { close(): Promise<void> } => {
  const client = EventStoreDBClient.connectionString(connectionString)
  async function read(stream: string) {
    const events: Recorded[] = []
    try {
      for await (const { event } of client.readStream(stream)) if (event && ours(event)) events.push(recorded(event))
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw named(error)
    }
    return events
  }
  return {
    read: stream => inEitherSpelling(stream, read),

    async append(stream, expected, events) {
      storable(stream, expected, events)
      const news = events.map(({ id, type, data, meta }) => jsonEvent({ id, type, data: data as JSONType, metadata: { ...meta } }))
      try {
        const written = await within(
          PATIENCE,
          client.appendToStream(stream, news, { expectedRevision: expected < 0n ? NO_STREAM : expected }),
        )
        return written.position?.commit ?? (await read(stream)).at(-1)!.position
      } catch (error) {
        if (!(error instanceof WrongExpectedVersionError)) throw named(error)
        const actual = error.actualVersion as bigint | string
        throw new Conflict(stream, expected, typeof actual === 'bigint' ? actual : -1n)
      }
    },

    async *follow(after, signal) {
      let position = after
      for (let rest = resting(signal); !signal.aborted; await rest()) {
        const subscription = client.subscribeToAll(
          { fromPosition: position < 0n ? START : { commit: position, prepare: position }, filter: excludeSystemEvents() },
          { highWaterMark: BATCH },
        )
        const stop = () => {
          subscription.unsubscribe().catch(() => {})
          subscription.destroy()
        }
        signal.addEventListener('abort', stop)
        try {
          for await (const first of subscription) {
            rest = resting(signal)
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
          if (!signal.aborted && FINAL.has((error as { type?: string }).type ?? '')) throw error
        } finally {
          signal.removeEventListener('abort', stop)
          stop()
        }
      }
    },

    close: () => client.dispose(),
  }
}

/** Errors of a subscription that do not pass by themselves. */
const FINAL = new Set(['access-denied', 'invalid-argument', 'unsupported'])

/** The client has no name for a cluster of which nobody answers, nor for a node that is gone before it was asked what it knows. */
const AWAY = /^(Failed to discover|14 UNAVAILABLE)/
const named = (error: unknown) =>
  error instanceof Error && AWAY.test(error.message) ? Object.assign(error, { type: 'unavailable' }) : error

const ours = (event: RecordedEvent) => event.isJson && typeof (event.metadata as Meta | undefined)?.command === 'string'

/** An older server does not tell the position when a stream is read (it says 2⁶⁴−1): −1 then. */
const recorded = (event: RecordedEvent | AllStreamRecordedEvent): Recorded => {
  const commit = (event as AllStreamRecordedEvent).position?.commit ?? -1n
  return {
    id: event.id,
    type: event.type,
    data: JSON.parse(spelled(JSON.stringify(event.data))),
    meta: event.metadata as unknown as Meta,
    stream: event.streamId,
    position: commit < 2n ** 63n ? commit : -1n,
    revision: event.revision,
    at: event.created.toISOString(),
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error('EventStoreDB did not answer in time. Whether the events were written is not known.')
    timer = setTimeout(() => reject(Object.assign(error, { type: 'timeout' })), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
