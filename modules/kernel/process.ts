import type { AnyEvent } from './decider.ts'
import type { Of } from './projection.ts'

/** A side effect to perform once: a letter, a charge, a command to another aggregate. Kept in the outbox until done. */
export interface Errand {
  /** Derived from the event it answers (`derivedId(e.id, 'letter.receipt')`), so asking twice changes nothing; the provider's idempotency key. */
  id: string
  /** `who.what`: `letter.receipt`. */
  kind: string
  /** JSON; ids only. */
  payload: Record<string, unknown>
  /** Not before; ISO 8601. Now if absent. */
  due?: string
}

/** Answers events with errands. Pure: what it reads is in the event. */
export interface Process<E extends AnyEvent = AnyEvent> {
  name: string
  on: { [T in E['type']]?: (e: Of<E, T>) => Errand | Errand[] }
}

/** `process<Event>({ name, on })`. */
export const process = <E extends AnyEvent>(definition: Process<E>) => definition
