import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { EventStore, NewEvent } from './store.ts'

/**
 * A trace id connects a request with what it caused: log lines, events, and errands that other processes perform later. It consists of 32
 * random hex digits, and says nothing about people.
 */
const traces = new AsyncLocalStorage<() => string | undefined>()

/** Runs `work`, whose log lines, events and errands carry `traceId`, or no trace id if it is undefined. */
export const runInTrace = <T>(traceId: string | undefined, work: () => T): T => traces.run(() => traceId, work)

/** The trace id of the code that is running, or undefined outside of a trace. */
export const currentTraceId = (): string | undefined => traces.getStore()?.()

/** Makes a trace id from a UUID: Node takes the random bytes of UUIDs from a cache, while `randomBytes` makes a system call for each id. */
export const newTraceId = () => randomUUID().replaceAll('-', '')

/** Version, trace id, parent id, flags; versions after 00 may add more (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/

/** The trace id of a `traceparent` header, or undefined if the header is absent or malformed. */
export function traceIdOfHeader(traceparent: string | null): string | undefined {
  const [, version, traceId, extraFields] = TRACEPARENT.exec(traceparent ?? '') ?? []
  return version === '00' && extraFields ? undefined : traceId
}

/**
 * Runs the work of a request in the trace that its `traceparent` header names, otherwise in a new one. A new id is created only when it is
 * needed, because most requests neither log nor write anything.
 */
export function runInTraceOfRequest<T>(traceparent: string | null, work: () => T): T {
  let traceId = traceIdOfHeader(traceparent)
  return traces.run(() => (traceId ??= newTraceId()), work)
}

/** Wraps a store so that it writes the current trace id into the metadata of the events that it appends. */
export const storeWithTraceIds = <S extends EventStore>(store: S): S => ({
  ...store,
  append(stream: string, expected: bigint, events: NewEvent[]) {
    const trace = currentTraceId()
    return store.append(stream, expected, trace ? events.map(e => ({ ...e, meta: { ...e.meta, trace } })) : events)
  },
})
