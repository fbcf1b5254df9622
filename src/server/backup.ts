import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Sql } from 'postgres'
import { addDays } from '../../modules/dates.ts'
import { DATA_EXPORT_PREFIX } from '../../modules/media/object-keys.ts'
import type { ObjectStore } from '../../modules/media/object-store.ts'
import { DESTROYED_KEYS_PREFIX, destroyedKeyOwners } from '../../modules/privacy/destroyed-keys.ts'
import { KEY_BACKUP_RETENTION_DAYS } from '../../modules/privacy/policy.ts'
import {
  appliedMigrationNames,
  type BackupManifestTable,
  columnsOf,
  copyTableToFile,
  PERSON_KEYS_TABLE,
  tablesToBackUp,
} from './backup-tables.ts'
import { sha256OfFile, writeAndHash } from './file-sha256.ts'

/** The contents of `backup.json`, which describes a backup. */
export interface BackupManifest {
  /** When the backup was made, ISO 8601. */
  at: string
  migrations: string[]
  tables: BackupManifestTable[]
  /** SHA-256 of the list of objects in hexadecimal. Backups of keys, and backups made by earlier releases, have none. */
  objectListSha256?: string
}

export const MANIFEST_FILE_NAME = 'backup.json'
export const OBJECT_LIST_FILE_NAME = 'objects.jsonl'
/** Ids of people and support requests whose keys were destroyed, one per line. The file is next to the key backups and only ever grows. */
export const DESTROYED_KEYS_FILE_NAME = 'destroyed-keys.txt'
/** The path of an object in a backup: its key, encoded so that it contains no slashes. */
export const objectPathInBackup = (backup: string, key: string) => join(backup, 'objects', encodeURIComponent(key))

/** One line of `objects.jsonl`. */
export interface BackedUpObject {
  key: string
  type: string
  bytes: number
  /** SHA-256 of the object in hexadecimal. Backups made by earlier releases have none. */
  sha256?: string
}

interface Places {
  sql: Sql
  objects: ObjectStore
  /** The directory for backups. `keysDirectory` is a separate one, for backups of the keys that encrypt personal text. */
  directory: string
  keysDirectory: string
  now: Date
}

/**
 * Makes a backup while servers run: first a snapshot of the database, then the objects. So every object that the log mentions is in the
 * backup, unless it was deleted in between. The keys that encrypt personal text go to a separate directory, where backups older than 30
 * days are deleted.
 * @returns the new directories with the backup and with its keys
 */
export async function makeBackup({ sql, objects, directory, keysDirectory, now }: Places): Promise<{ backup: string; keys: string }> {
  const name = now.toISOString().replaceAll(':', '-')
  const [backup, keys] = [join(directory, name), join(keysDirectory, name)]
  // Rename at the end, so that an interrupted backup is not mistaken for a complete one.
  const [unfinished, unfinishedKeys] = [`${backup}.unfinished`, `${keys}.unfinished`]
  for (const path of [join(unfinished, 'tables'), join(unfinished, 'objects'), unfinishedKeys])
    await mkdir(path, { recursive: true, mode: 0o700 })

  const { tables, keyTable, migrations } = await sql.begin('isolation level repeatable read read only', async tx => {
    const tables: BackupManifestTable[] = []
    for (const { table, columns } of await tablesToBackUp(tx))
      tables.push(await copyTableToFile(tx, join(unfinished, 'tables'), table, columns))
    const keyTable = await copyTableToFile(tx, unfinishedKeys, PERSON_KEYS_TABLE, await columnsOf(tx, PERSON_KEYS_TABLE))
    return { tables, keyTable, migrations: await appliedMigrationNames(tx) }
  })
  const objectListSha256 = await copyObjects(objects, unfinished)
  const at = now.toISOString()
  await writeManifest(unfinished, { at, migrations, tables, objectListSha256 })
  await writeManifest(unfinishedKeys, { at, migrations, tables: [keyTable] })
  await noteDestroyedKeys(sql, objects, keysDirectory)
  await rename(unfinishedKeys, keys)
  await rename(unfinished, backup)
  await deleteOldKeys(keysDirectory, now)
  return { backup, keys }
}

const writeManifest = (directory: string, manifest: BackupManifest) =>
  writeFile(join(directory, MANIFEST_FILE_NAME), JSON.stringify(manifest, null, 2))

/**
 * Objects that a backup leaves out: ids of destroyed keys, which are listed next to the key backups, and data exports, which contain a
 * person's texts unencrypted and are deleted after a few days.
 */
const NOT_COPIED_PREFIXES = [DESTROYED_KEYS_PREFIX, DATA_EXPORT_PREFIX]

/** Copies all objects except those with `NOT_COPIED_PREFIXES`, and writes their list. @returns SHA-256 of the list in hexadecimal */
async function copyObjects(objects: ObjectStore, backup: string): Promise<string> {
  const list = join(backup, OBJECT_LIST_FILE_NAME)
  await writeFile(list, '')
  for await (const { key } of objects.list('')) {
    if (NOT_COPIED_PREFIXES.some(prefix => key.startsWith(prefix))) continue
    const head = await objects.head(key)
    const body = head && (await objects.stream(key))
    // The object was deleted after it was listed.
    if (!head || !body) continue
    const sha256 = await writeAndHash(Readable.fromWeb(body as never), objectPathInBackup(backup, key))
    await appendFile(list, `${JSON.stringify({ key, type: head.type, bytes: head.bytes, sha256 } satisfies BackedUpObject)}\n`)
  }
  return sha256OfFile(list)
}

/**
 * Ids of people and support requests whose keys were destroyed, as listed in the directory of key backups; null if it contains no list.
 * @throws Error if there is a list that cannot be read
 */
export async function destroyedKeyOwnersIn(keysDirectory: string): Promise<string[] | null> {
  const list = await readFile(join(keysDirectory, DESTROYED_KEYS_FILE_NAME), 'utf8').catch(error => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return list === null ? null : list.split('\n').filter(Boolean)
}

async function noteDestroyedKeys(sql: Sql, objects: ObjectStore, keysDirectory: string) {
  const inDatabase = (await sql`select person from person_keys where destroyed is not null`).map(row => row.person as string)
  const all = new Set([...((await destroyedKeyOwnersIn(keysDirectory)) ?? []), ...(await destroyedKeyOwners(objects)), ...inDatabase])
  const list = join(keysDirectory, DESTROYED_KEYS_FILE_NAME)
  // Rename at the end, so that an interrupted backup leaves the earlier list.
  await writeFile(`${list}.unfinished`, [...all].map(owner => `${owner}\n`).join(''), { mode: 0o600 })
  await rename(`${list}.unfinished`, list)
}

/** Key backups are deleted after a while, because a destroyed key must disappear from them, too, as the privacy policy promises. */
async function deleteOldKeys(keysDirectory: string, now: Date) {
  const oldest = addDays(now, -KEY_BACKUP_RETENTION_DAYS).toISOString().replaceAll(':', '-')
  for (const { name } of await readdir(keysDirectory, { withFileTypes: true }))
    if (/^\d{4}-\d\d-\d\dT/.test(name) && name < oldest) await rm(join(keysDirectory, name), { recursive: true })
}
