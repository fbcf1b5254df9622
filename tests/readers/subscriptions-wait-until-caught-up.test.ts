import { expect, test } from 'vitest'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { withSchemaLock } from '../../modules/readers/schema-lock.ts'
import { readerSubscriptions } from '../../modules/readers/subscriptions.ts'
import {
  batchedStore,
  db,
  insertReaderCheckpoints,
  newTestEvent,
  recordingReader,
  setCheckpointPosition,
  setUpDatabasePerSubscriptionTest,
  silentLog,
  testAbort,
} from './subscription-testbed.ts'

setUpDatabasePerSubscriptionTest()

test('waiting for readers ends when they have reached the position, or at a timeout', async () => {
  const { sql } = db
  const store = memoryStore()
  await withSchemaLock(sql, async tx => {
    for (const name of ['one', 'two', 'still']) await tx`insert into checkpoints (name) values (${name})`
  })
  const [subscribed, onlyWaiting] = [
    readerSubscriptions(sql, store, { log: silentLog }),
    readerSubscriptions(sql, store, { log: silentLog }),
  ]
  await subscribed.start(['one', 'two'], testAbort.signal)
  const apply = async () => {}
  for (const name of ['one', 'two']) subscribed.join({ name, apply }, testAbort.signal)
  const at = await store.append('game-1', -1n, [newTestEvent()])
  for (const who of [subscribed, onlyWaiting]) {
    expect(await who.caughtUp(['one', 'two'], at, 10_000)).toBe(true)
    expect(await who.caughtUp(['one', 'two'], at, 0)).toBe(true)
    expect(await who.caughtUp(['one', 'still'], at, 50)).toBe(false)
    expect(await who.caughtUp(['still', 'nobody'], -1n, 50)).toBe(true)
    expect(await who.caughtUp(['one'], at + 1n, 50)).toBe(false)
  }
  const waits = onlyWaiting.caughtUp(['one', 'two'], at + 1n, 10_000)
  await store.append('game-1', 0n, [newTestEvent()])
  expect(await waits).toBe(true)
  await setCheckpointPosition('still', 9)
  expect(await onlyWaiting.caughtUp(['still', 'one'], 9n, 50)).toBe(false)
  expect(await onlyWaiting.caughtUp(['still'], 9n, 0)).toBe(true)
})

test('a table rebuilt at an earlier position is waited for again', async () => {
  await insertReaderCheckpoints('one')
  await setCheckpointPosition('one', 9)
  const readers = readerSubscriptions(db.sql, batchedStore(), { log: silentLog })
  expect(await readers.caughtUp(['one'], 9n, 0)).toBe(true)
  await setCheckpointPosition('one', 4)
  await db.sql`select pg_notify('checkpoints', ${JSON.stringify({ names: ['one'], position: '4' })})`
  await expect.poll(() => readers.caughtUp(['one'], 5n, 0)).toBe(false)
  const waits = readers.caughtUp(['one'], 5n, 10_000)
  await setCheckpointPosition('one', 5)
  expect(await waits).toBe(true)
})

test('waiting for a reader ends when a caught-up rebuild replaces its table', async () => {
  await insertReaderCheckpoints('one')
  const readers = readerSubscriptions(db.sql, batchedStore(), { log: silentLog })
  const waits = readers.caughtUp(['one'], 1n, 5000)
  expect(await readers.caughtUp(['one'], 1n, 0)).toBe(false)
  await setCheckpointPosition('one', 1)
  expect(await readers.catchUp(recordingReader('one', []), testAbort.signal, position => position === 1n)).toBe(true)
  expect(await waits).toBe(true)
})

test('waiting for readers continues during an outage; query errors end it', async () => {
  await insertReaderCheckpoints('one')
  const failing = (code: string) =>
    new Proxy(db.sql, {
      apply: (sql, self, args) => (args[0].raw ? Promise.reject(Object.assign(new Error(code), { code })) : Reflect.apply(sql, self, args)),
    })
  const waitWithDatabaseError = (code: string) =>
    readerSubscriptions(failing(code), batchedStore(), { log: silentLog }).caughtUp(['one'], 0n, 30)
  expect(await waitWithDatabaseError('ECONNREFUSED')).toBe(false)
  await expect(waitWithDatabaseError('42P01')).rejects.toThrow('42P01')
  let queries = 0
  const failingLater = new Proxy(db.sql, {
    apply: (sql, self, args) =>
      args[0].raw && ++queries > 2 ? Promise.reject(Object.assign(new Error('42P01'), { code: '42P01' })) : Reflect.apply(sql, self, args),
  })
  await expect(readerSubscriptions(failingLater, batchedStore(), { log: silentLog }).caughtUp(['one'], 0n, 5000)).rejects.toThrow('42P01')
})
