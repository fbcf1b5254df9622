import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Sql, TransactionSql } from 'postgres'
import { writeAndHash } from './file-sha256.ts'

/** A table in a backup: its rows in Postgres' text format, in a file named after the table. */
export interface BackupManifestTable {
  table: string
  columns: string[]
  rows: number
  /** SHA-256 of the file in hexadecimal. Backups made by earlier releases have none. */
  sha256?: string
}

/** The table with the keys that encrypt personal text, which is backed up separately. */
export const PERSON_KEYS_TABLE = 'person_keys'
/**
 * Tables that a backup leaves out: temporary state of running servers, the list of migrations, which every installation writes itself, and
 * the keys, which are backed up separately.
 */
const NOT_COPIED = ['leader_leases', 'limits', 'pgmigrations', PERSON_KEYS_TABLE]
/** Matches the table names of read models, which are not backed up because they can be rebuilt from the log. */
const READ_MODEL = '_v[0-9]+(_fresh)?$'
/** The column that names a row's reader, in tables about readers of the log. */
const READER_COLUMN: Record<string, string | undefined> = { checkpoints: 'name', parked: 'reader' }

/** The tables to back up with their columns, without read models, keys and temporary state. */
export async function tablesToBackUp(tx: TransactionSql): Promise<Omit<BackupManifestTable, 'rows' | 'sha256'>[]> {
  const rows = await tx<{ table: string; columns: string[] }[]>`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and c.relname !~ ${READ_MODEL} and c.relname <> all(${NOT_COPIED})
    group by c.relname order by c.relname`
  return [...rows]
}

/** The columns of a table that a backup copies; empty if there is no such table. */
export const columnsOf = async (tx: TransactionSql, table: string): Promise<string[]> =>
  (
    await tx`
      select attname from pg_attribute
      where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`
  ).map(row => row.attname as string)

export const tableFileIn = (directory: string, table: string): string => join(directory, `${table}.copy`)

/**
 * Writes a table's rows, as the transaction sees them, to a file. The checkpoints and parked streams of read models are left out, because
 * the read models are, too.
 */
export async function copyTableToFile(
  tx: TransactionSql,
  directory: string,
  table: string,
  columns: string[],
): Promise<BackupManifestTable> {
  const reader = READER_COLUMN[table]
  const rows = `"${table}" ${reader ? `where ${reader} !~ '${READ_MODEL}'` : ''}`
  const [counted] = await tx.unsafe(`select count(*)::int as count from ${rows}`)
  const list = columns.map(name => `"${name}"`).join(', ')
  const source = await tx.unsafe(`copy (select ${list} from ${rows}) to stdout`).readable()
  const sha256 = await writeAndHash(source, tableFileIn(directory, table))
  return { table, columns, rows: counted!.count, sha256 }
}

/** Replaces a table's rows with those of a file. @throws Error if the number of rows differs from the recorded one */
export async function copyTableFromFile(
  tx: TransactionSql,
  directory: string,
  { table, columns, rows }: BackupManifestTable,
): Promise<void> {
  // The events table is empty (`restoreBackup` has checked that), and its trigger forbids deletions.
  if (table !== 'events') await tx`delete from ${tx(table)}`
  const list = columns.map(name => `"${name}"`).join(', ')
  const target = await tx.unsafe(`copy "${table}" (${list}) from stdin`).writable()
  await pipeline(createReadStream(tableFileIn(directory, table)), target)
  const [counted] = await tx`select count(*)::int as rows from ${tx(table)}`
  if (counted!.rows !== rows) throw new Error(`${table} has ${counted!.rows} rows, and the backup says ${rows}.`)
}

/** The names of the applied migrations, in order. */
export const appliedMigrationNames = async (sql: Sql | TransactionSql): Promise<string[]> =>
  (await (sql as Sql)`select name from pgmigrations order by name`).map(row => row.name as string)
