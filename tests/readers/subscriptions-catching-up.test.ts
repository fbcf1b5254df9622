import { beforeEach, describe, expect, test } from 'vitest'
import type { EventStore } from '../../modules/kernel/store.ts'
import type { Reader } from '../../modules/readers/deliver-batch.ts'
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

describe('a reader that is far behind', () => {
  const BATCH = 300
  /** Reads a log of 1,250 events. @param failing the positions of a batch that fails @returns the batches that the reader processed */
  async function read(failing?: string) {
    const store = batchedStore(BATCH)
    await store.append('game-1', -1n, newTestEvents(1250))
    const received: string[] = []
    const reader = recordingReader('one', received, events => {
      if (positionRangeText(events) === failing) throw new RangeError('not all of it')
    })
    const isDone = (position: bigint) => position >= 1249n
    expect(await readerSubscriptions(db.sql, store, { log: silentLog }).catchUp(reader, testAbort.signal, isDone)).toBe(true)
    expect(await checkpointPositionOf('one')).toBe(1249)
    return received.map(each => each.slice('one '.length))
  }
  beforeEach(() => insertReaderCheckpoints('one'))

  test('processes the log in batches', async () => {
    expect(await read()).toEqual(['0–299', '300–599', '600–899', '900–1199', '1200–1249'])
  })

  test('processes a failed batch again in halves', async () => {
    expect(await read('300–599')).toEqual(['0–299', '300–449', '450–599', '600–899', '900–1199', '1200–1249'])
  })

  test.each([
    ['its first event', 300, ['301–599', '600–899']],
    ['the whole batch', 599, ['600–899']],
    ['more than the batch', 700, ['701–899']],
  ])('skips the part of a batch that another server has processed: %s', async (_, position, rest) => {
    const store = batchedStore(BATCH)
    await store.append('game-1', -1n, newTestEvents(900))
    const received: string[] = []
    // The other server moves the checkpoint between two batches of this server.
    async function* follow(...args: Parameters<EventStore['follow']>) {
      for await (const batch of store.follow(...args)) {
        if (batch[0]!.position === 300n) await setCheckpointPosition('one', position)
        yield batch
      }
    }
    const isDone = (position: bigint) => position >= 899n
    const { catchUp } = readerSubscriptions(db.sql, { ...store, follow }, { log: silentLog })
    expect(await catchUp(recordingReader('one', received), testAbort.signal, isDone)).toBe(true)
    expect(received).toEqual(['0–299', ...rest].map(each => `one ${each}`))
  })

  test('starts again from a checkpoint that was moved back', async () => {
    const store = batchedStore(BATCH)
    await store.append('game-1', -1n, newTestEvents(900))
    const received: string[] = []
    let isSetBack = false
    async function* follow(...args: Parameters<EventStore['follow']>) {
      for await (const batch of store.follow(...args)) {
        if (batch[0]!.position === 600n && !isSetBack) {
          isSetBack = true
          await setCheckpointPosition('one', 99)
        }
        yield batch
      }
    }
    const isDone = (position: bigint) => position >= 899n
    const { catchUp } = readerSubscriptions(db.sql, { ...store, follow }, { log: silentLog })
    expect(await catchUp(recordingReader('one', received), testAbort.signal, isDone)).toBe(true)
    expect(received).toEqual(['one 0–299', 'one 300–599', 'one 100–399', 'one 400–699', 'one 700–899'])
  })

  test('skips streams that another server has parked in the meantime', async () => {
    const store = batchedStore(BATCH)
    for (let n = 0; n < 3 * BATCH; n++) await store.append(`game-${n}`, -1n, [newTestEvent()])
    const received: number[] = []
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
    const reader: Reader = { name: 'one', apply: async (_, events) => received.push(events.length) }
    const isDone = (position: bigint) => position >= BigInt(3 * BATCH - 1)
    await readerSubscriptions(db.sql, { ...store, follow }, { log: silentLog }).catchUp(reader, testAbort.signal, isDone)
    expect(received).toEqual([300, 299, 299])
  })
})

test('a reader of a rebuilt table does not inherit the old checkpoint', async () => {
  await insertReaderCheckpoints('one')
  const store = batchedStore()
  const last = await store.append('game-1', -1n, newTestEvents(300))
  await setCheckpointPosition('one', Number(last))
  const readers = readerSubscriptions(db.sql, store, { log: silentLog })
  expect(await readers.caughtUp(['one'], last, 5000)).toBe(true)
  await setCheckpointPosition('one', -1)
  const isCaughtUpWhileReading: boolean[] = []
  const received: string[] = []
  const onEvents = async () => isCaughtUpWhileReading.push(await readers.caughtUp(['one'], 0n, 0))
  expect(await readers.catchUp(recordingReader('one', received, onEvents), testAbort.signal, position => position === last)).toBe(true)
  expect([received, isCaughtUpWhileReading]).toEqual([['one 0–299'], [false]])
})

test('catching up ends at the requested position, on abort, or with an error', async () => {
  await insertReaderCheckpoints('one')
  const store = batchedStore()
  let errors = 0
  const { catchUp, retrying } = readerSubscriptions(db.sql, store, { log: { info() {}, error: () => errors++ } })
  const received: string[] = []
  expect(await catchUp(recordingReader('one', received), testAbort.signal, position => position === -1n)).toBe(true)
  expect(await catchUp(recordingReader('none', received), testAbort.signal, position => position !== -1n)).toBe(false)
  expect(store.followed.from).toEqual([])
  await store.append('game-1', -1n, newTestEvents(2))
  const over = new AbortController()
  expect(
    await catchUp(
      recordingReader('one', received, () => over.abort()),
      over.signal,
      () => false,
    ),
  ).toBe(false)
  await setCheckpointPosition('one', -1)
  const isDone = (position: bigint) => {
    if (position === 1n) throw new Error('not enough')
    return false
  }
  await expect(catchUp(recordingReader('one', received), testAbort.signal, isDone)).rejects.toThrow('not enough')
  expect([received, store.followed.now]).toEqual([['one 0–1', 'one 0–1'], 0])

  let tries = 0
  const work = async () => {
    if (++tries < 3) throw new Error('not yet')
    return 'done'
  }
  expect([await retrying(testAbort.signal, work), tries]).toEqual(['done', 3])
  const stop = new AbortController()
  const stopped = async () => {
    stop.abort()
    throw new Error('stopped')
  }
  expect([errors, await retrying(stop.signal, stopped), errors]).toEqual([2, undefined, 2])
})

test('a reader stops when its checkpoint is deleted', async () => {
  await insertReaderCheckpoints('one')
  const store = batchedStore(1)
  await store.append('game-1', -1n, newTestEvents(2))
  const { catchUp } = readerSubscriptions(db.sql, store, { log: silentLog })
  const received: string[] = []
  const isDone = async () => {
    await db.sql`delete from checkpoints`
    return false
  }
  expect(await catchUp(recordingReader('one', received), testAbort.signal, isDone)).toBe(false)
})
