import { createReadStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { Sql } from 'postgres'
import type { ObjectStore } from '../../modules/media/object-store.ts'
import { ConfigError } from '../config.ts'
import { destroyedKeyOwnersIn, objectPathInBackup } from './backup.ts'
import { appliedMigrationNames, copyTableFromFile } from './backup-tables.ts'
import { readManifest, readObjectList } from './read-backup.ts'

interface Places {
  sql: Sql
  objects: ObjectStore
  backup: string
  /** The backup of the keys that encrypt personal text. With another backup's keys, the text cannot be read. */
  keys: string
}

/**
 * Restores a backup into an empty installation with a migrated schema: the database in one transaction, then the objects.
 * @returns the ids of people and support requests whose keys have to be destroyed again, as listed in the directory of key backups; null
 * without a list
 * @throws ConfigError if the installation is not empty, the backup has a different schema, or a manifest is missing or damaged
 */
export async function restoreBackup({ sql, objects, backup, keys }: Places): Promise<string[] | null> {
  const [made, madeKeys] = await Promise.all([readManifest(backup), readManifest(keys)])
  const [used] = await sql`select 1 from events union all select 1 from users limit 1`
  if (used) throw new ConfigError('There is data already. Restore into an empty data directory: set DATA_DIR to a new one.')
  const knownMigrations = await appliedMigrationNames(sql)
  if (knownMigrations.join() !== made.migrations.join())
    throw new ConfigError(
      `The backup has the schema ${made.migrations.at(-1)}, and this release has ${knownMigrations.at(-1)}. Restore with the release that made it, then start the newer one.`,
    )
  await sql.begin(async tx => {
    // Turns off the checks of foreign keys, which are only satisfied once all tables have been restored.
    await tx`set local session_replication_role = replica`
    for (const table of made.tables) await copyTableFromFile(tx, join(backup, 'tables'), table)
    for (const table of madeKeys.tables) await copyTableFromFile(tx, keys, table)
  })
  for await (const { key, type, bytes } of readObjectList(backup)) {
    const file = objectPathInBackup(backup, key)
    if (bytes === 0) await objects.put(key, type, new Uint8Array())
    else await objects.putStream(key, type, Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>)
  }
  return destroyedKeyOwnersIn(dirname(keys))
}
