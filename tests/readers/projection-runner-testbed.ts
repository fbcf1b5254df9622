import type { Sql } from 'postgres'
import { afterEach, beforeEach } from 'vitest'
import { projection } from '../../modules/kernel/projection.ts'
import { type EventStore, idOfStream } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { newTestEvent } from '../kernel/test-events.ts'
import { createTestDatabase } from '../support/postgres.ts'

export let db: Awaited<ReturnType<typeof createTestDatabase>>
export let sql: Sql
export let store: EventStore & { close?: () => Promise<void> }
export let testAbort: AbortController
export const poolsToCloseAfterTest: Sql[] = []

/** Gives each test of the calling file a database and an empty log in memory. */
export function setUpProjectionRunnerTestbed() {
  beforeEach(async () => {
    db = await createTestDatabase()
    sql = db.sql
    testAbort = new AbortController()
    store = memoryStore()
  })
  afterEach(async () => {
    testAbort.abort()
    await store.close?.()
    await Promise.all(poolsToCloseAfterTest.splice(0).map(pool => pool.end({ timeout: 5 })))
    await db.end()
  })
}

/** Switches the current test's log from memory to its database. Events in the memory store are not copied. */
export const switchLogToPostgres = async () => {
  store = postgresStore(sql)
}
/** Creates separate database connections, as another process would have. They are closed after the test. */
export const connectAsOtherProcess = () => {
  const pool = createPostgresPool(db.url, { max: 3 })
  poolsToCloseAfterTest.push(pool)
  return pool
}

export type GameEvent =
  | { type: 'RunScored'; data: { team: string; runs: number } }
  | { type: 'RunsTraded'; data: { from: string; to: string } }
  | { type: 'TeamLeft'; data: { team: string } }

export const silentLog = { info: () => {}, error: () => {} }

/** A team's runs. The row has a column of each type except uuid; `past` holds the values that the handler read from the previous row. */
export const scoresProjection = projection<GameEvent>()({
  name: 'scores',
  version: 1,
  row: { team: 'text', runs: 'int', total: 'bigint', hot: 'bool', since: 'timestamptz', last: 'timestamptz?', past: 'jsonb' },
  index: ['runs desc, team', 'last'],
  key: e => (e.type === 'RunsTraded' ? [e.data.from, e.data.to] : e.data.team),
  on: {
    RunScored: (row, e) => ({
      team: e.data.team,
      runs: (row?.runs ?? 0) + e.data.runs,
      total: (row?.total ?? 9007199254740993n) + BigInt(e.data.runs),
      hot: e.data.runs > 3,
      since: row?.since ?? e.at,
      last: row ? e.at : null,
      past: [row?.since ?? null, row?.last ?? null, row ? `${row.total}` : null],
    }),
    RunsTraded: (row, e, key) => (row && key === e.data.from ? { ...row, runs: row.runs - 1 } : row && { ...row, runs: row.runs + 1 }),
    TeamLeft: () => null,
  },
})

export const totalRunsProjection = (name: string, version = 1) =>
  projection<GameEvent>()({
    name,
    version,
    row: { id: 'text', n: 'int' },
    key: e => idOfStream(e.stream),
    on: { RunScored: (row, e, id) => ({ id, n: (row?.n ?? 0) + e.data.runs }) },
  })

export const newRunScoredEvent = (team = 'a', runs = 1) => newTestEvent({ team, runs }, { type: 'RunScored' })
