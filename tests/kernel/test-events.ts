import { randomUUID } from 'node:crypto'
import type { EventStore, NewEvent, RecordedEvent } from '../../modules/kernel/store.ts'

/** Creates an event with a new id, from a new command unless one is given. */
export const newTestEvent = (data: unknown = {}, { type = 'Thrown', command = randomUUID() as string } = {}): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  meta: { command, name: 'pitch.throw', actor: 'system' },
})

/** A unique noun for streams that no other test reads. */
export const uniqueStreamNoun = () => `pitch${randomUUID().replaceAll('-', '')}`

export const uniqueStream = () => `${uniqueStreamNoun()}-${randomUUID()}`

/** Copies all fields of an event to a plain object, to compare events that were read in different ways. */
export const eventAsPlainObject = ({ id, type, data, meta, stream, position, revision, at }: RecordedEvent) => ({
  id,
  type,
  data,
  meta,
  stream,
  position,
  revision,
  at,
})

/** Reads until `count` events of streams with this prefix have arrived, and returns them in order of arrival. */
export async function readUntilCount(
  store: EventStore,
  after: bigint,
  prefix: string,
  count: number,
  onEvent?: (e: RecordedEvent) => void,
) {
  const found: RecordedEvent[] = []
  const ending = new AbortController()
  for await (const batch of store.follow(after, ending.signal)) {
    for (const e of batch.filter(e => e.stream.startsWith(prefix))) {
      found.push(e)
      onEvent?.(e)
    }
    if (found.length >= count) break
  }
  ending.abort()
  return found
}
