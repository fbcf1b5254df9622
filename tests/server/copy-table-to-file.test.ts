import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyTableToFile, tableFileIn } from '../../src/server/backup-tables.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { createEmptyDatabase } from '../support/postgres.ts'

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let sql: Sql
let directory: string
beforeAll(async () => {
  database = await createEmptyDatabase()
  sql = createPostgresPool(database.url, { max: 1 })
  directory = await mkdtemp(join(tmpdir(), 'diamondlink-backup-tables-'))
})
afterAll(async () => {
  await sql?.end({ timeout: 5 })
  await database?.end()
  await rm(directory, { recursive: true })
})

/** Copies a table with these rows to a file and reads the file back. */
async function copyOfTable(table: string, rows: string[]): Promise<string[]> {
  await sql`create table ${sql(table)} (word text)`
  await sql`insert into ${sql(table)} select unnest(${rows}::text[])`
  const copied = await sql.begin(tx => copyTableToFile(tx, directory, table, ['word']))
  expect(copied.rows).toBe(rows.length)
  return (await readFile(tableFileIn(directory, table), 'utf8')).trimEnd().split('\n')
}

test('a table is copied whatever the length of its last rows', async () => {
  for (let kilobytes = 40; kilobytes <= 1600; kilobytes += 40) {
    const rows = ['first', 'x'.repeat(kilobytes * 1000), 'last']
    expect(await copyOfTable(`rows_of_${kilobytes}_kilobytes`, rows)).toEqual(rows)
  }
})

test('a copy that fails says why, and its connection answers later queries', async () => {
  await sql`create table large (word text)`
  await sql`insert into large select repeat('x', 1000) from generate_series(1, 20000)`
  const copied = sql.begin(tx => copyTableToFile(tx, join(directory, 'missing'), 'large', ['word']))
  await expect(copied).rejects.toThrow('ENOENT')
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})
