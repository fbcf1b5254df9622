import { EventStoreDBClient, type JSONType, jsonEvent } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewEvent } from '../../modules/kernel/store.ts'
import { eventstoredbStore } from '../../modules/kernel/stores/eventstoredb.ts'
import { isTransient } from '../../modules/kernel/transient-errors.ts'
import { startFakeEventstoredb } from '../support/fake-eventstoredb.ts'
import { testStoreContract } from './store-contract.ts'
import { newTestEvent, readUntilCount, uniqueStreamNoun } from './test-events.ts'

/** Writes events with the client directly, bypassing our store. */
const plantAt = (url: string) => (stream: string, events: NewEvent[]) =>
  EventStoreDBClient.connectionString(url).appendToStream(
    stream,
    events.map(({ id, type, data, meta }) => jsonEvent({ id, type, data: data as JSONType, metadata: { ...meta } })),
  )

const realServerUrl = process.env.EVENTSTOREDB_URL

if (realServerUrl)
  testStoreContract('the log in a real EventStoreDB', async () => {
    return { open: () => eventstoredbStore(realServerUrl), plant: plantAt(realServerUrl) }
  })

const fakeServer = (batch: boolean) => async () => {
  const server = await startFakeEventstoredb({ batch })
  return {
    open: () => eventstoredbStore(server.url),
    plant: plantAt(server.url),
    drop: async () => server.endSubscriptions(),
    end: async () => server.stop(),
  }
}

testStoreContract('the log in a fake EventStoreDB', fakeServer(true))
testStoreContract('the log in a fake EventStoreDB without batched appends', fakeServer(false))

describe('the log in EventStoreDB', () => {
  let server: Awaited<ReturnType<typeof startFakeEventstoredb>>
  let store: ReturnType<typeof eventstoredbStore>
  beforeAll(async () => {
    server = await startFakeEventstoredb()
    store = eventstoredbStore(server.clusterUrl)
  })
  afterAll(async () => {
    await store.close()
    server.stop()
  })

  test('stores repeated appends of the same events once, and returns the same position', async () => {
    const [s, newEvents] = [`${uniqueStreamNoun()}-1`, [newTestEvent(1), newTestEvent(2), newTestEvent(3)]]
    const at = await store.append(s, -1n, newEvents)
    expect(await store.append(s, -1n, newEvents)).toBe(at)
    expect(await store.read(s)).toHaveLength(3)
  })

  test('continues subscriptions without a gap after an outage in which appends fail', async () => {
    const name = uniqueStreamNoun()
    const start = await store.append(`${name}-0`, -1n, [newTestEvent(0)])
    const first = Promise.withResolvers<void>()
    const live = readUntilCount(store, start, name, 3, () => first.resolve())
    await store.append(`${name}-1`, -1n, [newTestEvent(1)])
    await first.promise
    await server.down()
    expect(await store.append(`${name}-2`, -1n, [newTestEvent('lost')]).catch(isTransient)).toBe(true)
    await server.up()
    const appendUntilWritten = async (data: number): Promise<bigint> =>
      store.append(`${name}-2`, BigInt(data) - 3n, [newTestEvent(data)]).catch(() => appendUntilWritten(data))
    await appendUntilWritten(2)
    await appendUntilWritten(3)
    expect((await live).map(e => e.data)).toEqual([1, 2, 3])
  })
})
