/**
 * The actor and the command that caused an event. It holds ids but nothing personal, because metadata is not encrypted and remains when
 * a person is deleted.
 */
export interface EventMetadata {
  /**
   * Id of the command: derived from a request's sender and Idempotency-Key, or from what made the system send it; otherwise random.
   * Commands with the same id are handled once.
   */
  command: string
  /** The name of the command, for audits, such as `folder.assign`. */
  name: string
  /** User id, or `system`. */
  actor: string
  /**
   * Hash of the request, if it had an Idempotency-Key: reusing the key for a different request is refused. System commands and older events
   * have none.
   */
  asked?: string
  /** Id of the event that made a process send the command. Nothing sets it at present. */
  cause?: string
  /** Trace id of the request that caused it (`trace.ts`). Older events have none. */
  trace?: string
}

export interface NewEvent {
  /** UUID, derived from the command id, the stream and the place in the command's batch. */
  id: string
  type: string
  /** JSON: no undefined, no bigint, no NUL character. */
  data: unknown
  meta: EventMetadata
}

export interface RecordedEvent extends NewEvent {
  /** Place in the whole log; grows in commit order, gapless in Postgres. */
  position: bigint
  stream: string
  /** Place in the stream, from 0. */
  revision: bigint
  /** ISO 8601, UTC. */
  at: string
}

/** The log. Every implementation passes the same tests (`tests/kernel/store-contract.ts`). */
export interface EventStore {
  /** The events of a stream; `[]` if there is none. In older logs, ids in stream names may be in capitals (`readStreamInEitherCase`). */
  read(stream: string): Promise<RecordedEvent[]>
  /**
   * Appends all events, or none, after revision `expected` (−1: there is no stream yet). @returns the position of the last event
   * @throws RevisionConflict if the stream is at another revision; also what `assertEventsStorable` throws
   */
  append(stream: string, expected: bigint, events: NewEvent[]): Promise<bigint>
  /**
   * Yields every event after a position, in order and in batches: first the stored events, then new ones as they are appended, until
   * aborted. `-1n` starts at the beginning. With `types`, a store may skip events of other types, but always includes the last event of a
   * batch, because its position tells the caller how far the log has been read.
   * @throws LogTruncatedError if the log does not reach that position (anymore), at the start or once the store is back after an outage
   */
  follow(after: bigint, signal: AbortSignal, types?: string[]): AsyncIterable<RecordedEvent[]>
}

/** The stream is not at the revision that its writer expected. The writer should read and decide again. */
export class RevisionConflict extends Error {
  constructor(stream: string, expected: bigint, actual: bigint) {
    super(`${stream} is at revision ${actual}, not ${expected}`)
  }
}

/**
 * The log no longer holds an event that has been read, for example because an older backup was restored. Waiting does not help: the read
 * models have to be rebuilt.
 */
export class LogTruncatedError extends Error {
  /** The position up to which the reader has read. */
  readonly position: bigint
  /** The last position of the log when its end was read; −1n if it is empty. */
  readonly end: bigint
  /**
   * When the end was read, by the clock of Postgres and in its text format. Absent if the log is not in Postgres, whose clock dates the
   * checkpoints.
   */
  readonly endReadAt?: string
  constructor(position: bigint, end: bigint, endReadAt?: string) {
    super(`The log was read up to ${position}, and now ends at ${end}.`)
    this.position = position
    this.end = end
    this.endReadAt = endReadAt
  }
}

/** A business rule refuses the command. The message is a full sentence that the sender of the command may read. */
export class CommandRefused extends Error {
  /** A short name on which a client can act (`card-needed`). */
  readonly code: string
  /** The input field that caused the refusal, if one did. */
  readonly field?: string
  constructor(message: string, code = 'refused', field?: string) {
    super(message)
    this.code = code
    this.field = field
  }
}

/** The command's id already belongs to a different command: one by another person, with another name, or with different input. */
export class CommandIdReused extends Error {}

/** An append without events, which is a bug in our code. */
export class EmptyAppend extends Error {
  constructor(stream: string) {
    super(`${stream}: an append needs at least one event.`)
  }
}

/** An append that is larger than the store accepts. None of its events was written. */
export class AppendTooLarge extends Error {
  constructor(stream: string, maxBytes: number, cause: unknown) {
    super(`${stream}: an append may hold at most ${maxBytes} bytes.`, { cause })
  }
}

/** An operator deleted the stream permanently: it can be neither read nor written to, and its name cannot be used again. */
export class StreamDeleted extends Error {
  constructor(stream: string, cause: unknown) {
    super(`${stream} was deleted for good.`, { cause })
  }
}

/**
 * Matches characters that no text may contain, as `JSON.stringify` escapes them: NUL, which Postgres cannot store, and half of a surrogate
 * pair.
 */
const UNSTORABLE_CHARACTERS = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f]..)/

/**
 * Performs the checks that every store makes before it appends.
 * @throws EmptyAppend if there are no events
 * @throws CommandRefused `unstorable` if a text contains a character that a store could not return unchanged
 * @throws Error if the UUID in a new stream's name is not in canonical spelling, which would create a second stream for the same aggregate.
 * Streams of older logs that have such a name can still be appended to.
 */
export const assertEventsStorable = (stream: string, expected: bigint, events: NewEvent[]) => {
  if (!events.length) throw new EmptyAppend(stream)
  if (UNSTORABLE_CHARACTERS.test(JSON.stringify([stream, events])))
    throw new CommandRefused('The text contains a character that cannot be saved. Remove it and try again.', 'unstorable')
  const id = idPart(stream)
  if (expected < 0n && /^[0-9a-f]{32}$/i.test(id.replaceAll(/[-{}]/g, '')) && !CANONICAL.test(id))
    throw new Error(`${stream}: the id must be a UUID in lower case.`)
}
const CANONICAL = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const CAPITALS = /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/

/** The id in the spelling of the stream's name: everything after the first dash, because nouns contain no dash. */
const idPart = (stream: string) => stream.slice(stream.indexOf('-') + 1)

/** `folder`, `018f…` → `folder-018f…`: the stream of one aggregate. */
export const streamOf = (noun: string, id: string) => `${noun}-${id}`

/** `folder-018f…` → `018f…`, in the canonical spelling of ids. */
export const idOfStream = (stream: string) => {
  const id = idPart(stream)
  return CAPITALS.test(id) ? id.toLowerCase() : id
}

/**
 * Reads a stream by the name under which its events are stored: older logs contain some ids in capitals, and such a stream cannot be
 * renamed, because events are immutable. If the names of two streams differ only in letter case, each is read by its own name.
 */
export async function readStreamInEitherCase(stream: string, read: (stream: string) => Promise<RecordedEvent[]>): Promise<RecordedEvent[]> {
  const events = await read(stream)
  const id = idPart(stream)
  const other = CANONICAL.test(id) ? id.toUpperCase() : idOfStream(stream)
  return events.length || other === id ? events : read(stream.slice(0, -id.length) + other)
}

/** Converts the ids in the JSON of an event's data to lower case. In older logs, some are in capitals. */
export const lowercaseIdsInJson = (json: string) => json.replace(CAPITAL_IDS, id => id.toLowerCase())
const CAPITAL_IDS = /"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}"/g
