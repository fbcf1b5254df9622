import { expect, test } from 'vitest'
import type { Reader } from '../../modules/readers/deliver-batch.ts'
import { subscriptions } from '../../modules/readers/subscriptions.ts'
import {
  batchedStore,
  createCheckpoints,
  db,
  newTestEvent,
  newTestEvents,
  recordingReader,
  setPosition,
  setUpSubscriptionDatabase,
  silentLog,
  testAbort,
} from './subscription-readers.ts'

setUpSubscriptionDatabase()

test('a batch is given to all live readers at once, in one transaction', async () => {
  await createCheckpoints('a', 'b')
  const store = batchedStore()
  const readers = subscriptions(db.sql, store, { log: silentLog })
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

test('up-to-date readers share one subscription, and a lagging one has its own', async () => {
  await createCheckpoints('a', 'b')
  await setPosition('a', 2)
  const store = batchedStore()
  await store.append('game-1', -1n, newTestEvents(3))
  const readers = subscriptions(db.sql, store, { log: silentLog })
  const took: string[] = []
  await readers.start(['a', 'b'], testAbort.signal)
  let gate = Promise.resolve()
  await Promise.all(
    ['a', 'b'].map(name =>
      readers.join(
        recordingReader(name, took, () => name === 'b' && gate),
        testAbort.signal,
      ),
    ),
  )
  const more = async (revision: bigint, names = ['a', 'b']) => {
    const at = await store.append('game-1', revision, [newTestEvent()])
    expect(await readers.caughtUp(names, at, 5000)).toBe(true)
    return took.splice(0).sort()
  }
  expect(took.splice(0)).toEqual(['b 0–2'])
  expect(await more(2n)).toEqual(['a 3–3', 'b 3–3'])
  expect(await more(3n)).toEqual(['a 4–4', 'b 4–4'])
  expect(store.followed).toEqual({ from: [2n, -1n], now: 1 })

  await setPosition('b', 2)
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
  expect(await readers.join(recordingReader('b', took), testAbort.signal)).toBe(false)
  expect(store.followed).toEqual({ from: [2n, -1n, 2n], now: 1 })
})

test('without notifications a process sees its own events, and subscribes again', async () => {
  await createCheckpoints('one')
  let asked = 0
  const listen = async () => {
    asked++
    throw new Error('not now')
  }
  const deaf = new Proxy(db.sql, { get: (sql, name) => (name === 'listen' ? listen : Reflect.get(sql, name)) })
  const store = batchedStore()
  const readers = subscriptions(deaf, store, { log: silentLog })
  await readers.start(['one'], testAbort.signal)
  for (const [n, type] of ['Good', 'Bad'].entries()) {
    let go = () => {}
    const gate = new Promise<void>(resolve => {
      go = resolve
    })
    const reader = recordingReader('one', [], async events => {
      await gate
      if (events[0]?.type === 'Bad') throw new RangeError('not this one')
    })
    const over = new AbortController()
    const reads = readers.catchUp(reader, over.signal, position => position >= BigInt(n))
    const there = readers.caughtUp(['one'], await store.append(`game-${n}`, -1n, [newTestEvent(type)]), 5000)
    expect(await readers.caughtUp(['one'], BigInt(n), 0)).toBe(false)
    go()
    expect([await there, await reads]).toEqual([true, true])
  }
  expect(asked).toBeGreaterThan(1)
})
