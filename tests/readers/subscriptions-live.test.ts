import { setImmediate } from 'node:timers/promises'
import type { TransactionSql } from 'postgres'
import { expect, test } from 'vitest'
import type { Reader } from '../../modules/readers/deliver-batch.ts'
import { readerSubscriptions } from '../../modules/readers/subscriptions.ts'
import {
  batchedStore,
  db,
  insertReaderCheckpoints,
  newTestEvent,
  newTestEvents,
  recordingReader,
  setCheckpointPosition,
  setUpDatabasePerSubscriptionTest,
  silentLog,
  testAbort,
} from './subscription-testbed.ts'

setUpDatabasePerSubscriptionTest()

test('a batch is given to all live readers at the same time, in one transaction', async () => {
  await insertReaderCheckpoints('a', 'b')
  const store = batchedStore()
  const readers = readerSubscriptions(db.sql, store, { log: silentLog })
  await readers.start(['a', 'b'], testAbort.signal)
  const did: string[] = []
  const apply =
    (name: string): Reader['apply'] =>
    async tx => {
      did.push(name)
      const [set] = await tx`select current_setting('synchronous_commit') as waits, current_setting('enable_seqscan') as reads_all`
      expect(set).toEqual({ waits: 'off', reads_all: 'off' })
      did.push(`${name} is done`)
    }
  await Promise.all(['a', 'b'].map(name => readers.join({ name, apply: apply(name) }, testAbort.signal)))
  const last = await store.append('game-1', -1n, newTestEvents(3))
  expect(await readers.caughtUp(['a', 'b'], last, 5000)).toBe(true)
  expect(did.splice(0)).toEqual(['a', 'b', 'a is done', 'b is done'])
})

test('a batch sends no notification to other processes', async () => {
  await insertReaderCheckpoints('a')
  const notified: string[] = []
  const listening = await db.sql.listen('checkpoints', payload => notified.push(payload))
  const store = batchedStore()
  const readers = readerSubscriptions(db.sql, store, { log: silentLog })
  await readers.start(['a'], testAbort.signal)
  await readers.join({ name: 'a', apply: async () => {} }, testAbort.signal)
  const last = await store.append('game-1', -1n, [newTestEvent()])
  expect(await readers.caughtUp(['a'], last, 5000)).toBe(true)
  // Notifications arrive in commit order, so a notification from the batch above would arrive before this one.
  await db.sql`select pg_notify('checkpoints', ${JSON.stringify({ names: ['b'], position: '0' })})`
  await expect.poll(() => notified.length).toBe(1)
  expect(JSON.parse(notified[0]!).names).toEqual(['b'])
  await listening.unlisten()
})

test('up-to-date readers share one subscription; a lagging reader has its own', async () => {
  await insertReaderCheckpoints('a', 'b')
  await setCheckpointPosition('a', 2)
  const store = batchedStore()
  await store.append('game-1', -1n, newTestEvents(3))
  const readers = readerSubscriptions(db.sql, store, { log: silentLog })
  const received: string[] = []
  await readers.start(['a', 'b'], testAbort.signal)
  let gate = Promise.resolve()
  await Promise.all(
    ['a', 'b'].map(name =>
      readers.join(
        recordingReader(name, received, () => name === 'b' && gate),
        testAbort.signal,
      ),
    ),
  )
  /** Appends an event. @returns what the readers have received since the last call */
  const appendAndRead = async (revision: bigint, names = ['a', 'b']) => {
    const at = await store.append('game-1', revision, [newTestEvent()])
    expect(await readers.caughtUp(names, at, 5000)).toBe(true)
    return received.splice(0).sort()
  }
  expect(received.splice(0)).toEqual(['b 0–2'])
  expect(await appendAndRead(2n)).toEqual(['a 3–3', 'b 3–3'])
  expect(await appendAndRead(3n)).toEqual(['a 4–4', 'b 4–4'])
  expect(store.followed).toEqual({ from: [2n, -1n], now: 1 })

  await setCheckpointPosition('b', 2)
  const { promise, resolve: open } = Promise.withResolvers<void>()
  gate = promise
  expect(await appendAndRead(4n, ['a'])).toEqual(['a 5–5'])
  await expect.poll(() => store.followed).toEqual({ from: [2n, -1n, 2n], now: 2 })
  for (const revision of [5n, 6n]) expect(await appendAndRead(revision, ['a'])).toEqual([`a ${revision + 1n}–${revision + 1n}`])
  expect(store.followed).toEqual({ from: [2n, -1n, 2n], now: 2 })
  open()
  expect(await readers.caughtUp(['b'], 7n, 5000)).toBe(true)
  await expect.poll(() => store.followed.now).toBe(1)
  received.length = 0
  expect(await appendAndRead(7n)).toEqual(['a 8–8', 'b 8–8'])

  await db.sql`delete from checkpoints where name = 'b'`
  expect(await appendAndRead(8n, ['a'])).toEqual(['a 9–9'])
  expect(await readers.join(recordingReader('b', received), testAbort.signal)).toBe(false)
  expect(store.followed).toEqual({ from: [2n, -1n, 2n], now: 1 })
})

test('without notifications a process still sees its own events, and resubscribes', async () => {
  await insertReaderCheckpoints('one')
  let listens = 0
  const listen = async () => {
    listens++
    throw new Error('not now')
  }
  const withoutNotifications = new Proxy(db.sql, { get: (sql, name) => (name === 'listen' ? listen : Reflect.get(sql, name)) })
  const store = batchedStore()
  const readers = readerSubscriptions(withoutNotifications, store, { log: silentLog })
  await readers.start(['one'], testAbort.signal)
  for (const [n, type] of ['Good', 'Bad'].entries()) {
    const gate = Promise.withResolvers<void>()
    const reader = recordingReader('one', [], async events => {
      await gate.promise
      if (events[0]?.type === 'Bad') throw new RangeError('not this one')
    })
    const over = new AbortController()
    const isRead = readers.catchUp(reader, over.signal, position => position >= BigInt(n))
    const isCaughtUp = readers.caughtUp(['one'], await store.append(`game-${n}`, -1n, [newTestEvent(type)]), 5000)
    expect(await readers.caughtUp(['one'], BigInt(n), 0)).toBe(false)
    gate.resolve()
    expect([await isCaughtUp, await isRead]).toEqual([true, true])
  }
  expect(listens).toBeGreaterThan(1)
})

test('a reader that is live again after a change of leader stays live', async () => {
  await insertReaderCheckpoints('one')
  const isDelivering = Promise.withResolvers<void>()
  const failure = Promise.withResolvers<never>()
  let transactions = 0
  const begin = (work: (tx: TransactionSql) => Promise<unknown>) => {
    if (transactions++ > 0) return db.sql.begin(work)
    isDelivering.resolve()
    return failure.promise
  }
  const withDeadConnection = new Proxy(db.sql, { get: (sql, name) => (name === 'begin' ? begin : Reflect.get(sql, name)) })
  const store = batchedStore()
  const readers = readerSubscriptions(withDeadConnection, store, { log: silentLog })
  const received: string[] = []
  const reader = recordingReader('one', received)
  const former = new AbortController()
  await readers.start(['one'], former.signal)
  await readers.join(reader, former.signal)
  const first = await store.append('game-1', -1n, [newTestEvent()])
  await isDelivering.promise
  former.abort()
  await readers.start(['one'], testAbort.signal)
  await readers.join(reader, testAbort.signal)
  expect(await readers.caughtUp(['one'], first, 5000)).toBe(true)
  // The former subscription learns only now that its connection is gone.
  failure.reject(new Error('the connection was lost'))
  await failure.promise.catch(() => {})
  await setImmediate()
  const second = await store.append('game-2', -1n, [newTestEvent()])
  expect(await readers.caughtUp(['one'], second, 5000)).toBe(true)
  expect(received).toEqual(['one 0–0', 'one 1–1'])
})
