import { describe, expect, test } from 'vitest'
import { enqueueErrands, PermanentErrandError } from '../../modules/jobs/outbox.ts'
import { currentTraceId, newTraceId, runInTrace } from '../../modules/kernel/trace.ts'
import {
  connectAsOtherProcess,
  createDeferred,
  fetchErrandRow,
  newErrand,
  setUpDatabasePerOutboxTest,
  sql,
  startOutboxWorker,
} from './outbox-testbed.ts'

setUpDatabasePerOutboxTest()

describe('many workers', () => {
  test('perform each errand once', async () => {
    const done: string[] = []
    const errands = Array.from({ length: 200 }, () => newErrand())
    const workers = await Promise.all(
      [1, 2, 3, 4].map(() => startOutboxWorker({ 'letter.hello': async (_, { id }) => done.push(id) }, { on: connectAsOtherProcess() })),
    )
    for (let n = 0; n < 200; n += 20) await enqueueErrands(sql, errands.slice(n, n + 20))
    while ((await sql`select count(*)::int as n from errands where done is null`)[0]!.n) await Promise.all(workers.map(w => w.idle()))
    expect(done.toSorted()).toEqual(errands.map(e => e.id).toSorted())
  })

  test('leave a slow errand to the worker that performs it', async () => {
    const over = createDeferred()
    const [slow, next] = [newErrand(), newErrand()]
    const tries: unknown[] = []
    const perform = async (_: unknown, { id, attempt }: { id: string; attempt: number }) => {
      tries.push([id, attempt])
      if (id === slow.id) await over.promise
    }
    const lease = 3000
    const first = await startOutboxWorker({ 'letter.hello': perform }, { on: connectAsOtherProcess(), lease })
    await first.post(sql, [slow])
    while (!tries.length) await new Promise(resolve => setImmediate(resolve))
    const others = await Promise.all(
      [1, 2].map(() => startOutboxWorker({ 'letter.hello': perform }, { on: connectAsOtherProcess(), lease })),
    )
    // The database's clock decides when the first lease ends and whether it was renewed.
    const passed = async () => (await sql`select now() > tried + ${lease + 500} * interval '1 ms' as passed from errands`)[0]!.passed
    while (!(await passed())) await Promise.all(others.map(w => w.idle()))
    await first.post(sql, [next])
    while (tries.length < 2) await new Promise(resolve => setImmediate(resolve))
    over.resolve()
    while ((await fetchErrandRow(slow.id)).done === null) await first.idle()
    await Promise.all([first, ...others].map(w => w.idle()))
    expect(tries).toEqual([
      [slow.id, 1],
      [next.id, 1],
    ])
    expect(await fetchErrandRow(slow.id)).toMatchObject({ attempt: 1, failed: null, error: null, done: expect.any(String) })
  })

  test('renew the lease of a slow errand repeatedly, while others are completed', async () => {
    const [slow, quick] = [newErrand(), newErrand({ kind: 'letter.quick' })]
    const [over, begun] = [createDeferred(), createDeferred()]
    const lease = 300
    const work = await startOutboxWorker(
      {
        'letter.hello': () => {
          begun.resolve()
          return over.promise
        },
        'letter.quick': async () => {},
      },
      { lease },
    )
    await work.post(sql, [slow])
    await begun.promise
    await work.post(sql, [quick])
    while ((await fetchErrandRow(quick.id)).done === null) await new Promise(resolve => setImmediate(resolve))
    const renewed = async () =>
      (await sql`select due > tried + ${5 * lease} * interval '1 ms' as is from errands where id = ${slow.id}`)[0]!.is
    await expect.poll(renewed).toBe(true)
    over.resolve()
    await work.idle()
    expect(await fetchErrandRow(slow.id)).toMatchObject({ attempt: 1, error: null, done: expect.any(String) })
  })

  test('take over from a hung worker, whose late result is ignored', async () => {
    const [hang, over] = [createDeferred(), createDeferred()]
    const one = newErrand()
    const tries: number[] = []
    const slow = await startOutboxWorker(
      {
        'letter.hello': async (_, { attempt }) => {
          tries.push(attempt)
          await hang.promise
          throw new PermanentErrandError('too late')
        },
      },
      // The handler counts as hung immediately, so its lease is not renewed, and another worker takes over once it has expired.
      { on: connectAsOtherProcess(), lease: 600, hungAfter: 0, atOnce: 1 },
    )
    await slow.post(sql, [one])
    while (!tries.length) await new Promise(resolve => setImmediate(resolve))
    const other = await startOutboxWorker(
      {
        'letter.hello': async (_, { id, attempt }) => {
          expect(id).toBe(one.id)
          tries.push(attempt)
          over.resolve()
        },
      },
      { on: connectAsOtherProcess(), lease: 10_000 },
    )
    await over.promise
    await other.idle()
    hang.resolve()
    await slow.idle()
    expect(tries).toEqual([1, 2])
    expect(await fetchErrandRow(one.id)).toMatchObject({ attempt: 2, failed: null, error: null, done: expect.any(String) })
  })

  test('retry an errand on time, even if its previous worker sends a late heartbeat', async () => {
    const [hang, heartbeatSent, renewed] = [createDeferred(), createDeferred(), createDeferred()]
    // The first heartbeat query is delayed until another worker has claimed the errand and failed to perform it.
    let isDelayed = true
    const slow = new Proxy(connectAsOtherProcess(), {
      apply(pool, self, args) {
        if (!isDelayed || !/^\s*update errands e /.test(args[0]?.[0])) return Reflect.apply(pool, self, args)
        isDelayed = false
        heartbeatSent.resolve()
        return renewed.promise.then(() => Reflect.apply(pool, self, args))
      },
    })
    const one = newErrand()
    const first = await startOutboxWorker({ 'letter.hello': () => hang.promise }, { on: slow, lease: 150, atOnce: 1 })
    await first.post(sql, [one])
    await heartbeatSent.promise
    const [begun, failing] = [createDeferred(), createDeferred()]
    const other = await startOutboxWorker(
      {
        'letter.hello': () => {
          begun.resolve()
          return failing.promise
        },
      },
      { on: connectAsOtherProcess(), lease: 60_000, backOffMs: 3_600_000 },
    )
    while ((await fetchErrandRow(one.id)).attempt < 2) await other.post(sql, [])
    await begun.promise
    failing.reject(new Error('no answer'))
    while ((await fetchErrandRow(one.id)).error === null) await new Promise(resolve => setImmediate(resolve))
    renewed.resolve()
    hang.resolve()
    await first.idle()
    expect(await sql`select attempt, done from errands where due > now() + interval '30 minutes'`).toEqual([{ attempt: 2, done: null }])
  })

  test('perform an errand again under its id if its worker died before recording the end', async () => {
    const over = createDeferred()
    const one = newErrand()
    const tries: unknown[] = []
    const dying = connectAsOtherProcess()
    await startOutboxWorker(
      {
        'letter.hello': async (_, about) => {
          tries.push(about)
          await dying.end({ timeout: 0 })
        },
      },
      { on: dying, lease: 50 },
    )
    await enqueueErrands(sql, [one])
    while (!tries.length) await new Promise(resolve => setImmediate(resolve))
    await startOutboxWorker(
      {
        'letter.hello': async (_, about) => {
          tries.push(about)
          over.resolve()
        },
      },
      { on: connectAsOtherProcess() },
    )
    await over.promise
    expect(tries).toEqual([1, 2].map(attempt => ({ id: one.id, attempt })))
  })
})

test('a worker performs at most `atOnce` errands at a time, the oldest first', async () => {
  const ends = Array.from({ length: 5 }, createDeferred)
  const started: string[] = []
  const perform = async (_: unknown, { id }: { id: string }) => {
    started.push(id)
    await ends[started.length - 1]!.promise
  }
  let looks = 0
  const watched = new Proxy(connectAsOtherProcess(), {
    apply(pool, self, args) {
      if (/with chosen |min\(due\)/.test(args[0]?.[0])) looks++
      return Reflect.apply(pool, self, args)
    },
  })
  const worker = await startOutboxWorker({ 'letter.hello': perform }, { atOnce: 2, on: watched })
  const errands = Array.from({ length: 5 }, (_, n) => newErrand({ due: new Date(Date.parse('2026-01-01') + n).toISOString() }))
  await worker.post(sql, errands)
  const ids = errands.map(({ id }) => id)
  const claimed = async () => (await sql`select id from errands where attempt > 0`).map(({ id }) => id).toSorted()
  await expect.poll(() => started).toHaveLength(2)
  // A notification wakes the worker, but it already performs as many errands as it may, so it does not even look for others.
  looks = 0
  const notified = createDeferred()
  const { unlisten } = await sql.listen('errands', () => notified.resolve())
  await worker.post(sql, [newErrand({ due: new Date(Date.now() + 3_600_000).toISOString() })])
  await notified.promise
  await unlisten()
  expect(looks).toBe(0)
  expect(await claimed()).toEqual(ids.slice(0, 2).toSorted())
  for (const [n, { resolve }] of ends.entries()) {
    resolve()
    await expect.poll(() => started).toHaveLength(Math.min(n + 3, 5))
    expect(await claimed()).toEqual(ids.slice(0, Math.min(n + 3, 5)).toSorted())
  }
})

test('an errand is performed under the trace id of the request that caused it', async () => {
  const traces: (string | undefined)[] = []
  const worker = await startOutboxWorker({ 'letter.hello': async () => traces.push(currentTraceId()) }, { atOnce: 1 })
  const trace = newTraceId()
  await runInTrace(trace, () => worker.post(sql, [newErrand()]))
  await expect.poll(() => traces).toEqual([trace])
  await worker.post(sql, [newErrand()])
  await expect.poll(() => traces).toEqual([trace, undefined])
})
