import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { afterEach, beforeEach } from 'vitest'
import { type ErrandHandler, outboxWorker } from '../../modules/jobs/outbox.ts'
import type { Errand } from '../../modules/kernel/process.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { createTestDatabase } from '../support/postgres.ts'

export let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>
export let sql: Sql
export let testAbort: AbortController
/** Connections that are closed after the current test. */
export const poolsToCloseAfterTest: Sql[] = []

/** Gives each test of the calling file a database, and ends its workers afterwards. */
export function setUpDatabasePerOutboxTest() {
  beforeEach(async () => {
    testDatabase = await createTestDatabase()
    sql = testDatabase.sql
    testAbort = new AbortController()
  })
  afterEach(async () => {
    testAbort.abort()
    await Promise.all(poolsToCloseAfterTest.splice(0).map(pool => pool.end({ timeout: 1 })))
    await testDatabase.end()
  })
}

/** Aborts the workers of the current test. Workers that are started afterwards get a new signal. */
export function abortWorkers() {
  testAbort.abort()
  testAbort = new AbortController()
}

export const silentLog = { info: () => {}, error: () => {} }

/** Simulates another process with connections of its own. */
export const connectAsOtherProcess = () => {
  const pool = createPostgresPool(testDatabase.url, { max: 3 })
  poolsToCloseAfterTest.push(pool)
  return pool
}
export const newErrand = (fields: Partial<Errand> = {}): Errand => ({
  id: randomUUID(),
  kind: 'letter.hello',
  payload: { to: 'p1' },
  ...fields,
})
export const fetchErrandRow = async (id: string) => (await sql`select * from errands where id = ${id}`)[0]!
/** Starts a worker that waits `backOffMs` after each failed try. */
export async function startOutboxWorker(
  handlers: Record<string, ErrandHandler>,
  { on = sql, backOffMs = 5, ...options } = {} as Partial<Parameters<typeof outboxWorker>[2]> & { on?: Sql; backOffMs?: number },
) {
  const work = outboxWorker(on, handlers, { log: silentLog, backOff: () => backOffMs, ...options })
  await work.start(testAbort.signal)
  return work
}
export const createDeferred = () => Promise.withResolvers<void>()
