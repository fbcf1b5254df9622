import { EventStoreDBClient, type JSONType, jsonEvent } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewEvent } from '../../modules/kernel/store.ts'
import { eventstoredbStore } from '../../modules/kernel/stores/eventstoredb.ts'
import { isTransient } from '../../modules/kernel/transient-errors.ts'
import { eventstoredbServer } from '../support/eventstoredb-server.ts'
import { testStoreContract } from './store-contract.ts'
import { newTestEvent, readUntilCount, uniqueNoun } from './test-events.ts'

/** Writes events with the client directly, bypassing our store. */
const planting = (url: string) => (stream: string, events: NewEvent[]) =>
  EventStoreDBClient.connectionString(url).appendToStream(
    stream,
    events.map(({ id, type, data, meta }) => jsonEvent({ id, type, data: data as JSONType, metadata: { ...meta } })),
  )

const real = process.env.EVENTSTOREDB_URL

if (real)
  testStoreContract('the log in a real EventStoreDB', async () => {
    return { open: () => eventstoredbStore(real), plant: planting(real) }
  })

const against = (batch: boolean) => async () => {
  const server = await eventstoredbServer({ batch })
  return {
    open: () => eventstoredbStore(server.url),
    plant: planting(server.url),
    drop: async () => server.drop(),
    end: async () => server.stop(),
  }
}

testStoreContract('the log in EventStoreDB, by its protocol', against(true))
testStoreContract('the log in EventStoreDB, by the protocol of an older server', against(false))

describe('in EventStoreDB', () => {
  let server: Awaited<ReturnType<typeof eventstoredbServer>>
  let store: ReturnType<typeof eventstoredbStore>
  beforeAll(async () => {
    server = await eventstoredbServer()
    store = eventstoredbStore(server.clusterUrl)
  })
  afterAll(async () => {
    await store.close()
    server.stop()
  })

  test('events appended again at the same revision count as appended', async () => {
    const [s, news] = [`${uniqueNoun()}-1`, [newTestEvent(1), newTestEvent(2), newTestEvent(3)]]
    const at = await store.append(s, -1n, news)
    expect(await store.append(s, -1n, news)).toBe(at)
    expect(await store.read(s)).toHaveLength(3)
  })

  test('a subscription survives an outage gapless, and writers get a transient error', async () => {
    const name = uniqueNoun()
    const start = await store.append(`${name}-0`, -1n, [newTestEvent(0)])
    let told = () => {}
    const first = new Promise<void>(resolve => {
      told = resolve
    })
    const live = readUntilCount(store, start, name, 3, told)
    await store.append(`${name}-1`, -1n, [newTestEvent(1)])
    await first
    await server.down()
    expect(await store.append(`${name}-2`, -1n, [newTestEvent('lost')]).catch(isTransient)).toBe(true)
    await server.up()
    const again = async (data: number): Promise<bigint> =>
      store.append(`${name}-2`, BigInt(data) - 3n, [newTestEvent(data)]).catch(() => again(data))
    await again(2)
    await again(3)
    expect((await live).map(e => e.data)).toEqual([1, 2, 3])
  })
})
