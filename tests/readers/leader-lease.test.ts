import type { Sql } from 'postgres'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projection } from '../../modules/kernel/projection.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { LEADER_LEASE_MS, leaderLease } from '../../modules/readers/leader-lease.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { newTestEvent } from '../kernel/test-events.ts'
import { createTestDatabase } from '../support/postgres.ts'

const log = { info() {}, error() {} }

let db: Awaited<ReturnType<typeof createTestDatabase>>
const cleanups: (() => unknown)[] = []
beforeEach(async () => {
  db = await createTestDatabase()
})
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
  await db.end()
})

/** Simulates a server process: records what it does while it leads, and can stop or die. */
async function server(name = 'release 1') {
  const sql = createPostgresPool(db.url, { max: 2 })
  const ending = new AbortController()
  const lease = leaderLease(sql, name, log)
  const began: AbortSignal[] = []
  await lease.start(ending.signal)
  await lease.whileLeading(ending.signal, leading => began.push(leading))
  const stop = async () => {
    ending.abort()
    await lease.settled()
    await sql.end({ timeout: 1 })
  }
  cleanups.push(stop)
  return { sql, lease, began, stop, isWorking: () => began.some(leading => !leading.aborted) }
}
const expired = (sql: Sql) => sql`update leader_leases set expires = now() - interval '1 s'`

test('only one server of each release does the work', async () => {
  const [one, two, other] = [await server(), await server(), await server('release 2')]
  expect([one, two, other].map(s => s.isWorking())).toEqual([true, false, true])
  expect([one, two, other].map(s => s.lease.isLeading())).toEqual([true, false, true])
})

test('a server that stops hands over its leadership immediately', async () => {
  const [one, two] = [await server(), await server()]
  const working = new Promise<void>(done => two.lease.whileLeading(new AbortController().signal, () => done()))
  await one.stop()
  expect(one.isWorking()).toBe(false)
  await working
  expect(two.isWorking()).toBe(true)
})

test('another server takes over after the leader has died', async () => {
  const [one, two] = [await server(), await server()]
  // Cut the leader's connections for good, as if its process were killed.
  await one.sql.end({ timeout: 0 })
  await expect.poll(two.isWorking).toBe(true)
  await expect.poll(one.isWorking).toBe(false)
})

test('a leader stops working if another process has taken its lease', async () => {
  const one = await server()
  await expired(db.sql)
  await db.sql`update leader_leases set holder = gen_random_uuid(), expires = clock_timestamp() + interval '2 s'`
  await expect.poll(one.isWorking).toBe(false)
  await expired(db.sql)
  await expect.poll(one.isWorking).toBe(true)
  expect(one.began).toHaveLength(2)
})

test('a lease from before the clock was set back does not keep a server from leading', async () => {
  await db.sql`insert into leader_leases (name, holder, expires) values ('release 1', gen_random_uuid(), now() + interval '3 hours')`
  expect((await server()).isWorking()).toBe(true)
})

test('a leader that was suspended beyond its lease leads again without a warning', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error) => warnings.push(warning)
  process.on('warning', warn)
  cleanups.push(() => process.off('warning', warn))
  const one = await server()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LEADER_LEASE_MS + 500)
  await expect.poll(() => one.began.length).toBe(2)
  await expect.poll(one.isWorking).toBe(true)
  expect(warnings).toEqual([])
})

test('a server that leads again resumes the work, and others see its progress', async () => {
  type Game = { type: 'RunScored'; data: { runs: number } }
  const runs = projection<Game>()({
    name: 'runs',
    version: 1,
    row: { id: 'text', n: 'int' },
    key: () => 'all',
    on: { RunScored: (row, e) => ({ id: 'all', n: (row?.n ?? 0) + e.data.runs }) },
  })
  const store = memoryStore()
  const ending = new AbortController()
  cleanups.push(() => ending.abort())
  const [one, two] = [await server(), await server()]
  const views = [one, two].map(({ sql, lease }) => projectionRunner(sql, store, [runs], { log, lease }))
  for (const each of views) await each.start(ending.signal)
  let at = -1n
  const score = async () => {
    at = await store.append('game-1', at, [newTestEvent({ runs: 1 }, { type: 'RunScored' })])
    for (const each of views) expect(await each.caughtUp(['runs'], at, 30_000)).toBe(true)
  }
  await score()
  await expired(db.sql)
  await db.sql`update leader_leases set holder = gen_random_uuid()`
  await score()
  await one.stop()
  views.shift()
  await score()
  expect(await db.sql`select n from runs_v1`).toEqual([{ n: 3 }])
})
