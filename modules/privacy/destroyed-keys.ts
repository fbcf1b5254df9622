import type { Sql } from 'postgres'
import { destroyKey } from './person-keys.ts'

/** Whose keys were destroyed: an empty object each in the object store, apart from the database and its backups. */
export const DESTROYED_KEYS_PREFIX = 'destroyed-keys/'

/** What of the object store is needed here. */
interface Notes {
  put(key: string, type: string, body: Uint8Array): Promise<void>
  list(prefix: string): AsyncIterable<{ key: string }>
}

/**
 * Destroys a key permanently. The object store records that first, so that an older backup of the database does not bring the key back: a restore
 * destroys all recorded keys again.
 */
export async function destroyKeyPermanently({ sql, objects }: { sql: Sql; objects: Notes }, owner: string, now: Date): Promise<void> {
  await objects.put(`${DESTROYED_KEYS_PREFIX}${owner}`, 'text/plain', new Uint8Array())
  await destroyKey(sql, owner, now)
}

/** Whose keys were ever destroyed, as far as the object store knows. */
export async function destroyedKeyOwners(objects: Notes): Promise<string[]> {
  const owners: string[] = []
  for await (const { key } of objects.list(DESTROYED_KEYS_PREFIX)) owners.push(key.slice(DESTROYED_KEYS_PREFIX.length))
  return owners
}
