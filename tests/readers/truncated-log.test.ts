import type { Sql } from 'postgres'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { errand, eventProcess } from '../../modules/kernel/process.ts'
import { projection } from '../../modules/kernel/projection.ts'
import { type EventStore, LogTruncatedError, type RecordedEvent } from '../../modules/kernel/store.ts'
import { eventstoredbStore } from '../../modules/kernel/stores/eventstoredb.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { eventProcessRunner } from '../../modules/readers/event-process-runner.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { newTestEvent, readUntilCount } from '../kernel/test-events.ts'
import { startFakeEventstoredb } from '../support/fake-eventstoredb.ts'
import { createTestDatabase } from '../support/postgres.ts'

type Game = { type: 'RunScored'; data: { team: string } }

const runs = projection<Game>()({
  name: 'runs',
  version: 1,
  row: { team: 'text', n: 'int' },
  key: e => e.data.team,
  on: { RunScored: (row, e) => ({ team: e.data.team, n: ((row?.n as number) ?? 0) + 1 }) },
})
const cheering = eventProcess<Game>({
  name: 'cheering',
  startsFrom: 'beginning',
  on: { RunScored: e => errand(e, 'crowd.cheer', { team: e.data.team }) },
})
const scored = (team: string) => newTestEvent({ team }, { type: 'RunScored' })

let db: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let lines: [string, unknown][]
/** Creates the logger of one process. Its errors go to `lines`. */
const newLog = () => ({
  info() {},
  error: (details: object, message: string) => void lines.push([message, (details as { readers?: string[] }).readers]),
})
const cleanups: (() => unknown)[] = []
beforeEach(async () => {
  db = await createTestDatabase()
  sql = db.sql
  lines = []
})
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
  await db.end()
})

const truncationErrors = () => lines.filter(([message]) => message.startsWith('the log is older'))

/** Starts the readers of one server on a log. */
async function startReaders(store: ReturnType<typeof memoryStore>) {
  const ending = new AbortController()
  cleanups.push(() => ending.abort())
  const log = newLog()
  const views = projectionRunner(sql, store, [runs], { log })
  const work = eventProcessRunner(sql, store, [cheering], { log })
  await views.start(ending.signal)
  await work.start(ending.signal)
  const logEnds = async () => [...(await views.status()), ...(await work.status())].map(s => s.logEnd)
  return { views, work, logEnds, end: () => ending.abort() }
}
const rows = async () => Object.fromEntries((await sql`select team, n from runs_v1`).map(r => [r.team, r.n]))
const cheers = async () => (await sql`select payload ->> 'team' as team from errands order by asked`).map(r => r.team)

test("if the log ends before the readers' checkpoints, readers stop until a rebuild", async () => {
  const events: RecordedEvent[] = []
  const store = memoryStore(undefined, events)
  const before = await startReaders(store)
  for (const n of [0n, 1n, 2n]) await store.append('game-1', n - 1n, [scored('old')])
  expect([await before.views.caughtUp(['runs'], 2n, 10_000), await before.work.caughtUp(2n, 10_000)]).toEqual([true, true])
  before.end()

  const follower = projectionRunner(sql, store, [runs], { log: newLog() })
  expect(await follower.caughtUp(['runs'], 2n, 10_000)).toBe(true)

  // Restore a backup that has only the first event.
  events.length = 1
  const first = await startReaders(store)
  await expect.poll(first.logEnds).toEqual([0n, 0n])
  expect(truncationErrors()).toEqual([[expect.stringContaining('npm run rebuild'), ['process cheering', 'runs_v1']]])
  for (const n of [0n, 1n, 2n, 3n]) await store.append('game-1', n, [scored('new')])
  await expect.poll(() => first.views.caughtUp(['runs'], 2n, 50)).toBe(false)
  await expect.poll(() => follower.caughtUp(['runs'], 2n, 50)).toBe(false)
  first.end()

  // The log extends beyond the readers' checkpoints again, but its events are not the ones that the readers processed.
  const second = await startReaders(store)
  expect(await second.logEnds()).toEqual([0n, 0n])
  expect([await rows(), await cheers()]).toEqual([{ old: 3 }, ['old', 'old', 'old']])
  expect(truncationErrors()).toHaveLength(2)

  await second.views.rebuild('runs')
  expect(await second.work.resumeAfterTruncation()).toEqual(['cheering'])
  expect(await second.work.resumeAfterTruncation()).toEqual([])
  const last = await store.append('game-1', 4n, [scored('new')])
  expect([await second.views.caughtUp(['runs'], last, 10_000), await second.work.caughtUp(last, 10_000)]).toEqual([true, true])
  expect([await rows(), await second.logEnds()]).toEqual([{ old: 1, new: 5 }, [null, null]])
  expect(await cheers()).toEqual(['old', 'old', 'old', 'new', 'new', 'new', 'new', 'new'])
})

test('readers of an EventStoreDB stop when it is restored from an older backup', async () => {
  const server = await startFakeEventstoredb()
  cleanups.push(server.stop)
  const store = eventstoredbStore(server.url)
  cleanups.push(store.close)
  const readers = await startReaders(store)
  const kept = await store.append('game-1', -1n, [scored('old')])
  const lost = await store.append('game-1', 0n, [scored('old')])
  expect([await readers.views.caughtUp(['runs'], lost, 10_000), await readers.work.caughtUp(lost, 10_000)]).toEqual([true, true])
  await server.restore(1)
  await expect.poll(readers.logEnds, { timeout: 20_000 }).toEqual([kept, kept])
  expect(truncationErrors()).toHaveLength(1)
  // The readers do not process events beyond their last position either.
  const beyond = await store.append('game-3', -1n, [newTestEvent({ team: 'x'.repeat(1000) }, { type: 'RunScored' })])
  expect(beyond > lost).toBe(true)
  await readUntilCount(store, kept, 'game-3', 1)
  expect(await readers.work.caughtUp(beyond, 500)).toBe(false)
  expect([await rows(), await cheers()]).toEqual([{ old: 2 }, ['old', 'old']])
  await readers.views.rebuild('runs')
  await readers.work.resumeAfterTruncation()
  const at = await store.append('game-2', -1n, [scored('new')])
  expect([await readers.views.caughtUp(['runs'], at, 10_000), await readers.work.caughtUp(at, 10_000)]).toEqual([true, true])
  expect([await rows(), await cheers()]).toEqual([{ old: 1, new: 1, ['x'.repeat(1000)]: 1 }, ['old', 'old', 'x'.repeat(1000), 'new']])
})

test('readers continue if Postgres lost its last commits together with checkpoints', async () => {
  const store = postgresStore(sql)
  cleanups.push(store.close)
  const readers = await startReaders(store)
  const kept = await store.append('game-1', -1n, [scored('old')])
  expect([await readers.views.caughtUp(['runs'], kept, 10_000), await readers.work.caughtUp(kept, 10_000)]).toEqual([true, true])
  const backup = { rows: await sql`select * from runs_v1`, errands: await cheers() }
  const lost = await store.append('game-1', 0n, [scored('lost')])
  expect([await readers.views.caughtUp(['runs'], lost, 10_000), await readers.work.caughtUp(lost, 10_000)]).toEqual([true, true])

  await sql.begin(async tx => {
    // Lock the tables because, as in a failover, nobody must see that commits are lost until all connections have been closed.
    await tx`lock table events, head, checkpoints in access exclusive mode`
    await tx`set local session_replication_role = replica`
    await tx`delete from events where position > ${`${kept}`}::bigint`
    await tx`update head set position = ${`${kept}`}::bigint`
    await tx`update checkpoints set position = ${`${kept}`}::bigint`
    await tx`delete from runs_v1 where team = 'lost'`
    await tx`delete from errands where payload ->> 'team' = 'lost'`
    await tx`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  })
  expect([await sql`select * from runs_v1`, await cheers()]).toEqual([backup.rows, backup.errands])
  const appendUntilWritten = async (): Promise<bigint> => store.append('game-1', 0n, [scored('new')]).catch(appendUntilWritten)
  const at = await appendUntilWritten()
  await store.append('game-1', 1n, [scored('new')])
  await expect.poll(rows, { timeout: 20_000 }).toEqual({ old: 1, new: 2 })
  await expect.poll(cheers, { timeout: 20_000 }).toEqual(['old', 'new', 'new'])
  expect([at, await readers.logEnds(), truncationErrors()]).toEqual([kept + 1n, [null, null], []])
})

test('a reader that moved after the end of the log was read continues', async () => {
  const store = postgresStore(sql)
  cleanups.push(store.close)
  const views = projectionRunner(sql, store, [runs], { log: newLog() })
  const ending = new AbortController()
  cleanups.push(() => ending.abort())
  await views.start(ending.signal)
  const kept = await store.append('game-1', -1n, [scored('old')])
  expect(await views.caughtUp(['runs'], kept, 10_000)).toBe(true)
  // Another process lost its last commit in a failover. Before it stops the readers beyond the end, an event is appended and processed.
  let hasMoved = false
  const lostItsLastCommit: EventStore = {
    ...store,
    async *follow(after, signal, types) {
      try {
        yield* store.follow(hasMoved ? after : kept + 1n, signal, types)
      } catch (error) {
        const at = await store.append('game-1', 0n, [scored('new')])
        hasMoved = await views.caughtUp(['runs'], at, 10_000)
        throw error
      }
    },
  }
  const work = eventProcessRunner(sql, lostItsLastCommit, [cheering], { log: newLog() })
  await work.start(ending.signal)
  await expect.poll(cheers, { timeout: 20_000 }).toEqual(['old', 'new'])
  expect([hasMoved, (await views.status()).map(s => s.logEnd), truncationErrors()]).toEqual([true, [null], []])
})

test('readers stop if the log in Postgres was restored without its read models', async () => {
  const store = postgresStore(sql)
  cleanups.push(store.close)
  const at = await store.append('game-1', -1n, [scored('old')])
  const first = await startReaders(store)
  expect([await first.views.caughtUp(['runs'], at, 10_000), await first.work.caughtUp(at, 10_000)]).toEqual([true, true])
  first.end()
  await sql`truncate head`
  await sql`insert into head (position) values (-1)`
  const second = await startReaders(store)
  await expect.poll(second.logEnds).toEqual([-1n, -1n])
  expect(truncationErrors()).toHaveLength(1)
  const error = await store
    .follow(at, new AbortController().signal)
    [Symbol.asyncIterator]()
    .next()
    .catch(e => e)
  expect(error).toMatchObject({ constructor: LogTruncatedError, position: at, end: -1n, endReadAt: expect.any(String) })
})
