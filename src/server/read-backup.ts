import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ConfigError } from '../config.ts'
import { type BackedUpObject, type BackupManifest, MANIFEST_FILE_NAME, OBJECT_LIST_FILE_NAME, objectPathInBackup } from './backup.ts'
import { tableFileIn } from './backup-tables.ts'
import { sha256OfFile } from './file-sha256.ts'

/**
 * Reads the manifest of a backup, or of a backup of keys.
 * @throws ConfigError if the directory is not a backup, or its manifest is damaged
 */
export async function readManifest(directory: string): Promise<BackupManifest> {
  const file = join(directory, MANIFEST_FILE_NAME)
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ConfigError(`${directory} is not a backup: it has no ${MANIFEST_FILE_NAME}.`)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw damagedFile(file)
  }
}

/** The objects of a backup, in the order in which they were copied. */
export async function* readObjectList(backup: string): AsyncGenerator<BackedUpObject> {
  for await (const line of createInterface({ input: createReadStream(join(backup, OBJECT_LIST_FILE_NAME)) })) yield JSON.parse(line)
}

/**
 * Reads every file of a backup and of its keys, so that a damaged one is found before anything is restored.
 * @throws ConfigError that names the first file that is missing or not as it was written
 */
export async function assertBackupIntact(backup: string, keys: string): Promise<void> {
  const [made, madeKeys] = await Promise.all([readManifest(backup), readManifest(keys)])
  for (const { table, sha256 } of made.tables) await assertFileIntact(tableFileIn(join(backup, 'tables'), table), { sha256 })
  for (const { table, sha256 } of madeKeys.tables) await assertFileIntact(tableFileIn(keys, table), { sha256 })
  await assertFileIntact(join(backup, OBJECT_LIST_FILE_NAME), { sha256: made.objectListSha256 })
  for await (const { key, bytes, sha256 } of readObjectList(backup))
    await assertFileIntact(objectPathInBackup(backup, key), { bytes, sha256 })
}

/** Compares a file with its checksum or, in backups made by earlier releases, an object with its length. */
async function assertFileIntact(file: string, { sha256, bytes }: { sha256?: string; bytes?: number }) {
  const found = await stat(file).catch(() => undefined)
  const isIntact = found && (sha256 ? (await sha256OfFile(file)) === sha256 : bytes === undefined || found.size === bytes)
  if (!isIntact) throw damagedFile(file)
}

const damagedFile = (file: string) =>
  new ConfigError(`The backup is damaged: ${file} is missing or not as it was written. Nothing was restored; use another backup.`)
