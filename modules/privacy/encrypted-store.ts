import type { Logger } from '../kernel/logger-interface.ts'
import { assertEventsStorable, type EventStore, idOfStream, type NewEvent, type RecordedEvent } from '../kernel/store.ts'
import {
  type EncryptedTextsOfEvent,
  type EventDataWithEncryptedTexts,
  encryptedTextsOfData,
  encryptTexts,
  rememberEncryptedTexts,
} from './encrypt-event-texts.ts'
import { type AnyPersonalTextFields, setPersonalTextsInPlace } from './get-and-set-texts-by-path.ts'
import type { PersonKey, PersonKeys } from './person-keys.ts'
import { DELETED_TEXT, MISSING_KEY_TEXT } from './policy.ts'
import { decryptText } from './text-cipher.ts'

/**
 * The maximum number of streams whose person is cached. A person is cached when the stream is read; a command reads its stream before it
 * appends to it, so the person is usually known by then.
 */
const MAX_REMEMBERED_STREAMS = 20_000

/**
 * An event store that encrypts the texts of each stream with the key of the stream's person. Deciders, projections and processes see plain
 * events. Events that were written before encryption was introduced are plain and are read as they are.
 */
export function encryptedStore<S extends EventStore>(
  inner: S,
  keys: PersonKeys,
  tables: readonly AnyPersonalTextFields[],
  log: Logger,
  maxRememberedStreams = MAX_REMEMBERED_STREAMS,
): S {
  const tableOfStream = new Map(tables.map(t => [t.stream, t]))
  const tableOf = (stream: string) => tableOfStream.get(stream.slice(0, stream.indexOf('-')))
  const typesWithText = new Set(
    tables.flatMap(t => Object.entries<readonly string[]>(t.fields).flatMap(([type, paths]) => (paths.length ? [type] : []))),
  )
  const people = new Map<string, string>()

  function remember(stream: string, person: string) {
    people.delete(stream)
    people.set(stream, person)
    if (people.size > maxRememberedStreams) people.delete(people.keys().next().value!)
    return person
  }

  /** The person with whose key the texts of this stream are encrypted. */
  async function personOf(table: AnyPersonalTextFields, stream: string, expected: bigint, events: NewEvent[]): Promise<string> {
    if (table.person === 'id') return idOfStream(stream)
    const known = people.get(stream)
    if (known) return known
    const [first] = expected < 0n ? events : await inner.read(stream)
    return remember(stream, table.person(first ?? events[0]))
  }

  async function encrypted(stream: string, expected: bigint, events: NewEvent[]): Promise<NewEvent[]> {
    const table = tableOf(stream)
    if (!table) return events
    if (!events.some(e => table.fields[e.type]?.length)) return events
    const person = await personOf(table, stream, expected, events)
    const key = await keys.findOrCreateKey(person)
    return events.map(e => encryptTexts(e, table.fields[e.type] ?? [], person, key))
  }

  function textsIn(e: RecordedEvent, { person, texts }: EncryptedTextsOfEvent, key: PersonKey | undefined): string[] | string {
    if (texts === undefined || key === 'destroyed') return DELETED_TEXT
    try {
      if (!key) throw new Error(`There is no key of ${person}.`)
      return JSON.parse(decryptText(texts, key, e.id))
    } catch (error) {
      log.error({ err: error, event: e.id, stream: e.stream }, 'the text of an event cannot be read')
      return MISSING_KEY_TEXT
    }
  }

  /**
   * The event with its texts, or with a sentence that says why they cannot be read. Nested data is changed in place, which is safe because
   * every store parses the data again on each read.
   */
  function withTexts(e: RecordedEvent, its: EncryptedTextsOfEvent, key: PersonKey | undefined): RecordedEvent {
    const { encrypted: _, ...data } = e.data as EventDataWithEncryptedTexts
    const texts = textsIn(e, its, key)
    setPersonalTextsInPlace(data, its.paths, i => (typeof texts === 'string' ? texts : texts[i]!))
    return rememberEncryptedTexts({ ...e, data }, its)
  }

  /**
   * The events with their texts decrypted; keys that are not cached are fetched together. Returns the same array if nothing is encrypted.
   */
  async function decrypted(events: RecordedEvent[]): Promise<RecordedEvent[]> {
    const encryptedTextsByIndex = new Map<number, EncryptedTextsOfEvent>()
    for (const [i, e] of events.entries()) {
      const eventTexts = typesWithText.has(e.type) ? encryptedTextsOfData(e.data) : undefined
      if (eventTexts) encryptedTextsByIndex.set(i, eventTexts)
    }
    if (!encryptedTextsByIndex.size) return events
    const owners = new Set(Array.from(encryptedTextsByIndex.values(), its => its.person))
    const at = new Map(Array.from(owners, person => [person, keys.cached(person)]))
    const missing = [...owners].filter(person => !at.get(person))
    if (missing.length) for (const [person, key] of await keys.load(missing)) at.set(person, key)
    const plain = [...events]
    for (const [i, its] of encryptedTextsByIndex) plain[i] = withTexts(events[i]!, its, at.get(its.person))
    return plain
  }

  return {
    ...inner,
    async read(stream) {
      const events = await decrypted(await inner.read(stream))
      const [first] = events
      const table = first && tableOf(stream)
      if (table && table.person !== 'id') remember(first.stream, table.person(first))
      return events
    },
    async append(stream, expected, events) {
      assertEventsStorable(stream, expected, events)
      return inner.append(stream, expected, await encrypted(stream, expected, events))
    },
    async *follow(after, signal, types) {
      for await (const batch of inner.follow(after, signal, types)) yield await decrypted(batch)
    },
  }
}
