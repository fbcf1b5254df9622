import { type AnyEvent, derivedId } from './decider.ts'
import type { TypedEvent } from './projection.ts'

/** A side effect to perform once: a letter, a charge, a command to another aggregate. Kept in the outbox until done. */
export interface Errand {
  /** Derived from its cause, so that posting the errand twice changes nothing. For letters, it is also the idempotency key at Resend. */
  id: string
  /** `area.action`, such as `letter.receipt`. */
  kind: string
  /** JSON. It refers to people by their ids and contains no names, addresses or texts. */
  payload: Record<string, unknown>
  /** The earliest time to perform it, ISO 8601; now if absent. */
  due?: string
  /** Trace id of the request that caused it; if absent, the trace id of the code that posts the errand. */
  trace?: string
}

/**
 * Creates the errand that an event, or anything else with an id, causes. The errand's id is derived from that id and from `key`: its kind,
 * plus whatever distinguishes several errands of one kind. The same cause and key always give the same errand, which is performed only
 * once.
 */
export const errand = (
  cause: { id: string },
  kind: string,
  payload: Errand['payload'],
  { due, key = [kind] }: { due?: string; key?: string[] } = {},
): Errand => ({ id: derivedId(cause.id, ...key), kind, payload, ...(due && { due }) })

/** Creates errands in response to events. Pure: it depends on the event alone. */
export interface Process<E extends AnyEvent = AnyEvent> {
  name: string
  /**
   * Raise it whenever `on` handles different events or creates different errands; 1 if absent. During an upgrade, the servers of the old
   * and of the new release then each read the log for their own version, so that no event is left to a release that does not know what to
   * do with it.
   */
  version?: number
  /** Which events it handles when an installation first runs it: all events of the log, or only those appended from then on. */
  startsFrom: 'beginning' | 'now'
  on: { [T in E['type']]?: (e: TypedEvent<E, T>) => Errand | Errand[] }
}

/** Defines a process: `eventProcess<Event>({ name, startsFrom, on })`. */
export const eventProcess = <E extends AnyEvent>(definition: Process<E>) => definition
