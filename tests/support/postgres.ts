import { createHash, randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { Sql } from 'postgres'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { MIGRATIONS_DIRECTORY, migrate } from '../../src/server/migrate.ts'
import { connectPostgres } from '../../src/server/postgres-pool.ts'

/** A Postgres that is gone after stop(), or with this process. Without fsync: tests that kill it bring `settings` of their own. */
export async function temporaryPostgres(settings: Record<string, string> = { fsync: 'off', full_page_writes: 'off' }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-test-'))
  const server = await startPostgres({ dataDir, log: pino({ level: 'warn' }), settings })
  return {
    ...server,
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

let own: Promise<string> | undefined
function admin() {
  own ??= process.env.TEST_DATABASE_URL ? Promise.resolve(process.env.TEST_DATABASE_URL) : temporaryPostgres().then(server => server.url)
  return own
}

const addressOf = (adminUrl: string, name: string) => Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href

async function asAdmin<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connectPostgres(await admin(), { max: 1, fetch_types: false })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

let template: Promise<string> | undefined
/** The name of a database in which all migrations have run. A database that Postgres copies from it costs less than migrating each. */
export function migratedTemplate(): Promise<string> {
  template ??= asAdmin(async sql => {
    const migrations = globSync('*.sql', { cwd: MIGRATIONS_DIRECTORY }).sort()
    const hash = createHash('sha256')
    for (const file of migrations) hash.update(file).update(readFileSync(join(MIGRATIONS_DIRECTORY, file)))
    const name = `migrated_${hash.digest('hex').slice(0, 16)}`
    const begun = `begun_${randomUUID().replaceAll('-', '')}`
    // Test processes that begin at once: one makes it, the others wait.
    await sql`select pg_advisory_lock(hashtext(${name}))`
    const [made] = await sql`select 1 from pg_database where datname = ${name}`
    if (made) return name
    await sql`create database ${sql(begun)}`
    await migrate(addressOf(await admin(), begun), pino({ level: 'warn' }))
    await sql`alter database ${sql(begun)} rename to ${sql(name)}`
    return name
  })
  return template
}

async function createDatabase(from: string) {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Where nothing is flushed to the disk, copying files takes half as long as writing them to the log first, which is the default.
  await asAdmin(sql => sql`create database ${sql(name)} template ${sql(from)} strategy file_copy`)
  const url = addressOf(await admin(), name)
  const sql = connectPostgres(url)
  return {
    url,
    sql,
    end: async () => {
      await sql.end({ timeout: 5 })
      await asAdmin(sql => sql`drop database if exists ${sql(name)} with (force)`)
    },
  }
}

/** A fresh database with all our tables, dropped by end(). Outside vitest (a benchmark) it brings its own Postgres. */
export const database = async () => createDatabase(await migratedTemplate())
/** The same without any table, as it is at the first start. */
export const emptyDatabase = () => createDatabase('template1')

/** Settings of a connection that has Postgres plan joins row by row, as it may by itself where it holds a table for small. */
export const nestedLoopSettings = {
  connection: {
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    enable_hashagg: 'off',
    enable_sort: 'off',
    enable_material: 'off',
  } as object,
}
