import { createHash, randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { Sql } from 'postgres'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { MIGRATIONS_DIRECTORY, migrate } from '../../src/server/migrate.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'

/** Starts a Postgres without fsync that runs until stop() or until this process exits. Tests that kill it pass other `settings`. */
export async function startTemporaryPostgres(settings: Record<string, string> = { fsync: 'off', full_page_writes: 'off' }) {
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
  own ??= process.env.TEST_DATABASE_URL
    ? Promise.resolve(process.env.TEST_DATABASE_URL)
    : startTemporaryPostgres().then(server => server.url)
  return own
}

const addressOf = (adminUrl: string, name: string) => Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href

async function asAdmin<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = createPostgresPool(await admin(), { max: 1, fetch_types: false })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

let template: Promise<string> | undefined
/** Returns the name of a migrated database, and creates it if needed. Copying this template is cheaper than migrating each database. */
export function ensureMigratedTemplateDatabase(): Promise<string> {
  template ??= asAdmin(async sql => {
    const migrations = globSync('*.sql', { cwd: MIGRATIONS_DIRECTORY }).sort()
    const hash = createHash('sha256')
    for (const file of migrations) hash.update(file).update(readFileSync(join(MIGRATIONS_DIRECTORY, file)))
    const name = `migrated_${hash.digest('hex').slice(0, 16)}`
    const begun = `begun_${randomUUID().replaceAll('-', '')}`
    // If several test processes start at the same time, one creates the template, and the others wait.
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
  // Without flushing to disk, copying files takes half as long as the default, which writes them to the write-ahead log first.
  await asAdmin(sql => sql`create database ${sql(name)} template ${sql(from)} strategy file_copy`)
  const url = addressOf(await admin(), name)
  const sql = createPostgresPool(url)
  return {
    url,
    sql,
    end: async () => {
      await sql.end({ timeout: 5 })
      await asAdmin(sql => sql`drop database if exists ${sql(name)} with (force)`)
    },
  }
}

/** Creates a fresh database with all our tables, dropped by end(). Outside vitest (in a benchmark) it starts a Postgres of its own. */
export const createTestDatabase = async () => createDatabase(await ensureMigratedTemplateDatabase())
/** Creates a database without tables, as on the first start. */
export const createEmptyDatabase = () => createDatabase('template1')

/** Connection settings that force nested-loop joins, which Postgres may choose by itself if it believes a table to be small. */
export const nestedLoopSettings = {
  connection: {
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    enable_hashagg: 'off',
    enable_sort: 'off',
    enable_material: 'off',
  } as object,
}
