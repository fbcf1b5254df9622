import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { SCHEMA_LOCK } from '../../modules/readers/schema-lock.ts'
import { ConfigError } from '../config.ts'
import { createPostgresPool } from './postgres-pool.ts'

/** The folder of numbered SQL files (docs/recipes.md, "Change the schema"). */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../migrations', import.meta.url))

/** The table in which node-pg-migrate records applied migrations; this is its default name. */
const MIGRATIONS_TABLE = 'pgmigrations'
/** How long a migration waits for a lock before it rolls back and tries again, so that it never blocks running servers for long. */
const LOCK_TIMEOUT_MS = 200
const LONGEST_PAUSE_MS = 2000

/** Whether a migration only adds to the schema, by its name. Programs that do not know such a migration can still run. */
const isExpansion = (name: string) => /^\d{4}_expand_/.test(name)

/**
 * Applies the pending migrations, each in its own transaction, while servers run. Migrations need a session, so `url` must not lead through
 * a pooler in transaction mode.
 * @throws ConfigError if the database has a schema that this release cannot use
 */
export async function migrate(url: string, log: Logger, directory = MIGRATIONS_DIRECTORY): Promise<void> {
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const sql = createPostgresPool(url, { max: 1, fetch_types: false, connection: { lock_timeout: LOCK_TIMEOUT_MS } as object })
    try {
      const applied = await appliedMigrations(sql)
      const known = migrationNames(directory)
      const unknown = applied.find(name => !known.includes(name) && !isExpansion(name))
      if (unknown) {
        throw new ConfigError(
          `DATABASE_URL: the database has the newer schema ${unknown}, which this release of DiamondLink cannot use; start the release that brought it, or a newer one`,
        )
      }
      if (known.some(name => !applied.includes(name))) await runMigrations(sql, directory, log)
      return
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      log.info({ err: error }, 'a migration could not get a lock in time and will be retried')
    } finally {
      await sql.end({ timeout: 5 })
    }
    await sleep(pauseMs)
  }
}

const migrationNames = (directory: string) =>
  readdirSync(directory)
    .filter(file => file.endsWith('.sql'))
    .map(file => file.slice(0, -'.sql'.length))

async function appliedMigrations(sql: Sql): Promise<string[]> {
  const [table] = await sql`select to_regclass(${MIGRATIONS_TABLE}) is not null as exists`
  if (!table!.exists) return []
  return (await sql`select name from ${sql(MIGRATIONS_TABLE)}`).map(row => row.name as string)
}

/** Loads node-pg-migrate only if there are pending migrations, because loading it takes longer than reading the table of applied ones. */
async function runMigrations(sql: Sql, directory: string, log: Logger) {
  const { runner } = await import('node-pg-migrate')
  // Uses our own driver's connection, because the library's driver would interpret the options of a URL differently.
  const dbClient = { query: async (query: string) => ({ rows: await sql.unsafe(query) }) }
  const done = await runner({
    dbClient: dbClient as never,
    dir: directory,
    direction: 'up',
    migrationsTable: MIGRATIONS_TABLE,
    // Servers take the same lock while they create or replace tables, so that migrations and servers do not interfere with each other.
    lockValue: SCHEMA_LOCK,
    advisoryLockMode: 'wait',
    // The library would log whole statements, and errors that it also throws.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  })
  if (done.length) log.info({ migrations: done.map(({ name }) => name) }, 'the schema was migrated')
}

/** Whether a Postgres error says that `lock_timeout` has passed. */
const isLockTimeout = (error: unknown) => (error as { code?: unknown }).code === '55P03'
