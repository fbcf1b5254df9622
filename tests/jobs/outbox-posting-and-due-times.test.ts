import { describe, expect, test } from 'vitest'
import { enqueueErrands } from '../../modules/jobs/outbox.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { nestedLoopSettings } from '../support/postgres.ts'
import {
  connectAsOtherProcess,
  createDeferred,
  fetchErrandRow,
  newErrand,
  poolsToCloseAfterTest,
  setUpDatabasePerOutboxTest,
  sql,
  startOutboxWorker,
  testAbort,
  testDatabase,
} from './outbox-testbed.ts'

setUpDatabasePerOutboxTest()

describe('an errand', () => {
  test('is performed once with its payload and id, even if it is posted again', async () => {
    const seen: unknown[] = []
    const work = await startOutboxWorker({ 'letter.hello': async (payload, about) => seen.push([payload, about]) })
    const one = newErrand()
    await work.post(sql, [one, one])
    await work.idle()
    await work.post(sql, [one, { ...one, payload: { to: 'somebody else' } }])
    await work.idle()
    expect(seen).toEqual([[{ to: 'p1' }, { id: one.id, attempt: 1 }]])
    expect(await fetchErrandRow(one.id)).toMatchObject({ attempt: 1, failed: null, error: null, done: expect.any(String) })
  })

  test('is not claimed until a worker has capacity, with any query plan', async () => {
    const pool = createPostgresPool(testDatabase.url, nestedLoopSettings)
    poolsToCloseAfterTest.push(pool)
    const [first, second] = [createDeferred(), createDeferred()]
    const begun: string[] = []
    await enqueueErrands(sql, [newErrand(), newErrand(), newErrand()])
    const work = await startOutboxWorker(
      {
        'letter.hello': async (_, { id }) => {
          begun.push(id)
          if (begun.length === 2) second.resolve()
          await first.promise
        },
      },
      { on: pool, atOnce: 2 },
    )
    await second.promise
    const [taken] = await sql`select count(*)::int as count from errands where attempt > 0`
    expect([begun.length, taken!.count]).toEqual([2, 2])
    first.resolve()
    await work.idle()
    expect(new Set(begun).size).toBe(3)
  })

  test('list that is empty causes no query', async () => {
    const neverCalled = new Proxy(sql, { apply: () => expect.fail('a query') })
    await enqueueErrands(neverCalled, [])
  })

  test('is not even listened for by a worker without handlers', async () => {
    const listen = () => expect.fail('it listens')
    const on = new Proxy(sql, { get: (pool, name) => (name === 'listen' ? listen : Reflect.get(pool, name)) })
    await startOutboxWorker({}, { on })
  })

  test('is performed by a worker that starts after it was posted', async () => {
    const { promise, resolve } = createDeferred()
    await enqueueErrands(sql, [newErrand()])
    await startOutboxWorker({ 'letter.hello': async () => resolve() })
    await promise
  })

  test('is performed only if the transaction that posts it commits', async () => {
    let times = 0
    const work = await startOutboxWorker({ 'letter.hello': async () => times++ })
    await sql
      .begin(async tx => {
        await enqueueErrands(tx, [newErrand()])
        throw new Error('changed my mind')
      })
      .catch(() => {})
    await work.idle()
    expect(times).toBe(0)
  })

  test('is performed when it is due and not before, without another notification', async () => {
    const { promise, resolve } = createDeferred()
    const [inAMoment, inAnHour] = [300, 3600_000].map(ms => new Date(Date.now() + ms).toISOString()) as [string, string]
    const [soon, later] = [newErrand({ due: inAMoment }), newErrand({ due: inAnHour })]
    const performed: { id: string; early: boolean }[] = []
    const work = await startOutboxWorker({
      'letter.hello': async (_, { id }) => {
        const [is] = await sql<{ early: boolean }[]>`select now() < ${inAMoment}::timestamptz as early`
        performed.push({ id, early: is!.early })
        resolve()
      },
    })
    await work.post(sql, [later, soon])
    await promise
    await work.idle()
    expect(performed).toEqual([{ id: soon.id, early: false }])
  })

  test('that is due later does not make the worker poll the database', async () => {
    const { promise, resolve } = createDeferred()
    let claims = 0
    const counting = new Proxy(sql, {
      apply(pool, self, args) {
        if (/^\s*with chosen /.test(args[0]?.[0])) claims++
        return Reflect.apply(pool, self, args)
      },
    })
    const work = await startOutboxWorker({ 'letter.hello': async () => resolve() }, { on: counting })
    await work.post(sql, [newErrand({ due: new Date(Date.now() + 400).toISOString() })])
    await promise
    await work.idle()
    expect(claims).toBeLessThan(20)
  })

  test('that has been due for the longest time is performed first', async () => {
    // The order must not depend on the query plan, so these connections forbid plans with indexes.
    const plain = createPostgresPool(testDatabase.url, {
      max: 3,
      connection: { enable_indexscan: 'off', enable_bitmapscan: 'off' } as object,
    })
    poolsToCloseAfterTest.push(plain)
    const ago = (minutes: number) => newErrand({ due: new Date(Date.now() - minutes * 60_000).toISOString() })
    const [second, first, third] = [ago(5), ago(9), ago(1)]
    await enqueueErrands(sql, [second, first, third])
    const done: string[] = []
    const work = await startOutboxWorker({ 'letter.hello': async (_, { id }) => done.push(id) }, { on: plain, atOnce: 1 })
    await work.idle()
    expect(done).toEqual([first, second, third].map(e => e.id))
  })

  test('of an unknown kind waits for a worker that knows its kind', async () => {
    const other = newErrand({ kind: 'charge.card' })
    const work = await startOutboxWorker({ 'letter.hello': async () => {} })
    await work.post(sql, [other, newErrand()])
    await work.idle()
    expect(await fetchErrandRow(other.id)).toMatchObject({ attempt: 0, done: null })
    const { promise, resolve } = createDeferred()
    await startOutboxWorker({ 'charge.card': async () => resolve() }, { on: connectAsOtherProcess() })
    await promise
  })

  test('that has begun is completed when its worker stops, which begins no other errand', async () => {
    const [begun, over] = [createDeferred(), createDeferred()]
    const [one, next] = [newErrand(), newErrand()]
    const work = await startOutboxWorker(
      {
        'letter.hello': async () => {
          begun.resolve()
          await over.promise
        },
      },
      { atOnce: 1 },
    )
    await work.post(sql, [one])
    await begun.promise
    await work.post(sql, [next])
    testAbort.abort()
    let settled = false
    const ended = work.settled().then(() => (settled = true))
    await fetchErrandRow(one.id)
    expect(settled).toBe(false)
    over.resolve()
    await ended
    expect([(await fetchErrandRow(one.id)).done, (await fetchErrandRow(next.id)).attempt]).toEqual([expect.any(String), 0])
  })

  test('is performed while no transaction is open', async () => {
    let open: unknown
    const work = await startOutboxWorker({
      'letter.hello': async () => {
        open = [
          ...(await connectAsOtherProcess()`
          select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%' and pid <> pg_backend_pid()`),
        ]
      },
    })
    await work.post(sql, [newErrand()])
    await work.idle()
    expect(open).toEqual([])
  })
})
