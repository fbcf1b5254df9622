import { createWriteStream } from 'node:fs'
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Sql } from 'postgres'
import type { ObjectStore } from '../../modules/media/object-store.ts'
import { DESTROYED_KEYS_PREFIX, destroyedKeyOwners } from '../../modules/privacy/destroyed-keys.ts'
import { KEY_BACKUP_DAYS } from '../../modules/privacy/policy.ts'
import { columnsOf, copiedTables, copyOut, KEYS_TABLE, migrationsOf, type TableCopy } from './table-copies.ts'

/** What a backup says of itself: `backup.json`. */
export interface BackupManifest {
  /** When it was made, ISO 8601. */
  at: string
  migrations: string[]
  tables: TableCopy[]
}

export const MANIFEST = 'backup.json'
export const OBJECT_LIST = 'objects.jsonl'
/** Whose keys were destroyed, one id a line: kept beside the backups of keys, and never shortened. */
export const DESTROYED_LIST = 'destroyed-keys.txt'
/** Where an object lies in a backup: its key without slashes. */
export const objectFile = (backup: string, key: string) => join(backup, 'objects', encodeURIComponent(key))

/** A line of `objects.jsonl`. */
export interface ObjectCopy {
  key: string
  type: string
  bytes: number
}

interface Places {
  sql: Sql
  objects: ObjectStore
  /** Where backups lie, and where those of the keys do. */
  directory: string
  keysDirectory: string
  now: Date
}

/**
 * Makes a backup beside servers that run: the database as it is at one moment, then the objects, so that the log mentions no object which the
 * backup lacks, unless it was deleted meanwhile. The keys of people's words go to another directory, where those older than 30 days are deleted.
 * @returns the directories of both
 */
export async function makeBackup({ sql, objects, directory, keysDirectory, now }: Places): Promise<{ backup: string; keys: string }> {
  const name = now.toISOString().replaceAll(':', '-')
  const [backup, keys] = [join(directory, name), join(keysDirectory, name)]
  // Whole or not at all: a backup that was cut short is not mistaken for one.
  const [unfinished, unfinishedKeys] = [`${backup}.unfinished`, `${keys}.unfinished`]
  for (const path of [join(unfinished, 'tables'), join(unfinished, 'objects'), unfinishedKeys])
    await mkdir(path, { recursive: true, mode: 0o700 })

  await sql.begin('isolation level repeatable read read only', async tx => {
    const tables: TableCopy[] = []
    for (const { table, columns } of await copiedTables(tx)) tables.push(await copyOut(tx, join(unfinished, 'tables'), table, columns))
    const migrations = await migrationsOf(tx)
    const keyTable = await copyOut(tx, unfinishedKeys, KEYS_TABLE, await columnsOf(tx, KEYS_TABLE))
    const write = (path: string, its: TableCopy[]) =>
      writeFile(join(path, MANIFEST), JSON.stringify({ at: now.toISOString(), migrations, tables: its } satisfies BackupManifest, null, 2))
    await write(unfinished, tables)
    await write(unfinishedKeys, [keyTable])
  })
  await copyObjects(objects, unfinished)
  await noteDestroyedKeys(sql, objects, keysDirectory)
  await rename(unfinishedKeys, keys)
  await rename(unfinished, backup)
  await deleteOldKeys(keysDirectory, now)
  return { backup, keys }
}

async function copyObjects(objects: ObjectStore, backup: string) {
  const list = join(backup, OBJECT_LIST)
  await writeFile(list, '')
  for await (const { key } of objects.list('')) {
    if (key.startsWith(DESTROYED_KEYS_PREFIX)) continue
    const head = await objects.head(key)
    const body = head && (await objects.stream(key))
    // Deleted since it was listed.
    if (!head || !body) continue
    await pipeline(Readable.fromWeb(body as never), createWriteStream(objectFile(backup, key), { mode: 0o600 }))
    await appendFile(list, `${JSON.stringify({ key, type: head.type, bytes: head.bytes } satisfies ObjectCopy)}\n`)
  }
}

export const destroyedKeysIn = async (keysDirectory: string): Promise<string[]> =>
  (await readFile(join(keysDirectory, DESTROYED_LIST), 'utf8').catch(() => '')).split('\n').filter(Boolean)

async function noteDestroyedKeys(sql: Sql, objects: ObjectStore, keysDirectory: string) {
  const inDatabase = (await sql`select person from person_keys where destroyed is not null`).map(row => row.person as string)
  const all = new Set([...(await destroyedKeysIn(keysDirectory)), ...(await destroyedKeyOwners(objects)), ...inDatabase])
  await writeFile(join(keysDirectory, DESTROYED_LIST), [...all].map(owner => `${owner}\n`).join(''), { mode: 0o600 })
}

/** A destroyed key must be gone from its backups, too, as the privacy policy promises. */
async function deleteOldKeys(keysDirectory: string, now: Date) {
  const oldest = new Date(now.getTime() - KEY_BACKUP_DAYS * 24 * 3600_000).toISOString().replaceAll(':', '-')
  for (const { name } of await readdir(keysDirectory, { withFileTypes: true }))
    if (/^\d{4}-\d\d-\d\dT/.test(name) && name < oldest) await rm(join(keysDirectory, name), { recursive: true })
}
