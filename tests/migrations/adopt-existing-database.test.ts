import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { Sql } from 'postgres'
import { afterEach, expect, test } from 'vitest'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { MIGRATIONS_DIRECTORY, migrate } from '../../src/server/migrate.ts'
import { createEmptyDatabase, createTestDatabase } from '../support/postgres.ts'

/** Databases as earlier releases created them, with rows. */
const fixtures = globSync('fixtures/*.sql', { cwd: import.meta.dirname }).sort()
const log = pino({ level: 'silent' })

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

/** The schema of our tables and functions, except for the order of columns. */
async function schemaOf(sql: Sql) {
  const columns = sql`
    select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
      pg_get_expr(d.adbin, d.adrelid) as default, col_description(c.oid, a.attnum) as comment
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'S') order by 1, 2`
  const tables = sql`
    select relname as table, relkind as kind, relpersistence as persistence from pg_class
    where relnamespace = 'public'::regnamespace order by 1, 2`
  const indexes = sql`select indexname as index, indexdef as definition from pg_indexes where schemaname = 'public' order by 1`
  const constraints = sql`
    select conrelid::regclass::text as table, conname as constraint, pg_get_constraintdef(oid) as definition from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`
  const triggers = sql`select pg_get_triggerdef(oid) as trigger from pg_trigger where not tgisinternal order by 1`
  const functions = sql`select pg_get_functiondef(oid) as function from pg_proc where pronamespace = 'public'::regnamespace order by 1`
  return Promise.all([columns, tables, indexes, constraints, triggers, functions].map(async rows => [...(await rows)]))
}

/** Column names by table. */
type Columns = Map<string, string[]>
/**
 * The columns whose rows must not change: those of all tables except the list of migrations, which gets new rows, and except
 * `checkpoints.poison`, which the first migration drops (it held an error's text before parked streams had a table).
 */
async function columnsOf(sql: Sql): Promise<Columns> {
  const [row] = await sql`
    select jsonb_object_agg(table_name, names) as columns from (
      select table_name, jsonb_agg(column_name order by column_name) as names from information_schema.columns
      where table_schema = 'public' and table_name <> 'pgmigrations' and (table_name, column_name) <> ('checkpoints', 'poison')
      group by 1) tables`
  return new Map(Object.entries(row!.columns))
}

async function rowsOf(sql: Sql, columns: Columns) {
  const rows = new Map<string, string[]>()
  for (const [table, names] of columns) {
    const found = await sql`select to_jsonb(r)::text as row from (select ${sql(names)} from ${sql(table)}) r order by 1`
    rows.set(
      table,
      found.map(({ row }) => row),
    )
  }
  return rows
}

test.each(fixtures)('%s is upgraded to the schema of a new database, and keeps its rows', async file => {
  const [old, fresh] = [await createEmptyDatabase(), await createTestDatabase()]
  cleanups.push(old.end, fresh.end)
  await old.sql.unsafe(await readFile(join(import.meta.dirname, file), 'utf8'))
  const columns = await columnsOf(old.sql)
  const before = await rowsOf(old.sql, columns)
  expect([...before].filter(([, rows]) => !rows.length)).toEqual([])
  await migrate(old.url, log)
  expect(await rowsOf(old.sql, columns)).toEqual(before)
  expect(await schemaOf(old.sql)).toEqual(await schemaOf(fresh.sql))
  const store = postgresStore(old.sql)
  cleanups.push(store.close)
  const event = {
    id: randomUUID(),
    type: 'FolderCreated',
    data: {},
    meta: { command: randomUUID(), name: 'folder.create', actor: 'system' },
  }
  expect(await store.append(`folder-${randomUUID()}`, -1n, [event])).toBe(2n)
})

test('a database that has run half of the migrations is upgraded, and keeps its rows', async () => {
  const [old, fresh] = [await createEmptyDatabase(), await createTestDatabase()]
  const half = await mkdtemp(join(tmpdir(), 'diamondlink-migrations-'))
  cleanups.push(old.end, fresh.end, () => rm(half, { recursive: true }))
  const files = globSync('*.sql', { cwd: MIGRATIONS_DIRECTORY }).sort()
  for (const file of files.slice(0, files.length / 2)) await copyFile(join(MIGRATIONS_DIRECTORY, file), join(half, file))
  await old.sql.unsafe(await readFile(join(import.meta.dirname, fixtures.at(-1)!), 'utf8'))
  await migrate(old.url, log, half)
  const columns = await columnsOf(old.sql)
  const before = await rowsOf(old.sql, columns)
  await migrate(old.url, log)
  expect(await rowsOf(old.sql, columns)).toEqual(before)
  expect(await schemaOf(old.sql)).toEqual(await schemaOf(fresh.sql))
})
