import { randomUUID } from 'node:crypto'
import pino from 'pino'
import type { TransactionSql } from 'postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withSchemaLock } from '../../modules/kernel/checkpoints.ts'
import type { Reader } from '../../modules/kernel/deliver-batch.ts'
import { errorText } from '../../modules/kernel/error-text.ts'
import { parkedStreamsOf } from '../../modules/kernel/parked-streams.ts'
import type { EventStore, RecordedEvent } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { subscriptions } from '../../modules/kernel/subscriptions.ts'
import { database } from '../support/postgres.ts'

const log = pino({ level: 'silent' })
const event = (type = 'Good') => ({ id: randomUUID(), type, data: {}, meta: { command: randomUUID(), name: 'a.b', actor: 'system' } })
const events = (n: number) => Array.from({ length: n }, () => event())

let db: Awaited<ReturnType<typeof database>>
let ending: AbortController
beforeEach(async () => {
  ending = new AbortController()
  db = await database()
})
afterEach(async () => {
  ending.abort()
  await db.end()
})

const begin = (...names: string[]) =>
  withSchemaLock(db.sql, async tx => {
    for (const name of names) await tx`insert into checkpoints (name) values (${name})`
    expect(await tx`select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`).toHaveLength(1)
  })
const stand = async (name: string) => (await db.sql`select position::int from checkpoints where name = ${name}`)[0]?.position as number
const put = (name: string, position: number) => db.sql`update checkpoints set position = ${position} where name = ${name}`
const span = (events: RecordedEvent[]) => `${events[0]?.position}–${events.at(-1)?.position}`

/** A log that yields batches of at most this size; it records the start positions and the number of subscriptions. */
function batched(size = Number.POSITIVE_INFINITY) {
  const store = memoryStore()
  const followed = { from: [] as bigint[], now: 0 }
  async function* follow(...[from, signal]: Parameters<EventStore['follow']>) {
    followed.from.push(from)
    followed.now++
    try {
      for await (const batch of store.follow(from, signal)) for (let i = 0; i < batch.length; i += size) yield batch.slice(i, i + size)
    } finally {
      followed.now--
    }
  }
  return { ...store, follow, followed }
}

/** A reader that records the events it receives. */
function noting(name: string, took: string[], taking: (events: RecordedEvent[]) => unknown = () => {}): Reader {
  return {
    name,
    async apply(_, events) {
      await taking(events)
      took.push(`${name} ${span(events)}`)
    },
  }
}

test('events that one reader cannot take are taken once by the others, even at once', async () => {
  const { sql } = db
  const store = memoryStore()
  await withSchemaLock(sql, async tx => {
    await tx`create table taken (position bigint)`
    for (const name of ['fails', 'takes']) await tx`insert into checkpoints (name) values (${name})`
  })
  const readers = subscriptions(sql, store, { log })
  await readers.start(['fails', 'takes'], ending.signal)
  const fails = {
    name: 'fails',
    apply: async (_: unknown, events: RecordedEvent[]) => {
      if (events.some(e => e.type === 'Bad')) throw new RangeError('not this one')
    },
  }
  const takes = {
    name: 'takes',
    apply: async (tx: typeof sql, events: RecordedEvent[]) => {
      // Some queries later than the other fails.
      for (let i = 0; i < 5; i++) await tx`select 1`
      for (const { position } of events) await tx`insert into taken values (${`${position}`})`
    },
  }
  for (const reader of [fails, takes]) readers.join(reader as never, ending.signal)
  const first = await store.append('game-1', -1n, [event('Good')])
  expect(await readers.caughtUp(['fails', 'takes'], first, 10_000)).toBe(true)
  const last = await store.append('game-1', 0n, ['Bad', 'Good'].map(event))
  expect(await readers.caughtUp(['takes'], last, 10_000)).toBe(true)
  expect((await sql`select count(*)::int as n, count(distinct position)::int as each from taken`)[0]).toEqual({ n: 3, each: 3 })
})

test('parked streams are listed by reader, oldest first, a hundred each, with totals', async () => {
  const { sql } = db
  await withSchemaLock(sql, async tx => {
    await tx`insert into parked (reader, stream, position, revision, event, type, error, code, at)
      select 'many', 'game-' || n, 1000 - n, 0, 'e' || n, 'Bad', 'why', 'old', now() from generate_series(1, 101) n`
    await tx`insert into parked (reader, stream, position, revision, event, type, error, code)
      values ('few', 'game-2', 7, 3, 'e7', 'Bad', 'not this one', 'new'), ('other', 'game-3', 8, 0, 'e8', 'Bad', 'why', 'old')`
  })
  const parked = await parkedStreamsOf(sql, ['few', 'many', 'none'])
  expect([...parked.keys()]).toEqual(['few', 'many'])
  const its = { reader: 'few', stream: 'game-2', position: '7', event: 'e7', type: 'Bad', error: 'not this one', at: expect.any(String) }
  expect(parked.get('few')).toEqual({ count: 1, streams: [its] })
  const { count, streams } = parked.get('many')!
  expect([count, streams.length, streams[0]!.stream, streams.at(-1)!.stream]).toEqual([101, 100, 'game-101', 'game-2'])
  const { untried } = subscriptions(sql, memoryStore(), { log, code: 'new' })
  expect([(await untried(['few', 'many'])).sort(), await untried(['few'])]).toEqual([['many'], []])
})

test('an error is kept as far as a database takes it, and a person reads it', () => {
  expect(errorText(new RangeError('no\0t this one'))).toBe('RangeError: not this one')
  expect(errorText('x'.repeat(2000))).toHaveLength(1000)
})

test('waiting for readers ends when they are there, at once if they are, or in time', async () => {
  const { sql } = db
  const store = memoryStore()
  await withSchemaLock(sql, async tx => {
    for (const name of ['one', 'two', 'still']) await tx`insert into checkpoints (name) values (${name})`
  })
  const [here, elsewhere] = [subscriptions(sql, store, { log }), subscriptions(sql, store, { log })]
  await here.start(['one', 'two'], ending.signal)
  const apply = async () => {}
  for (const name of ['one', 'two']) here.join({ name, apply }, ending.signal)
  const at = await store.append('game-1', -1n, [event()])
  for (const who of [here, elsewhere]) {
    expect(await who.caughtUp(['one', 'two'], at, 10_000)).toBe(true)
    expect(await who.caughtUp(['one', 'two'], at, 0)).toBe(true)
    expect(await who.caughtUp(['one', 'still'], at, 50)).toBe(false)
    expect(await who.caughtUp(['still', 'nobody'], -1n, 50)).toBe(true)
    expect(await who.caughtUp(['one'], at + 1n, 50)).toBe(false)
  }
  const waits = elsewhere.caughtUp(['one', 'two'], at + 1n, 10_000)
  await store.append('game-1', 0n, [event()])
  expect(await waits).toBe(true)
  // What was heard stands, also where a look at the checkpoints that began before says less.
  const hears = elsewhere.caughtUp(['still'], 9n, 10_000)
  await sql`select pg_notify('checkpoints', ${JSON.stringify({ names: ['still'], position: '9' })})`
  expect(await hears).toBe(true)
  expect(await elsewhere.caughtUp(['still', 'one'], 9n, 0)).toBe(false)
  expect(await elsewhere.caughtUp(['still'], 9n, 0)).toBe(true)
})

describe('a reader that is far behind', () => {
  const BATCH = 300
  /** The batches that the reader received, in order; `meanwhile` runs while the batch named by its positions is handled. */
  async function read(meanwhile: Record<string, () => unknown> = {}, untakeable?: string) {
    const store = batched(BATCH)
    await store.append('game-1', -1n, events(1250))
    const took: string[] = []
    const reader = noting('one', took, async events => {
      if (span(events) === untakeable) throw new RangeError('not all of it')
      await meanwhile[span(events)]?.()
    })
    const isDone = (position: bigint) => position >= 1249n
    expect(await subscriptions(db.sql, store, { log }).catchUp(reader, ending.signal, isDone)).toBe(true)
    expect(await stand('one')).toBe(1249)
    return took.map(each => each.slice('one '.length))
  }
  beforeEach(() => begin('one'))

  test('takes batch after batch', async () => {
    expect(await read()).toEqual(['0–299', '300–599', '600–899', '900–1199', '1200–1249'])
  })

  test('takes in halves what it cannot take whole', async () => {
    expect(await read({}, '300–599')).toEqual(['0–299', '300–449', '450–599', '600–899', '900–1199', '1200–1249'])
  })

  test.each([
    ['its first event', 300, ['301–599', '600–899']],
    ['all of it', 599, ['600–899']],
    ['more than it', 700, ['701–899']],
  ])('leaves out what another server has taken of a batch: %s', async (_, position, rest) => {
    const store = batched(BATCH)
    await store.append('game-1', -1n, events(900))
    const took: string[] = []
    // The other server is faster between two batches of this one.
    async function* follow(...args: Parameters<EventStore['follow']>) {
      for await (const batch of store.follow(...args)) {
        if (batch[0]!.position === 300n) await put('one', position)
        yield batch
      }
    }
    const isDone = (position: bigint) => position >= 899n
    const { catchUp } = subscriptions(db.sql, { ...store, follow }, { log })
    expect(await catchUp(noting('one', took), ending.signal, isDone)).toBe(true)
    expect(took).toEqual(['0–299', ...rest].map(each => `one ${each}`))
  })

  test('begins again where its checkpoint was put back', async () => {
    const store = batched(BATCH)
    await store.append('game-1', -1n, events(900))
    const took: string[] = []
    let isPutBack = false
    async function* follow(...args: Parameters<EventStore['follow']>) {
      for await (const batch of store.follow(...args)) {
        if (batch[0]!.position === 600n && !isPutBack) {
          isPutBack = true
          await put('one', 99)
        }
        yield batch
      }
    }
    const isDone = (position: bigint) => position >= 899n
    const { catchUp } = subscriptions(db.sql, { ...store, follow }, { log })
    expect(await catchUp(noting('one', took), ending.signal, isDone)).toBe(true)
    expect(took).toEqual(['one 0–299', 'one 300–599', 'one 100–399', 'one 400–699', 'one 700–899'])
  })

  test('leaves out streams that another server has parked meanwhile', async () => {
    const store = batched(BATCH)
    for (let n = 0; n < 3 * BATCH; n++) await store.append(`game-${n}`, -1n, [event()])
    const took: number[] = []
    const park = () =>
      db.sql.begin(async tx => {
        await tx`update checkpoints set parked = gen_random_uuid()`
        for (const n of [307, 607]) await tx`insert into parked values ('one', ${`game-${n}`}, ${n}, 0, 'e', 'Bad', 'why', 'code')`
      })
    async function* follow(...args: Parameters<EventStore['follow']>) {
      for await (const batch of store.follow(...args)) {
        if (batch[0]!.position === BigInt(BATCH)) await park()
        yield batch
      }
    }
    const reader: Reader = { name: 'one', apply: async (_, events) => took.push(events.length) }
    const isDone = (position: bigint) => position >= BigInt(3 * BATCH - 1)
    await subscriptions(db.sql, { ...store, follow }, { log }).catchUp(reader, ending.signal, isDone)
    expect(took).toEqual([300, 299, 299])
  })
})

test('a batch is given to all live readers at once, in one transaction', async () => {
  await begin('a', 'b')
  const store = batched()
  const readers = subscriptions(db.sql, store, { log })
  await readers.start(['a', 'b'], ending.signal)
  const did: string[] = []
  const apply =
    (name: string): Reader['apply'] =>
    async tx => {
      did.push(name)
      const [set] = await tx`select current_setting('synchronous_commit') as waits, current_setting('enable_seqscan') as reads_all`
      expect(set).toEqual({ waits: 'off', reads_all: 'off' })
      did.push(`${name} is done`)
    }
  await Promise.all(['a', 'b'].map(name => readers.join({ name, apply: apply(name) }, ending.signal)))
  const last = await store.append('game-1', -1n, events(3))
  expect(await readers.caughtUp(['a', 'b'], last, 5000)).toBe(true)
  expect(did.splice(0)).toEqual(['a', 'b', 'a is done', 'b is done'])
})

test('readers that are up to date share one subscription; one that lags reads alone', async () => {
  await begin('a', 'b')
  await put('a', 2)
  const store = batched()
  await store.append('game-1', -1n, events(3))
  const readers = subscriptions(db.sql, store, { log })
  const took: string[] = []
  await readers.start(['a', 'b'], ending.signal)
  let gate = Promise.resolve()
  await Promise.all(
    ['a', 'b'].map(name =>
      readers.join(
        noting(name, took, () => name === 'b' && gate),
        ending.signal,
      ),
    ),
  )
  const more = async (revision: bigint, names = ['a', 'b']) => {
    const at = await store.append('game-1', revision, [event()])
    expect(await readers.caughtUp(names, at, 5000)).toBe(true)
    return took.splice(0).sort()
  }
  expect(took.splice(0)).toEqual(['b 0–2'])
  expect(await more(2n)).toEqual(['a 3–3', 'b 3–3'])
  expect(await more(3n)).toEqual(['a 4–4', 'b 4–4'])
  expect(store.followed).toEqual({ from: [2n, -1n], now: 1 })

  await put('b', 2)
  const { promise, resolve: open } = Promise.withResolvers<void>()
  gate = promise
  expect(await more(4n, ['a'])).toEqual(['a 5–5'])
  await expect.poll(() => store.followed).toEqual({ from: [2n, -1n, 2n], now: 2 })
  for (const revision of [5n, 6n]) expect(await more(revision, ['a'])).toEqual([`a ${revision + 1n}–${revision + 1n}`])
  expect(store.followed).toEqual({ from: [2n, -1n, 2n], now: 2 })
  open()
  expect(await readers.caughtUp(['b'], 7n, 5000)).toBe(true)
  await expect.poll(() => store.followed.now).toBe(1)
  took.length = 0
  expect(await more(7n)).toEqual(['a 8–8', 'b 8–8'])

  await db.sql`delete from checkpoints where name = 'b'`
  expect(await more(8n, ['a'])).toEqual(['a 9–9'])
  expect(await readers.join(noting('b', took), ending.signal)).toBe(false)
  expect(store.followed).toEqual({ from: [2n, -1n, 2n], now: 1 })
})

test('a reader of a rebuilt table does not inherit the old checkpoint', async () => {
  await begin('one')
  const store = batched()
  const last = await store.append('game-1', -1n, events(300))
  await put('one', Number(last))
  const readers = subscriptions(db.sql, store, { log })
  expect(await readers.caughtUp(['one'], last, 5000)).toBe(true)
  await put('one', -1)
  const looks: boolean[] = []
  const took: string[] = []
  const taking = async () => looks.push(await readers.caughtUp(['one'], 0n, 0))
  expect(await readers.catchUp(noting('one', took, taking), ending.signal, position => position === last)).toBe(true)
  expect([took, looks]).toEqual([['one 0–299'], [false]])
})

test('reading alone ends as it was told to: there at once, aborted, or by an error', async () => {
  await begin('one')
  const store = batched()
  let told = 0
  const { catchUp, retrying } = subscriptions(db.sql, store, { log: { info() {}, error: () => told++ } })
  const took: string[] = []
  expect(await catchUp(noting('one', took), ending.signal, position => position === -1n)).toBe(true)
  expect(await catchUp(noting('none', took), ending.signal, position => position !== -1n)).toBe(false)
  expect(store.followed.from).toEqual([])
  await store.append('game-1', -1n, events(2))
  const over = new AbortController()
  expect(
    await catchUp(
      noting('one', took, () => over.abort()),
      over.signal,
      () => false,
    ),
  ).toBe(false)
  await put('one', -1)
  const enough = (position: bigint) => {
    if (position === 1n) throw new Error('not enough')
    return false
  }
  await expect(catchUp(noting('one', took), ending.signal, enough)).rejects.toThrow('not enough')
  expect([took, store.followed.now]).toEqual([['one 0–1', 'one 0–1'], 0])

  let tries = 0
  const work = async () => {
    if (++tries < 3) throw new Error('not yet')
    return 'done'
  }
  expect([await retrying(ending.signal, work), tries]).toEqual(['done', 3])
  const stop = new AbortController()
  const stopped = async () => {
    stop.abort()
    throw new Error('stopped')
  }
  expect([told, await retrying(stop.signal, stopped), told]).toEqual([2, undefined, 2])
})

test('waiting for a reader ends when a caught-up table replaces its own', async () => {
  await begin('one')
  const readers = subscriptions(db.sql, batched(), { log })
  const waits = readers.caughtUp(['one'], 1n, 5000)
  expect(await readers.caughtUp(['one'], 1n, 0)).toBe(false)
  await put('one', 1)
  expect(await readers.catchUp(noting('one', []), ending.signal, position => position === 1n)).toBe(true)
  expect(await waits).toBe(true)
})

test('a reader stops when its table is dropped', async () => {
  await begin('one')
  const store = batched(1)
  await store.append('game-1', -1n, events(2))
  const { catchUp } = subscriptions(db.sql, store, { log })
  const took: string[] = []
  const enough = async () => {
    await db.sql`delete from checkpoints`
    return false
  }
  expect(await catchUp(noting('one', took), ending.signal, enough)).toBe(false)
})

test.each([
  ['took the event', 3, 1, ['one 0–0', 'one 2–2'], [-1n]],
  ['went on', 3, 2, ['one 0–0'], [-1n]],
  ['made the table anew', 2, -1, ['one 0–0', 'one 0–0', 'one 1–1'], [-1n, -1n]],
  ['threw the table away', 2, undefined, ['one 0–0'], [-1n]],
])('an event that cannot be taken parks nothing where another server %s just then', async (_, count, position, expected, from) => {
  await begin('one')
  const store = batched(1)
  const last = await store.append('game-1', -1n, events(count))
  const took: string[] = []
  let failed = false
  const reader = noting('one', took, ([e]) => {
    if (failed || e!.position !== 1n) return
    failed = true
    throw new RangeError('not this one')
  })
  let moved = false
  const begins = async (work: (tx: TransactionSql) => Promise<unknown>) => {
    if (failed && !moved) await (position === undefined ? db.sql`delete from checkpoints` : put('one', position))
    moved = failed
    return db.sql.begin(work)
  }
  const sql = new Proxy(db.sql, { get: (sql, name) => (name === 'begin' ? begins : Reflect.get(sql, name)) })
  const unexpected = { info() {}, error: (_: object, what: string) => expect.unreachable(what) }
  const there = position !== undefined
  expect(await subscriptions(sql, store, { log: unexpected }).catchUp(reader, ending.signal, at => at >= last)).toBe(there)
  expect([took, await db.sql`select from parked`, store.followed.from]).toEqual([expected, [], from])
  expect(await stand('one')).toBe(there ? Number(last) : undefined)
})

test('a transient database error parks nothing; the event with bad data is found', async () => {
  await begin('slow', 'strict')
  const store = batched()
  const told: string[] = []
  const readers = subscriptions(db.sql, store, { log: { info() {}, error: (_, what) => told.push(what) }, code: 'this' })
  await readers.start(['slow', 'strict'], ending.signal)
  const took: string[] = []
  const slow: Reader = {
    name: 'slow',
    // Some queries later than the other fails: these fail, too.
    async apply(tx, events) {
      for (let i = 0; i < 5; i++) await tx`select 1`
      took.push(`slow ${span(events)}`)
    },
  }
  let tries = 0
  const strict: Reader = {
    name: 'strict',
    async apply(tx, events) {
      if (events.some(e => e.type === 'Late') && ++tries < 3) throw Object.assign(new Error('deadlock'), { code: '40P01' })
      if (events.some(e => e.type === 'Bad')) await tx`select 1 / 0`
      took.push(`strict ${span(events)}`)
    },
  }
  for (const reader of [slow, strict]) await readers.join(reader, ending.signal)
  const late = await store.append('game-1', -1n, [event('Late')])
  expect(await readers.caughtUp(['slow', 'strict'], late, 5000)).toBe(true)
  expect([tries, told.length, await db.sql`select from parked`]).toEqual([3, 2, []])
  took.length = 0
  const bad = await store.append('game-2', -1n, [event(), event('Bad')])
  expect(await readers.caughtUp(['slow', 'strict'], bad, 5000)).toBe(true)
  const next = await store.append('game-2', 1n, [event()])
  expect(await readers.caughtUp(['slow', 'strict'], next, 5000)).toBe(true)
  const other = await store.append('game-3', -1n, [event()])
  expect(await readers.caughtUp(['slow', 'strict'], other, 5000)).toBe(true)
  expect(took.filter(t => t.startsWith('slow'))).toEqual(['slow 1–2', 'slow 3–3', 'slow 4–4'])
  expect(took.filter(t => t.startsWith('strict'))).toEqual(['strict 1–1', 'strict undefined–undefined', 'strict 4–4'])
  expect(await db.sql`select reader, stream, position::int, revision::int, type, error, code from parked`).toEqual([
    { reader: 'strict', stream: 'game-2', position: 2, revision: 1, type: 'Bad', error: 'PostgresError: division by zero', code: 'this' },
  ])
  // It was never behind, and what it parked was told once.
  expect([store.followed.from, told.length]).toEqual([[-1n], 3])
})

test('without notifications a process sees its own events, and subscribes again', async () => {
  await begin('one')
  let asked = 0
  const listen = async () => {
    asked++
    throw new Error('not now')
  }
  const deaf = new Proxy(db.sql, { get: (sql, name) => (name === 'listen' ? listen : Reflect.get(sql, name)) })
  const store = batched()
  const readers = subscriptions(deaf, store, { log })
  await readers.start(['one'], ending.signal)
  for (const [n, type] of ['Good', 'Bad'].entries()) {
    let go = () => {}
    const gate = new Promise<void>(resolve => {
      go = resolve
    })
    const reader = noting('one', [], async events => {
      await gate
      if (events[0]?.type === 'Bad') throw new RangeError('not this one')
    })
    const over = new AbortController()
    const reads = readers.catchUp(reader, over.signal, position => position >= BigInt(n))
    const there = readers.caughtUp(['one'], await store.append(`game-${n}`, -1n, [event(type)]), 5000)
    expect(await readers.caughtUp(['one'], BigInt(n), 0)).toBe(false)
    go()
    expect([await there, await reads]).toEqual([true, true])
  }
  expect(asked).toBeGreaterThan(1)
})

test('waiting for readers outlasts an outage, but reports an error in the query', async () => {
  await begin('one')
  const failing = (code: string) =>
    new Proxy(db.sql, {
      apply: (sql, self, args) => (args[0].raw ? Promise.reject(Object.assign(new Error(code), { code })) : Reflect.apply(sql, self, args)),
    })
  const asking = (code: string) => subscriptions(failing(code), batched(), { log }).caughtUp(['one'], 0n, 30)
  expect(await asking('ECONNREFUSED')).toBe(false)
  await expect(asking('42P01')).rejects.toThrow('42P01')
})
