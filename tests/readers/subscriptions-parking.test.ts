import type { TransactionSql } from 'postgres'
import { expect, test } from 'vitest'
import { storableErrorText } from '../../modules/kernel/storable-error-text.ts'
import type { RecordedEvent } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import type { Reader } from '../../modules/readers/deliver-batch.ts'
import { parkedStreamsOf } from '../../modules/readers/read-parked-streams.ts'
import { withSchemaLock } from '../../modules/readers/schema-lock.ts'
import { readerSubscriptions } from '../../modules/readers/subscriptions.ts'
import {
  batchedStore,
  checkpointPositionOf,
  db,
  insertReaderCheckpoints,
  newTestEvent,
  newTestEvents,
  positionRangeText,
  recordingReader,
  setCheckpointPosition,
  setUpDatabasePerSubscriptionTest,
  silentLog,
  testAbort,
} from './subscription-testbed.ts'

setUpDatabasePerSubscriptionTest()

test('events that one reader cannot process are processed once by other readers', async () => {
  const { sql } = db
  const store = memoryStore()
  await withSchemaLock(sql, async tx => {
    await tx`create table taken (position bigint)`
    for (const name of ['fails', 'takes']) await tx`insert into checkpoints (name) values (${name})`
  })
  const readers = readerSubscriptions(sql, store, { log: silentLog })
  await readers.start(['fails', 'takes'], testAbort.signal)
  const fails = {
    name: 'fails',
    apply: async (_: unknown, events: RecordedEvent[]) => {
      if (events.some(e => e.type === 'Bad')) throw new RangeError('not this one')
    },
  }
  const takes = {
    name: 'takes',
    apply: async (tx: typeof sql, events: RecordedEvent[]) => {
      // These queries make this reader slower than the one that fails.
      for (let i = 0; i < 5; i++) await tx`select 1`
      for (const { position } of events) await tx`insert into taken values (${`${position}`})`
    },
  }
  for (const reader of [fails, takes]) readers.join(reader as never, testAbort.signal)
  const first = await store.append('game-1', -1n, [newTestEvent('Good')])
  expect(await readers.caughtUp(['fails', 'takes'], first, 10_000)).toBe(true)
  const last = await store.append('game-1', 0n, ['Bad', 'Good'].map(newTestEvent))
  expect(await readers.caughtUp(['takes'], last, 10_000)).toBe(true)
  expect((await sql`select count(*)::int as n, count(distinct position)::int as each from taken`)[0]).toEqual({ n: 3, each: 3 })
})

test('an event that fails once and then succeeds is not parked', async () => {
  const { sql } = db
  const store = memoryStore()
  await insertReaderCheckpoints('flickers')
  const readers = readerSubscriptions(sql, store, { log: silentLog })
  await readers.start(['flickers'], testAbort.signal)
  const applied: string[] = []
  let hasFailed = false
  const flickers = {
    name: 'flickers',
    apply: async (_: unknown, events: RecordedEvent[]) => {
      if (!hasFailed) {
        hasFailed = true
        throw Object.assign(new Error('an unknown fault of the connection'), { code: 'EUNKNOWN' })
      }
      applied.push(...events.map(e => e.type))
    },
  }
  readers.join(flickers as never, testAbort.signal)
  const at = await store.append('game-1', -1n, [newTestEvent('Good')])
  expect(await readers.caughtUp(['flickers'], at, 10_000)).toBe(true)
  expect(applied).toEqual(['Good'])
  expect(await sql`select 1 from parked`).toHaveLength(0)
})

test('a reader that never parks waits at a poison event, and others go on', async () => {
  const { sql } = db
  const store = memoryStore()
  await insertReaderCheckpoints('chain', 'other')
  const readers = readerSubscriptions(sql, store, { log: silentLog })
  await readers.start(['chain', 'other'], testAbort.signal)
  const chained: string[] = []
  let isFixed = false
  const chain: Reader = {
    name: 'chain',
    neverParks: true,
    apply: async (_, events) => {
      if (!isFixed && events.some(e => e.type === 'Bad')) throw new RangeError('not this one')
      chained.push(...events.map(e => e.type))
    },
  }
  const other: Reader = { name: 'other', apply: async () => {} }
  for (const reader of [chain, other]) readers.join(reader, testAbort.signal)
  const first = await store.append('game-1', -1n, [newTestEvent('Good')])
  expect(await readers.caughtUp(['chain', 'other'], first, 10_000)).toBe(true)
  const last = await store.append('game-1', 0n, ['Bad', 'Good'].map(newTestEvent))
  expect(await readers.caughtUp(['other'], last, 10_000)).toBe(true)
  expect(chained).toEqual(['Good'])
  isFixed = true
  expect(await readers.caughtUp(['chain'], last, 10_000)).toBe(true)
  expect(chained).toEqual(['Good', 'Bad', 'Good'])
  expect(await sql`select 1 from parked`).toHaveLength(0)
})

test('parked streams are listed by reader, oldest first, at most 100, with totals', async () => {
  const { sql } = db
  await withSchemaLock(sql, async tx => {
    await tx`insert into parked (reader, stream, position, revision, event, type, error, code, at)
      select 'many', 'game-' || n, 1000 - n, 0, 'e' || n, 'Bad', 'why', 'old', now() from generate_series(1, 101) n`
    await tx`insert into parked (reader, stream, position, revision, event, type, error, code)
      values ('few', 'game-2', 7, 3, 'e7', 'Bad', 'not this one', 'new'), ('other', 'game-3', 8, 0, 'e8', 'Bad', 'why', 'old')`
  })
  const parked = await parkedStreamsOf(sql, ['few', 'many', 'none'])
  expect([...parked.keys()]).toEqual(['few', 'many'])
  const parkedOfFew = {
    reader: 'few',
    stream: 'game-2',
    position: '7',
    event: 'e7',
    type: 'Bad',
    error: 'not this one',
    at: expect.any(String),
  }
  expect(parked.get('few')).toEqual({ count: 1, streams: [parkedOfFew] })
  const { count, streams } = parked.get('many')!
  expect([count, streams.length, streams[0]!.stream, streams.at(-1)!.stream]).toEqual([101, 100, 'game-101', 'game-2'])
  const { untried } = readerSubscriptions(sql, memoryStore(), { log: silentLog, code: 'new' })
  expect([(await untried(['few', 'many'])).sort(), await untried(['few'])]).toEqual([['many'], []])
})

test('an error text is shortened and cleaned so that the database accepts it', () => {
  expect(storableErrorText(new RangeError('no\0t this one'))).toBe('RangeError: not this one')
  expect(storableErrorText('x'.repeat(2000))).toHaveLength(1000)
})

test.each([
  ['processed the event', 3, 1, ['one 0–0', 'one 2–2'], [-1n]],
  ['advanced the checkpoint', 3, 2, ['one 0–0'], [-1n]],
  ['rebuilt the table', 2, -1, ['one 0–0', 'one 0–0', 'one 1–1'], [-1n, -1n]],
  ['dropped the table', 2, undefined, ['one 0–0'], [-1n]],
])('a failing event parks nothing if another server %s at the same time', async (_, count, position, expected, from) => {
  await insertReaderCheckpoints('one')
  const store = batchedStore(1)
  const last = await store.append('game-1', -1n, newTestEvents(count))
  const received: string[] = []
  let failed = false
  const reader = recordingReader('one', received, ([e]) => {
    if (failed || e!.position !== 1n) return
    failed = true
    throw new RangeError('not this one')
  })
  let moved = false
  const begin = async (work: (tx: TransactionSql) => Promise<unknown>) => {
    if (failed && !moved) await (position === undefined ? db.sql`delete from checkpoints` : setCheckpointPosition('one', position))
    moved = failed
    return db.sql.begin(work)
  }
  const sql = new Proxy(db.sql, { get: (sql, name) => (name === 'begin' ? begin : Reflect.get(sql, name)) })
  const failOnError = { info() {}, error: (_: object, message: string) => expect.unreachable(message) }
  const hasTable = position !== undefined
  expect(await readerSubscriptions(sql, store, { log: failOnError }).catchUp(reader, testAbort.signal, at => at >= last)).toBe(hasTable)
  expect([received, await db.sql`select from parked`, store.followed.from]).toEqual([expected, [], from])
  expect(await checkpointPositionOf('one')).toBe(hasTable ? Number(last) : undefined)
})

test('a transient database error parks nothing; only a data error parks the stream', async () => {
  await insertReaderCheckpoints('slow', 'strict')
  const store = batchedStore()
  const errors: string[] = []
  const readers = readerSubscriptions(db.sql, store, { log: { info() {}, error: (_, message) => errors.push(message) }, code: 'this' })
  await readers.start(['slow', 'strict'], testAbort.signal)
  const received: string[] = []
  const slow: Reader = {
    name: 'slow',
    // These queries make this reader slower than the one that fails, so its last queries fail with the shared transaction.
    async apply(tx, events) {
      for (let i = 0; i < 5; i++) await tx`select 1`
      received.push(`slow ${positionRangeText(events)}`)
    },
  }
  let tries = 0
  const strict: Reader = {
    name: 'strict',
    async apply(tx, events) {
      if (events.some(e => e.type === 'Late') && ++tries < 3) throw Object.assign(new Error('deadlock'), { code: '40P01' })
      if (events.some(e => e.type === 'Bad')) await tx`select 1 / 0`
      received.push(`strict ${positionRangeText(events)}`)
    },
  }
  for (const reader of [slow, strict]) await readers.join(reader, testAbort.signal)
  const late = await store.append('game-1', -1n, [newTestEvent('Late')])
  expect(await readers.caughtUp(['slow', 'strict'], late, 5000)).toBe(true)
  expect([tries, errors.length, await db.sql`select from parked`]).toEqual([3, 2, []])
  received.length = 0
  const bad = await store.append('game-2', -1n, [newTestEvent(), newTestEvent('Bad')])
  expect(await readers.caughtUp(['slow', 'strict'], bad, 5000)).toBe(true)
  const next = await store.append('game-2', 1n, [newTestEvent()])
  expect(await readers.caughtUp(['slow', 'strict'], next, 5000)).toBe(true)
  const other = await store.append('game-3', -1n, [newTestEvent()])
  expect(await readers.caughtUp(['slow', 'strict'], other, 5000)).toBe(true)
  expect(received.filter(t => t.startsWith('slow'))).toEqual(['slow 1–2', 'slow 3–3', 'slow 4–4'])
  expect(received.filter(t => t.startsWith('strict'))).toEqual(['strict 1–1', 'strict undefined–undefined', 'strict 4–4'])
  expect(await db.sql`select reader, stream, position::int, revision::int, type, error, code from parked`).toEqual([
    { reader: 'strict', stream: 'game-2', position: 2, revision: 1, type: 'Bad', error: 'PostgresError: division by zero', code: 'this' },
  ])
  // Neither reader needed a catch-up subscription: only the live one was opened, at the start of the log. Three errors were logged: two
  // deadlocks and one parked stream.
  expect([store.followed.from, errors.length]).toEqual([[-1n], 3])
})
