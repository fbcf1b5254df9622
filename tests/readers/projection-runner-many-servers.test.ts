import { describe, expect, test } from 'vitest'
import { abortableSleep } from '../../modules/kernel/sleep.ts'
import { type EventStore, RevisionConflict } from '../../modules/kernel/store.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import {
  connectAsOtherProcess,
  db,
  newRunScoredEvent,
  poolsToCloseAfterTest,
  scoresProjection,
  setUpProjectionRunnerTestbed,
  silentLog,
  sql,
  store,
  switchLogToPostgres,
  testAbort,
  totalRunsProjection,
} from './projection-runner-testbed.ts'

setUpProjectionRunnerTestbed()

describe('a read model', () => {
  test('counts every event once, even if several processes catch up at the same time', async () => {
    const [teams, games, long] = [60, 100, 600]
    for (let g = 0; g < games; g++)
      await store.append(
        `game-${g}`,
        -1n,
        Array.from({ length: long }, (_, n) => newRunScoredEvent(`team ${Math.floor(n / 10) % teams}`)),
      )
    /** Returns a store that delivers the log in batches of at most `size` events. */
    const storeWithBatches = (size: number): EventStore => ({
      ...store,
      async *follow(from, signal, types) {
        for await (const batch of store.follow(from, signal, types))
          for (let i = 0; i < batch.length; i += size) yield batch.slice(i, i + size)
      },
    })
    const workers = [400, 700, 1100].map(size =>
      projectionRunner(connectAsOtherProcess(), storeWithBatches(size), [scoresProjection], { log: silentLog }),
    )
    await Promise.all(workers.map(w => w.start(testAbort.signal)))
    for (const w of workers) expect(await w.caughtUp(['scores'], BigInt(games * long - 1), 30_000)).toBe(true)
    expect((await sql`select runs from scores_v1`).map(r => r.runs)).toEqual(Array.from({ length: teams }, () => (games * long) / teams))
  })

  test('counts every event once, even with many workers whose connections are cut', async () => {
    await switchLogToPostgres()
    const names = ['first', 'second', 'third']
    const workers = Array.from({ length: 4 }, () =>
      projectionRunner(
        connectAsOtherProcess(),
        store,
        names.map(n => totalRunsProjection(n)),
        { log: silentLog },
      ),
    )
    await Promise.all(workers.map(w => w.start(testAbort.signal)))
    /** Retries until the event is appended. After an error, the event may have been written anyway; then the retry conflicts. */
    const append = async (stream: string, n: number): Promise<bigint> => {
      try {
        return await store.append(stream, BigInt(n) - 1n, [newRunScoredEvent('x', 1)])
      } catch (error) {
        if (error instanceof RevisionConflict) return (await store.read(stream))[n]!.position
        // After the abort, sleeps end immediately, so without this check a failed test would retry forever.
        if (testAbort.signal.aborted) throw error
        await abortableSleep(20, testAbort.signal)
        return append(stream, n)
      }
    }
    const write = Promise.all(
      Array.from({ length: 16 }, async (_, w) => {
        let at = 0n
        for (let n = 0; n < 30 && !testAbort.signal.aborted; n++) at = await append(`game-${w}`, n)
        return at
      }),
    )
    const admin = createPostgresPool(process.env.TEST_DATABASE_URL!, { max: 1 })
    poolsToCloseAfterTest.push(admin)
    for (let cut = 0; cut < 3; cut++) {
      await workers[0]!.caughtUp(['first'], BigInt(100 * (cut + 1)))
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${new URL(db.url).pathname.slice(1)}`
    }
    const at = (await write).sort((a, b) => (a < b ? 1 : -1))[0]!
    for (const w of workers) expect(await w.caughtUp(names, at, 10_000)).toBe(true)
    // A connection that was cut while idle fails on its next use, so these queries need a new one.
    const newConnection = connectAsOtherProcess()
    for (const name of names) {
      expect((await newConnection`select sum(n)::int as n, count(*)::int as rows from ${sql(`${name}_v1`)}`)[0]).toEqual({
        n: 16 * 30,
        rows: 16,
      })
    }
  })

  test('that has caught up advances together with other read models in one transaction', async () => {
    await switchLogToPostgres()
    const names = ['one', 'two', 'three']
    const views = projectionRunner(
      sql,
      store,
      names.map(n => totalRunsProjection(n)),
      { log: silentLog },
    )
    await views.start(testAbort.signal)
    const first = await store.append('game-1', -1n, [newRunScoredEvent()])
    expect(await views.caughtUp(names, first, 10_000)).toBe(true)
    const second = await store.append('game-1', 0n, [newRunScoredEvent()])
    expect(await views.caughtUp(names, second, 10_000)).toBe(true)
    expect((await sql`select count(distinct xmin::text)::int as n from checkpoints`)[0]!.n).toBe(1)
  })

  test('that is added later catches up by itself and then keeps up', async () => {
    for (let n = 0; n < 50; n++) await store.append(`game-${n}`, -1n, [newRunScoredEvent('a', 2)])
    const before = projectionRunner(sql, store, [totalRunsProjection('old')], { log: silentLog })
    const stop = new AbortController()
    await before.start(stop.signal)
    await before.caughtUp(['old'], 49n)
    stop.abort()
    await store.append('game-50', -1n, [newRunScoredEvent('a', 2)])
    const views = projectionRunner(sql, store, [totalRunsProjection('old'), totalRunsProjection('new')], { log: silentLog })
    await views.start(testAbort.signal)
    expect(await views.caughtUp(['old', 'new'], 50n, 10_000)).toBe(true)
    const at = await store.append('game-51', -1n, [newRunScoredEvent('a', 2)])
    expect(await views.caughtUp(['old', 'new'], at, 10_000)).toBe(true)
    for (const name of ['old', 'new']) expect((await sql`select sum(n)::int as n from ${sql(`${name}_v1`)}`)[0]!.n).toBe(104)
  })
})

describe('reading your own writes', () => {
  test('waits for the read models of a query, even in a process that maintains none', async () => {
    await switchLogToPostgres()
    const maintainer = projectionRunner(connectAsOtherProcess(), store, [totalRunsProjection('mine')], { log: silentLog })
    const onlyQueries = projectionRunner(connectAsOtherProcess(), store, [totalRunsProjection('mine')], { log: silentLog })
    await maintainer.start(testAbort.signal)
    for (let n = 0; n < 20; n++) {
      const at = await store.append('game-1', BigInt(n) - 1n, [newRunScoredEvent()])
      expect(await onlyQueries.caughtUp(['mine'], at, 10_000)).toBe(true)
      expect((await sql`select n from mine_v1`)[0]!.n).toBe(n + 1)
    }
  })

  test('returns false after a timeout if the position is not reached', async () => {
    const views = projectionRunner(sql, store, [totalRunsProjection('late')], { log: silentLog })
    await views.start(testAbort.signal)
    expect(await views.caughtUp(['late'], 5n, 30)).toBe(false)
    expect(await views.caughtUp(['late'], -1n, 30)).toBe(true)
    expect(() => views.caughtUp(['unknown'], 0n)).toThrow('There is no projection "unknown".')
  })
})
