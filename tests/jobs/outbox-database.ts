import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { afterEach, beforeEach } from 'vitest'
import { type ErrandHandler, outbox } from '../../modules/jobs/outbox.ts'
import type { Errand } from '../../modules/kernel/process.ts'
import { connectPostgres } from '../../src/server/postgres-pool.ts'
import { createTestDatabase } from '../support/postgres.ts'

export let db: Awaited<ReturnType<typeof createTestDatabase>>
export let sql: Sql
export let testAbort: AbortController
/** Connections that are closed after the current test. */
export const poolsOfTest: Sql[] = []

/** Gives each test of the calling file a database, and ends its workers afterwards. */
export function setUpOutboxDatabase() {
  beforeEach(async () => {
    db = await createTestDatabase()
    sql = db.sql
    testAbort = new AbortController()
  })
  afterEach(async () => {
    testAbort.abort()
    await Promise.all(poolsOfTest.splice(0).map(pool => pool.end({ timeout: 1 })))
    await db.end()
  })
}

/** Ends the workers of the current test as a dying server does; those that start afterwards run. */
export function restartWorkers() {
  testAbort.abort()
  testAbort = new AbortController()
}

export const silentPino = { info: () => {}, error: () => {} }

/** Simulates another process with connections of its own. */
export const connectAsOtherProcess = () => {
  const pool = connectPostgres(db.url, { max: 3 })
  poolsOfTest.push(pool)
  return pool
}
export const newErrand = (more: Partial<Errand> = {}): Errand => ({
  id: randomUUID(),
  kind: 'letter.hello',
  payload: { to: 'p1' },
  ...more,
})
export const errandRow = async (id: string) => (await sql`select * from errands where id = ${id}`)[0]!
/** Starts a worker; `every` is its backoff. */
export async function startOutboxWorker(
  handlers: Record<string, ErrandHandler>,
  { on = sql, every = 5, ...more } = {} as Partial<Parameters<typeof outbox>[2]> & { on?: Sql; every?: number },
) {
  const work = outbox(on, handlers, { log: silentPino, backOff: () => every, ...more })
  await work.start(testAbort.signal)
  return work
}
export const manualSignal = () => Promise.withResolvers<void>()
