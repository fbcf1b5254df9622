import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { startPostgres } from '../../src/embedded/postgres.ts'
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

/** A fresh empty database, dropped by end(). Outside vitest (a benchmark) it brings its own Postgres. */
export async function database() {
  const adminUrl = await admin()
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  const asAdmin = async (statement: string) => {
    const root = connectPostgres(adminUrl, { max: 1 })
    try {
      await root.unsafe(statement)
    } finally {
      await root.end()
    }
  }
  await asAdmin(`create database ${name}`)
  const sql = connectPostgres(url.href)
  return {
    url: url.href,
    sql,
    end: async () => {
      await sql.end({ timeout: 5 })
      await asAdmin(`drop database if exists ${name} with (force)`)
    },
  }
}

/** Settings of a connection that has Postgres plan joins row by row, as it may by itself where it holds a table for small. */
export const rowByRow = {
  connection: {
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    enable_hashagg: 'off',
    enable_sort: 'off',
    enable_material: 'off',
  } as object,
}
