import { randomBytes } from 'node:crypto'
import type { ISql, Sql } from 'postgres'
import { TEXT_KEY_BYTES } from './text-cipher.ts'

export type PersonKey = Buffer | 'destroyed'

export interface PersonKeys {
  /** The key that encrypts a person's texts, created if there was never one; `'destroyed'` if it was destroyed. */
  findOrCreateKey(person: string): Promise<PersonKey>
  /** The key if it is cached; undefined if it has to be loaded. */
  cached(person: string): PersonKey | undefined
  /** The keys of these people, by person. A person without one is left out. */
  load(people: readonly string[]): Promise<ReadonlyMap<string, PersonKey>>
}

/** A key is 32 bytes long, so those of all active people fit into memory. */
const MAX_CACHED_KEYS = 20_000
const CHANNEL = 'person_keys_changed'

/** Destroys a person's key in the given transaction. Texts encrypted with it can never be read again. */
export async function destroyKeyInDatabase(db: ISql, person: string, now: Date): Promise<void> {
  await db`
    insert into person_keys (person, key, destroyed) values (${person}, null, ${now})
    on conflict (person) do update set key = null, destroyed = coalesce(person_keys.destroyed, excluded.destroyed)`
}

/**
 * Stores keys in Postgres, whichever store holds the log. A bounded cache keeps the most recently used ones. When any process destroys a
 * key, all processes remove it from their caches immediately.
 */
export function personKeys(sql: Sql, maxCached = MAX_CACHED_KEYS): PersonKeys & { stop(): Promise<void> } {
  const cache = new Map<string, PersonKey>()
  /** Counts changes of keys. A key that was requested before a change and arrives after it may be outdated, so it is not cached. */
  let changes = 0
  const listening = sql.listen(
    CHANNEL,
    person => {
      changes++
      cache.delete(person)
    },
    () => {
      changes++
      cache.clear()
    },
  )
  listening.catch(() => {})

  function remember(person: string, key: PersonKey) {
    cache.delete(person)
    cache.set(person, key)
    if (cache.size > maxCached) cache.delete(cache.keys().next().value!)
  }

  async function found(query: PromiseLike<readonly { person: string; key: Buffer | null }[]>): Promise<Map<string, PersonKey>> {
    const before = changes
    const keys = new Map<string, PersonKey>()
    for (const { person, key } of await query) {
      keys.set(person, key ? Buffer.from(key) : 'destroyed')
      if (before === changes) remember(person, keys.get(person)!)
    }
    return keys
  }

  const load = (people: readonly string[]) =>
    found(
      sql<{ person: string; key: Buffer | null }[]>`select person, key from person_keys where person = any(${people as string[]}::uuid[])`,
    )

  /**
   * People whose keys were requested and are not cached. The next statement handles people who are added while a statement creates keys.
   */
  let wanted = new Map<string, PromiseWithResolvers<PersonKey>>()
  let isMaking = false
  async function makeKeys() {
    isMaking = true
    while (wanted.size) {
      const these = wanted
      wanted = new Map()
      const people = [...these.keys()]
      try {
        const rows = people.map(person => ({ person, key: randomBytes(TEXT_KEY_BYTES).toString('hex') }))
        await sql`
          insert into person_keys (person, key)
          select person, decode(key, 'hex') from json_to_recordset(${JSON.stringify(rows)}::text::json) as k(person uuid, key text)
          on conflict do nothing`
        const keys = await load(people)
        for (const [person, { resolve }] of these) resolve(keys.get(person)!)
      } catch (error) {
        for (const { reject } of these.values()) reject(error)
      }
    }
    isMaking = false
  }

  return {
    cached(person) {
      const key = cache.get(person)
      if (key) remember(person, key)
      return key
    },
    load,
    async findOrCreateKey(person) {
      const key = cache.get(person)
      if (key) return key
      const waiting = wanted.get(person) ?? Promise.withResolvers<PersonKey>()
      wanted.set(person, waiting)
      if (!isMaking) makeKeys()
      return waiting.promise
    },
    async stop() {
      await listening.then(l => l.unlisten()).catch(() => {})
    },
  }
}
