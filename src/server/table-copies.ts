import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Sql, TransactionSql } from 'postgres'

/** A table as a backup holds it: its rows in Postgres' own text format, in a file of its name. */
export interface TableCopy {
  table: string
  columns: string[]
  rows: number
}

/** The keys of people's words: in a place of their own. */
export const KEYS_TABLE = 'person_keys'
/** Tables that say what processes are doing just now, and those that every server makes anew. */
const NOT_COPIED = ['leader_leases', 'limits', 'pgmigrations', KEYS_TABLE]
/** Read models are made anew from the log. */
const READ_MODEL = '_v[0-9]+(_fresh)?$'
/** Where a table names the readers of the log that its rows are about. */
const READER_COLUMN: Record<string, string | undefined> = { checkpoints: 'name', parked: 'reader' }

/** Our tables with their columns, without read models, keys, and what is true only now. */
export async function copiedTables(tx: TransactionSql): Promise<Omit<TableCopy, 'rows'>[]> {
  const rows = await tx<{ table: string; columns: string[] }[]>`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and c.relname !~ ${READ_MODEL} and c.relname <> all(${NOT_COPIED})
    group by c.relname order by c.relname`
  return [...rows]
}

export const columnsOf = async (tx: TransactionSql, table: string): Promise<string[]> =>
  (
    await tx`
      select attname from pg_attribute
      where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`
  ).map(row => row.attname as string)

const fileOf = (directory: string, table: string) => join(directory, `${table}.copy`)

/** Writes the rows of a table, as the transaction sees them, into a file. Positions of read models are left out, as are their tables. */
export async function copyOut(tx: TransactionSql, directory: string, table: string, columns: string[]): Promise<TableCopy> {
  const reader = READER_COLUMN[table]
  const rows = `"${table}" ${reader ? `where ${reader} !~ '${READ_MODEL}'` : ''}`
  const [counted] = await tx.unsafe(`select count(*)::int as count from ${rows}`)
  const list = columns.map(name => `"${name}"`).join(', ')
  const source = await tx.unsafe(`copy (select ${list} from ${rows}) to stdout`).readable()
  await pipeline(source, createWriteStream(fileOf(directory, table), { mode: 0o600 }))
  return { table, columns, rows: counted!.count }
}

/** Puts the rows of a file in the place of those of a table. @throws Error where there are not as many as there were */
export async function copyIn(tx: TransactionSql, directory: string, { table, columns, rows }: TableCopy): Promise<void> {
  // A new log is empty, and takes no deletion.
  if (table !== 'events') await tx`delete from ${tx(table)}`
  const list = columns.map(name => `"${name}"`).join(', ')
  const target = await tx.unsafe(`copy "${table}" (${list}) from stdin`).writable()
  await pipeline(createReadStream(fileOf(directory, table)), target)
  const [counted] = await tx`select count(*)::int as rows from ${tx(table)}`
  if (counted!.rows !== rows) throw new Error(`${table} has ${counted!.rows} rows, and the backup says ${rows}.`)
}

/** What has been migrated, in order. */
export const migrationsOf = async (sql: Sql | TransactionSql): Promise<string[]> =>
  (await (sql as Sql)`select name from pgmigrations order by name`).map(row => row.name as string)
