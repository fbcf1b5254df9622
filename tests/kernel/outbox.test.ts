import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { derivedId } from '../../modules/kernel/decider.ts'
import { type ErrandHandler, GiveUp, outbox, postErrands, retryErrand } from '../../modules/kernel/outbox.ts'
import { process as answering, type Errand } from '../../modules/kernel/process.ts'
import { processRunner } from '../../modules/kernel/process-runner.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { connectPostgres } from '../../src/server/postgres-pool.ts'
import { database, nestedLoopSettings } from '../support/postgres.ts'
import { event } from './store-contract.ts'

const log = { info: () => {}, error: () => {} }

let db: Awaited<ReturnType<typeof database>>
let sql: Sql
let ending: AbortController
const pools: Sql[] = []
beforeEach(async () => {
  db = await database()
  sql = db.sql
  ending = new AbortController()
})
afterEach(async () => {
  ending.abort()
  await Promise.all(pools.splice(0).map(pool => pool.end({ timeout: 1 })))
  await db.end()
})

/** Simulates another process with connections of its own. */
const elsewhere = () => {
  const pool = connectPostgres(db.url, { max: 3 })
  pools.push(pool)
  return pool
}
const errand = (more: Partial<Errand> = {}): Errand => ({ id: randomUUID(), kind: 'letter.hello', payload: { to: 'p1' }, ...more })
const row = async (id: string) => (await sql`select * from errands where id = ${id}`)[0]!
/** Starts a worker; `every` is its backoff. */
async function worker(
  handlers: Record<string, ErrandHandler>,
  { on = sql, every = 5, ...more } = {} as Partial<Parameters<typeof outbox>[2]> & { on?: Sql; every?: number },
) {
  const work = outbox(on, handlers, { log, backOff: () => every, ...more })
  await work.start(ending.signal)
  return work
}
const signal = () => Promise.withResolvers<void>()

describe('an errand', () => {
  test('is performed once, with its payload and id, and kept: asking again does nothing', async () => {
    const seen: unknown[] = []
    const work = await worker({ 'letter.hello': async (payload, about) => seen.push([payload, about]) })
    const one = errand()
    await work.post(sql, [one, one])
    await work.idle()
    await work.post(sql, [one, { ...one, payload: { to: 'somebody else' } }])
    await work.idle()
    expect(seen).toEqual([[{ to: 'p1' }, { id: one.id, attempt: 1 }]])
    expect(await row(one.id)).toMatchObject({ attempt: 1, failed: null, error: null, done: expect.any(String) })
  })

  test('does not begin before there is room for it, whatever plan the database chooses', async () => {
    const pool = connectPostgres(db.url, nestedLoopSettings)
    pools.push(pool)
    const [first, second] = [signal(), signal()]
    const begun: string[] = []
    await postErrands(sql, [errand(), errand(), errand()])
    const work = await worker(
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

  test('created before any worker started is found by the worker', async () => {
    const { promise, resolve } = signal()
    await postErrands(sql, [errand()])
    await worker({ 'letter.hello': async () => resolve() })
    await promise
  })

  test('is created only if its transaction commits', async () => {
    let times = 0
    const work = await worker({ 'letter.hello': async () => times++ })
    await sql
      .begin(async tx => {
        await postErrands(tx, [errand()])
        throw new Error('changed my mind')
      })
      .catch(() => {})
    await work.idle()
    expect(times).toBe(0)
  })

  test('that fails is retried under the same id, and its error can be read meanwhile', async () => {
    const { promise, resolve } = signal()
    const tries: { id: string; attempt: number }[] = []
    const one = errand()
    await postErrands(sql, [one])
    const errors: unknown[] = []
    await worker({
      'letter.hello': async (_, about) => {
        errors.push((await row(one.id)).error)
        tries.push(about)
        if (about.attempt < 3) throw new Error(`no answer (${about.attempt})`)
        resolve()
      },
    })
    await promise
    expect(tries).toEqual([1, 2, 3].map(attempt => ({ id: one.id, attempt })))
    expect(errors).toEqual([null, 'Error: no answer (1)', 'Error: no answer (2)'])
  })

  test.each([
    ['at once where the handler gives up', {}, () => new GiveUp('no such address'), 1],
    ['after so many attempts', { maxAttempts: 3 }, () => new Error('no answer'), 3],
    ['when its time is over', { giveUpAfter: 0 }, () => new Error('no answer'), 1],
    ['also where its error quotes what no database keeps', {}, () => new GiveUp('it said \0'), 1],
  ])('fails for good %s, with its error', async (_, more, error, attempts) => {
    let tries = 0
    const one = errand()
    const work = await worker(
      {
        'letter.hello': async () => {
          tries++
          throw error()
        },
      },
      more,
    )
    await work.post(sql, [one])
    do await work.idle()
    while ((await row(one.id)).failed === null)
    expect(tries).toBe(attempts)
    expect(await row(one.id)).toMatchObject({
      done: null,
      attempt: attempts,
      error: expect.stringMatching(error().message.replace('\0', '')),
    })
    await work.post(sql, [one])
    await work.idle()
    expect(tries).toBe(attempts)
  })

  test('that was given up is retried at once when a person asks, and no other errand is', async () => {
    const [one, other, done] = [errand(), errand(), errand({ kind: 'letter.bye' })]
    let away = true
    const tries: string[] = []
    const work = await worker(
      {
        'letter.hello': async (_, { id }) => {
          tries.push(id)
          if (away) throw new Error('no answer')
        },
        'letter.bye': async () => {},
      },
      { giveUpAfter: 0 },
    )
    await work.post(sql, [one, other, done])
    do await work.idle()
    while ((await row(one.id)).failed === null || (await row(other.id)).failed === null)
    expect(await retryErrand(sql, one.id)).toBe(true)
    do await work.idle()
    while ((await row(one.id)).failed === null)
    expect(await row(one.id)).toMatchObject({ attempt: 2, done: null, error: 'Error: no answer' })
    away = false
    expect(await retryErrand(sql, one.id)).toBe(true)
    await work.idle()
    expect(await row(one.id)).toMatchObject({ attempt: 3, done: expect.any(String), failed: null, error: null })
    expect(await row(other.id)).toMatchObject({ attempt: 1, done: null })
    const before = await row(done.id)
    for (const id of [one.id, done.id, randomUUID()]) expect(await retryErrand(sql, id)).toBe(false)
    expect(await row(done.id)).toEqual(before)
    await work.idle()
    expect(tries).toEqual(expect.arrayContaining([one.id, one.id, one.id, other.id]))
    expect(tries).toHaveLength(4)
  })

  test('backs off twice as long each time, an hour at most, and stops within 23 hours', async () => {
    const one = errand()
    await postErrands(sql, [one])
    const work = outbox(sql, { 'letter.hello': () => Promise.reject(new Error('no answer')) }, { log })
    await work.start(ending.signal)
    const waits: number[] = []
    for (let tries = 1; ; tries++) {
      await work.idle()
      const [now] = await sql`
        select round(extract(epoch from due - now()))::int as wait, failed is not null as failed from errands where attempt = ${tries}`
      const { wait, failed } = now as unknown as { wait: number; failed: boolean }
      if (failed) break
      waits.push(wait)
      // Simulate that the time has passed.
      await sql`update errands set due = now(), tried = tried - ${wait} * interval '1 s'`
    }
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 16])
    expect(Math.max(...waits)).toBe(3600)
    expect(waits.reduce((a, b) => a + b)).toBeGreaterThan(21 * 3600)
    expect(waits.reduce((a, b) => a + b)).toBeLessThan(23 * 3600)
  })

  test.each([
    [0, 50],
    [1, 150],
  ])('that a rate limit refused comes back spread by half of its pause, either way: %d', async (random, wait) => {
    const one = errand()
    await postErrands(sql, [one])
    const refused = () => Promise.reject(Object.assign(new Error('Too many requests'), { code: 'rate_limit_exceeded' }))
    const work = outbox(sql, { 'letter.hello': refused }, { log, backOff: () => 100_000, random: () => random })
    await work.start(ending.signal)
    await work.idle()
    const [now] = await sql`select round(extract(epoch from due - now()))::int as wait from errands where id = ${one.id}`
    expect(now).toEqual({ wait })
  })

  test('that meets an outage is retried soon, for as long as any other errand', async () => {
    const one = errand()
    await postErrands(sql, [one])
    const away = () => Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }))
    const work = outbox(sql, { 'letter.hello': away }, { log, maxAttempts: 3 })
    await work.start(ending.signal)
    for (let tries = 1; tries < 8; tries++) {
      await work.idle()
      const [now] = await sql`select round(extract(epoch from due - now()))::int as wait, failed, attempt from errands`
      expect(now).toEqual({ wait: [1, 2, 4, 4, 4, 4, 4][tries - 1], failed: null, attempt: tries })
      await sql`update errands set due = now()`
    }
    await work.idle()
    await sql`update errands set due = now(), tried = tried - interval '23 hours'`
    await work.idle()
    expect(await row(one.id)).toMatchObject({ failed: expect.any(String) })
  })

  test('is not performed before it is due, and then without being asked again', async () => {
    const { promise, resolve } = signal()
    const [inAMoment, inAnHour] = [300, 3600_000].map(ms => new Date(Date.now() + ms).toISOString()) as [string, string]
    const [soon, later] = [errand({ due: inAMoment }), errand({ due: inAnHour })]
    const performed: { id: string; early: boolean }[] = []
    const work = await worker({
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

  test('that is due later is not polled for until then', async () => {
    const { promise, resolve } = signal()
    let asked = 0
    const counting = new Proxy(sql, {
      apply(pool, self, args) {
        if (/^\s*with chosen /.test(args[0]?.[0])) asked++
        return Reflect.apply(pool, self, args)
      },
    })
    const work = await worker({ 'letter.hello': async () => resolve() }, { on: counting })
    await work.post(sql, [errand({ due: new Date(Date.now() + 400).toISOString() })])
    await promise
    await work.idle()
    expect(asked).toBeLessThan(20)
  })

  test('that has been due for longer goes first', async () => {
    // Works with every query plan, so forbid the plan with indexes.
    const plain = connectPostgres(db.url, { max: 3, connection: { enable_indexscan: 'off', enable_bitmapscan: 'off' } as object })
    pools.push(plain)
    const ago = (minutes: number) => errand({ due: new Date(Date.now() - minutes * 60_000).toISOString() })
    const [second, first, third] = [ago(5), ago(9), ago(1)]
    await postErrands(sql, [second, first, third])
    const done: string[] = []
    const work = await worker({ 'letter.hello': async (_, { id }) => done.push(id) }, { on: plain, atOnce: 1 })
    await work.idle()
    expect(done).toEqual([first, second, third].map(e => e.id))
  })

  test('of an unknown kind waits for a worker that knows it', async () => {
    const other = errand({ kind: 'charge.card' })
    const work = await worker({ 'letter.hello': async () => {} })
    await work.post(sql, [other, errand()])
    await work.idle()
    expect(await row(other.id)).toMatchObject({ attempt: 0, done: null })
    const { promise, resolve } = signal()
    await worker({ 'charge.card': async () => resolve() }, { on: elsewhere() })
    await promise
  })

  test('that fails while its lease is renewed is not retried before its backoff ends', async () => {
    const [beating, renewed, failing] = [signal(), signal(), signal()]
    // A connection whose heartbeat is slow.
    const slow = new Proxy(elsewhere(), {
      apply(pool, self, args) {
        const query = Reflect.apply(pool, self, args)
        if (!/^\s*update errands e /.test(args[0]?.[0])) return query
        beating.resolve()
        return renewed.promise.then(() => query)
      },
    })
    const one = errand()
    const work = await worker(
      { 'letter.hello': () => failing.promise, 'letter.bye': async () => {} },
      { on: slow, lease: 30, every: 3_600_000 },
    )
    await work.post(sql, [one])
    await beating.promise
    failing.reject(new Error('no answer'))
    await expect.poll(async () => (await sql`select due < now() as over from errands`)[0]!.over, { interval: 10 }).toBe(true)
    // A worker that looks now finds an errand without a live lease.
    const other = errand({ kind: 'letter.bye' })
    await work.post(sql, [other])
    await expect.poll(async () => (await row(other.id)).attempt, { interval: 10 }).toBe(1)
    renewed.resolve()
    while ((await row(one.id)).error === null) await new Promise(resolve => setImmediate(resolve))
    await work.idle()
    expect(await sql`select attempt from errands where due > now() + interval '30 minutes'`).toEqual([{ attempt: 1 }])
  })

  test('under way when its worker stops is finished and recorded, and no other begins', async () => {
    const [begun, over] = [signal(), signal()]
    const [one, next] = [errand(), errand()]
    const work = await worker(
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
    ending.abort()
    let settled = false
    const ended = work.settled().then(() => (settled = true))
    await row(one.id)
    expect(settled).toBe(false)
    over.resolve()
    await ended
    expect([(await row(one.id)).done, (await row(next.id)).attempt]).toEqual([expect.any(String), 0])
  })

  test('is performed with no transaction open', async () => {
    let open: unknown
    const work = await worker({
      'letter.hello': async () => {
        open = [
          ...(await elsewhere()`
          select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%' and pid <> pg_backend_pid()`),
        ]
      },
    })
    await work.post(sql, [errand()])
    await work.idle()
    expect(open).toEqual([])
  })
})

describe('many workers', () => {
  test('perform each errand once', async () => {
    const done: string[] = []
    const asked = Array.from({ length: 200 }, () => errand())
    const workers = await Promise.all(
      [1, 2, 3, 4].map(() => worker({ 'letter.hello': async (_, { id }) => done.push(id) }, { on: elsewhere() })),
    )
    for (let n = 0; n < 200; n += 20) await postErrands(sql, asked.slice(n, n + 20))
    while ((await sql`select count(*)::int as n from errands where done is null`)[0]!.n) await Promise.all(workers.map(w => w.idle()))
    expect(done.toSorted()).toEqual(asked.map(e => e.id).toSorted())
  })

  test('leave a slow errand to its live worker, and it is performed once', async () => {
    const over = signal()
    const [slow, next] = [errand(), errand()]
    const tries: unknown[] = []
    const perform = async (_: unknown, { id, attempt }: { id: string; attempt: number }) => {
      tries.push([id, attempt])
      if (id === slow.id) await over.promise
    }
    const lease = 3000
    const first = await worker({ 'letter.hello': perform }, { on: elsewhere(), lease })
    await first.post(sql, [slow])
    while (!tries.length) await new Promise(resolve => setImmediate(resolve))
    const others = await Promise.all([1, 2].map(() => worker({ 'letter.hello': perform }, { on: elsewhere(), lease })))
    // the database's own clock says when the first lease is over, and that it was renewed
    const passed = async () => (await sql`select now() > tried + ${lease + 500} * interval '1 ms' as passed from errands`)[0]!.passed
    while (!(await passed())) await Promise.all(others.map(w => w.idle()))
    await first.post(sql, [next])
    while (tries.length < 2) await new Promise(resolve => setImmediate(resolve))
    over.resolve()
    while ((await row(slow.id)).done === null) await first.idle()
    await Promise.all([first, ...others].map(w => w.idle()))
    expect(tries).toEqual([
      [slow.id, 1],
      [next.id, 1],
    ])
    expect(await row(slow.id)).toMatchObject({ attempt: 1, failed: null, error: null, done: expect.any(String) })
  })

  test('renew the lease of a slow errand again and again, while others are completed', async () => {
    const [slow, quick] = [errand(), errand({ kind: 'letter.quick' })]
    const [over, begun] = [signal(), signal()]
    const lease = 300
    const work = await worker(
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
    while ((await row(quick.id)).done === null) await new Promise(resolve => setImmediate(resolve))
    const renewed = async () =>
      (await sql`select due > tried + ${5 * lease} * interval '1 ms' as is from errands where id = ${slow.id}`)[0]!.is
    await expect.poll(renewed).toBe(true)
    over.resolve()
    await work.idle()
    expect(await row(slow.id)).toMatchObject({ attempt: 1, error: null, done: expect.any(String) })
  })

  test('take over from a hung worker, whose late result is ignored', async () => {
    const [hang, over] = [signal(), signal()]
    const one = errand()
    const tries: number[] = []
    const slow = await worker(
      {
        'letter.hello': async (_, { attempt }) => {
          tries.push(attempt)
          await hang.promise
          throw new GiveUp('too late')
        },
      },
      // Long enough that no heartbeat comes too late.
      { on: elsewhere(), lease: 600, hungAfter: 0, atOnce: 1 },
    )
    await slow.post(sql, [one])
    while (!tries.length) await new Promise(resolve => setImmediate(resolve))
    const other = await worker(
      {
        'letter.hello': async (_, { id, attempt }) => {
          expect(id).toBe(one.id)
          tries.push(attempt)
          over.resolve()
        },
      },
      { on: elsewhere(), lease: 10_000 },
    )
    await over.promise
    await other.idle()
    hang.resolve()
    await slow.idle()
    expect(tries).toEqual([1, 2])
    expect(await row(one.id)).toMatchObject({ attempt: 2, failed: null, error: null, done: expect.any(String) })
  })

  test('never renew with a hung heartbeat what another worker took, nor delay its retry', async () => {
    const [hang, away, renewed] = [signal(), signal(), signal()]
    // Its heartbeat is under way while another worker takes over.
    let held = true
    const slow = new Proxy(elsewhere(), {
      apply(pool, self, args) {
        if (!held || !/^\s*update errands e /.test(args[0]?.[0])) return Reflect.apply(pool, self, args)
        held = false
        away.resolve()
        return renewed.promise.then(() => Reflect.apply(pool, self, args))
      },
    })
    const one = errand()
    const first = await worker({ 'letter.hello': () => hang.promise }, { on: slow, lease: 150, atOnce: 1 })
    await first.post(sql, [one])
    await away.promise
    const [begun, failing] = [signal(), signal()]
    const other = await worker(
      {
        'letter.hello': () => {
          begun.resolve()
          return failing.promise
        },
      },
      { on: elsewhere(), lease: 60_000, every: 3_600_000 },
    )
    while ((await row(one.id)).attempt < 2) await other.post(sql, [])
    await begun.promise
    failing.reject(new Error('no answer'))
    while ((await row(one.id)).error === null) await new Promise(resolve => setImmediate(resolve))
    renewed.resolve()
    hang.resolve()
    await first.idle()
    expect(await sql`select attempt, done from errands where due > now() + interval '30 minutes'`).toEqual([{ attempt: 2, done: null }])
  })

  test('repeat under the same id what a worker did that died before recording it', async () => {
    const over = signal()
    const one = errand()
    const tries: unknown[] = []
    const dying = elsewhere()
    await worker(
      {
        'letter.hello': async (_, about) => {
          tries.push(about)
          await dying.end({ timeout: 0 })
        },
      },
      { on: dying, lease: 50 },
    )
    await postErrands(sql, [one])
    while (!tries.length) await new Promise(resolve => setImmediate(resolve))
    await worker(
      {
        'letter.hello': async (_, about) => {
          tries.push(about)
          over.resolve()
        },
      },
      { on: elsewhere() },
    )
    await over.promise
    expect(tries).toEqual([1, 2].map(attempt => ({ id: one.id, attempt })))
  })
})

describe('a process', () => {
  type Inning = { type: 'InningPlayed'; data: { home: string; away: string } }
  const telling = answering<Inning>({
    name: 'telling',
    startsFrom: 'beginning',
    on: {
      InningPlayed: e => [e.data.home, e.data.away].map(to => ({ id: derivedId(e.id, to), kind: 'letter.inning', payload: { to } })),
    },
  })
  const played = (home = 'h', away = 'a') => event({ home, away }, { type: 'InningPlayed' })

  const start = async (store = memoryStore(), on = sql, signal = ending.signal) => {
    const work = processRunner(on, store, [telling], { log })
    await work.start(signal)
    return work
  }

  test('answers events with errands, and a rerun by many workers does nothing twice', async () => {
    const store = memoryStore()
    const sent: string[] = []
    await store.append('game-1', -1n, [played('h1', 'a1'), event()])
    const work = await start(store)
    const outbox = await worker({ 'letter.inning': async ({ to }) => sent.push(to) })
    const at = await store.append('game-1', 1n, [played('h2', 'a2')])
    expect(await work.caughtUp(at)).toBe(true)
    await outbox.idle()
    expect(sent.toSorted()).toEqual(['a1', 'a2', 'h1', 'h2'])
    expect(await work.status()).toEqual([{ name: 'telling', position: at, logEnd: null, parked: { count: 0, streams: [] } }])
    ending.abort()

    ending = new AbortController()
    await sql`delete from checkpoints`
    const again = await Promise.all([1, 2, 3].map(() => start(store, elsewhere())))
    const more = await worker({ 'letter.inning': async ({ to }) => sent.push(to) }, { on: elsewhere() })
    for (const w of again) expect(await w.caughtUp(at, 10_000)).toBe(true)
    await more.idle()
    expect(sent).toHaveLength(4)
    expect((await sql`select count(*)::int as n from errands`)[0]!.n).toBe(4)
  })

  test('that is new answers the log from its beginning, or from now on, as it says', async () => {
    const store = memoryStore()
    await store.append('game-1', -1n, [played('h1', 'a1')])
    const first = await start(store)
    expect(await first.caughtUp(0n, 10_000)).toBe(true)
    const late = (startsFrom: 'beginning' | 'now') =>
      answering<Inning>({
        name: startsFrom,
        startsFrom,
        on: { InningPlayed: e => ({ id: derivedId(e.id, startsFrom), kind: `${startsFrom} ${e.data.home}`, payload: {} }) },
      })
    const work = processRunner(sql, store, [late('beginning'), late('now')], { log })
    await work.start(ending.signal)
    const at = await store.append('game-1', 0n, [played('h2', 'a2')])
    expect(await work.caughtUp(at, 10_000)).toBe(true)
    const asked = await sql`select kind from errands where kind <> 'letter.inning' order by 1`
    expect(asked.map(row => row.kind)).toEqual(['beginning h1', 'beginning h2', 'now h2'])
  })

  test('killed between errand and checkpoint has saved neither, and does both later', async () => {
    const store = memoryStore()
    // The database fails at the moment when the checkpoint moves.
    await sql.unsafe(`
      create function die() returns trigger language plpgsql as $$ begin
        if new.position >= 0 then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$`)
    const stop = new AbortController()
    const work = await start(store, elsewhere(), stop.signal)
    await sql`create trigger die before update on checkpoints for each row execute function die()`
    const at = await store.append('game-1', -1n, [played()])
    expect(await work.caughtUp(at, 300)).toBe(false)
    expect(await sql`select id from errands`).toHaveLength(0)
    expect((await sql`select position from checkpoints`)[0]!.position).toBe(-1n)
    stop.abort()
    await sql`drop trigger die on checkpoints`
    const back = await start(store)
    expect(await back.caughtUp(at, 10_000)).toBe(true)
    expect(await sql`select id from errands`).toHaveLength(2)
  })

  describe('that fails on an event', () => {
    /** Responds to a team called `?` with an errand that the outbox rejects, until `right` returns true. */
    const stubborn = (right = () => false) =>
      answering<Inning>({
        name: 'stubborn',
        startsFrom: 'beginning',
        on: {
          InningPlayed: e => ({
            id: derivedId(e.id),
            kind: e.data.away === '?' && !right() ? (null as never) : 'letter.score',
            payload: e.data,
          }),
        },
      })
    const asked = async () => (await sql`select payload ->> 'home' as home from errands order by 1`).map(r => r.home)

    test('parks its stream, skips its errands, handles all others, and logs it', async () => {
      const store = memoryStore()
      const work = processRunner(sql, store, [stubborn(), telling], { log })
      await work.start(ending.signal)
      await store.append('game-1', -1n, [played('1'), played('2', '?'), played('3')])
      await store.append('game-2', -1n, [played('4')])
      const at = await store.append('game-1', 2n, [played('5')])
      expect(await work.caughtUp(at, 10_000)).toBe(true)
      const [one, other] = await work.status()
      expect(one).toMatchObject({ name: 'stubborn', position: at, parked: { count: 1 } })
      expect(one!.parked.streams).toMatchObject([
        { stream: 'game-1', position: '1', type: 'InningPlayed', error: expect.stringContaining('kind') },
      ])
      expect(other).toMatchObject({ name: 'telling', position: at, parked: { count: 0 } })
      expect((await asked()).filter(Boolean)).toEqual(['1', '4'])
      await expect(work.retry('unknown')).rejects.toThrow('There is no process "unknown".')
    })

    test.each(['by an administrator', 'by new code'])('and is tried again %s: each errand is asked for, once', async who => {
      const store = memoryStore()
      let right = false
      const first = new AbortController()
      const work = processRunner(sql, store, [stubborn(() => right)], { log, code: 'one' })
      await work.start(first.signal)
      await store.append('game-1', -1n, [played('1'), played('2', '?'), played('3')])
      await store.append('game-2', -1n, [played('4', '?')])
      const at = await store.append('game-1', 2n, [played('5', '?')])
      expect(await work.caughtUp(at, 10_000)).toBe(true)
      await work.retry('stubborn')
      expect((await work.status())[0]!.parked.streams.map(p => [p.stream, p.position])).toEqual([
        ['game-1', '1'],
        ['game-2', '3'],
      ])
      right = true
      let now = work
      if (who === 'by new code') {
        first.abort()
        now = processRunner(sql, store, [stubborn(() => right)], { log, code: 'two' })
        await now.start(ending.signal)
      } else await Promise.all([work.retry('stubborn'), work.retry('stubborn')])
      await expect.poll(async () => (await now.status())[0]!.parked.count).toBe(0)
      const next = await store.append('game-1', 3n, [played('6')])
      expect(await now.caughtUp(next, 10_000)).toBe(true)
      expect(await asked()).toEqual(['1', '2', '3', '4', '5', '6'])
      first.abort()
    })
  })
})
