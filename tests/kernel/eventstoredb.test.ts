import { EventStoreDBClient, type JSONType, jsonEvent } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewEvent } from '../../modules/kernel/store.ts'
import { eventstoredbStore } from '../../modules/kernel/stores/eventstoredb.ts'
import { eventstoredbServer } from '../support/eventstoredb-server.ts'
import { contract, event, gather } from './contract.ts'

/** By the client, past our store. */
const planting = (url: string) => (stream: string, events: NewEvent[]) =>
  EventStoreDBClient.connectionString(url).appendToStream(
    stream,
    events.map(({ id, type, data, meta }) => jsonEvent({ id, type, data: data as JSONType, metadata: { ...meta } })),
  )

const real = process.env.EVENTSTOREDB_URL

if (real)
  contract('the log in a real EventStoreDB', async () => {
    const store = eventstoredbStore(real)
    return { store, plant: planting(real), end: () => store.close() }
  })

const against = (batch: boolean) => async () => {
  const server = await eventstoredbServer({ batch })
  const store = eventstoredbStore(server.url)
  return {
    store,
    plant: planting(server.url),
    drop: async () => server.drop(),
    end: async () => {
      await store.close()
      server.stop()
    },
  }
}

contract('the log in EventStoreDB, by its protocol', against(true))
contract('the log in EventStoreDB, by the protocol of an older server', against(false))

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

  test('system events and events of others are not ours, also in our streams', async () => {
    server.plant('$settings', '$metadata')
    server.plant('shared-1', 'Foreign')
    server.plant('shared-1', 'ForeignJson', 'application/json')
    await store.append('mine-1', -1n, [event(1)])
    server.plant('other-1', 'Foreign')
    await store.append('mine-1', 0n, [event(2)])
    expect((await gather(store, -1n, '', 2)).map(e => e.data)).toEqual([1, 2])
    expect(await store.read('shared-1')).toEqual([])
  })

  test('the same events written again at the same revision are taken as written', async () => {
    const [a, b] = [event(1), event(2)]
    const at = await store.append('again-1', -1n, [a, b])
    expect(await store.append('again-1', -1n, [a, b])).toBe(at)
    expect(await store.read('again-1')).toHaveLength(2)
  })

  test('following comes back after the server was gone, and nothing is missed', async () => {
    const start = await store.append('gone-0', -1n, [event(0)])
    let told = () => {}
    const first = new Promise<void>(resolve => {
      told = resolve
    })
    const live = gather(store, start, 'gone-', 3, told)
    await store.append('gone-1', -1n, [event(1)])
    await first
    await server.down()
    await expect(store.append('gone-2', -1n, [event('lost')])).rejects.toThrow()
    await server.up()
    const again = async (data: number): Promise<bigint> => store.append('gone-2', BigInt(data) - 3n, [event(data)]).catch(() => again(data))
    await again(2)
    await again(3)
    expect((await live).map(e => e.data)).toEqual([1, 2, 3])
  })
})
