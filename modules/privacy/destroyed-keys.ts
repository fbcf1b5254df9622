import type { Sql } from 'postgres'
import { destroyKeyInDatabase } from './person-keys.ts'

/**
 * The object store has an empty object under this prefix for each person whose key was destroyed, because a restored database may still
 * have the key.
 */
export const DESTROYED_KEYS_PREFIX = 'destroyed-keys/'

/** The part of the object store that is needed here. */
interface Notes {
  put(key: string, type: string, body: Uint8Array): Promise<void>
  list(prefix: string): AsyncIterable<{ key: string }>
}

/**
 * Destroys a key permanently. Records that in the object store first, so that an older backup of the database does not bring the key back:
 * a restore destroys all recorded keys again.
 */
export async function destroyKeyPermanently({ sql, objects }: { sql: Sql; objects: Notes }, owner: string, now: Date): Promise<void> {
  await objects.put(`${DESTROYED_KEYS_PREFIX}${owner}`, 'text/plain', new Uint8Array())
  await destroyKeyInDatabase(sql, owner, now)
}

/** Ids of the people whose keys were destroyed, according to the object store. */
export async function destroyedKeyOwners(objects: Notes): Promise<string[]> {
  const owners: string[] = []
  for await (const { key } of objects.list(DESTROYED_KEYS_PREFIX)) owners.push(key.slice(DESTROYED_KEYS_PREFIX.length))
  return owners
}
