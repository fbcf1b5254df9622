import { formatCents } from './format-cents-and-counts.ts'
import type { AnyEvent } from './kernel/decider.ts'

/** The data of an event or of a line of a folder's story. Old events may lack any field. */
type Data = Record<string, unknown>

interface EventSentence {
  /**
   * Whose name starts the sentence in the event log: that of whoever acted (the default), or of the `owner`, the person the event concerns.
   * With `none`, no name is added: `audit` is the whole sentence.
   */
  subject?: 'owner' | 'none'
  /** @param owner the name of the person the event is about, if it is known */
  audit: (data: Data, owner?: string) => string
  story?: (who: string, detail: Data) => string
}

/** How each event of a module reads: `audit` in the administrators' event log, `story` on the folder's page. */
export type EventSentences<E extends AnyEvent> = { [T in E['type']]: EventSentence }

/** A text field of an event; empty if an old event lacks it. */
export const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '')
/** `$15.00` for an event's amount in integer cents; `an amount` if an old event has none. */
export const amountText = (value: unknown) => (typeof value === 'number' ? formatCents(value) : 'an amount')
