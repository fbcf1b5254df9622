import { getEventListeners } from 'node:events'
import { EventStoreDBClient, type JSONType, jsonEvent } from '@eventstore/db-client'
import { status } from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { passing } from '../../modules/kernel/passing.ts'
import type { NewEvent, Recorded } from '../../modules/kernel/store.ts'
import { eventstoredbStore } from '../../modules/kernel/stores/eventstoredb.ts'
import { eventstoredbServer } from '../support/eventstoredb-server.ts'
import { contract, event, gather, noun } from './contract.ts'

/** By the client, past our store. */
const planting = (url: string) => (stream: string, events: NewEvent[]) =>
  EventStoreDBClient.connectionString(url).appendToStream(
    stream,
    events.map(({ id, type, data, meta }) => jsonEvent({ id, type, data: data as JSONType, metadata: { ...meta } })),
  )

const real = process.env.EVENTSTOREDB_URL

if (real)
  contract('the log in a real EventStoreDB', async () => {
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

contract('the log in EventStoreDB, by its protocol', against(true))
contract('the log in EventStoreDB, by the protocol of an older server', against(false))

describe('in an EventStoreDB that is', () => {
  let server: Awaited<ReturnType<typeof eventstoredbServer>>
  let store: ReturnType<typeof eventstoredbStore>
  const open = async (which: Parameters<typeof eventstoredbServer>[0] = {}) => {
    server = await eventstoredbServer(which)
    store = eventstoredbStore(server.url)
  }
  afterEach(async () => {
    vi.restoreAllMocks()
    await store.close()
    server.stop()
  })

  test('older, the place of an event is known to who follows', async () => {
    await open({ placed: false })
    const at = await store.append('old-1', -1n, [event(1)])
    expect((await store.read('old-1')).map(e => [e.position, e.revision, e.data])).toEqual([[-1n, 0n, 1]])
    expect((await gather(store, -1n, 'old-', 1)).map(e => e.position)).toEqual([at])
  })

  test('gone, or a cluster of which nobody answers, passes', async () => {
    await open()
    server.stop()
    const cluster = eventstoredbStore(`${server.clusterUrl}&maxDiscoverAttempts=1&discoveryInterval=1`)
    for (const gone of [store, cluster])
      for (const asked of [() => gone.read('gone-1'), () => gone.append('gone-1', -1n, [event()])])
        expect(await asked().catch(passing)).toBe(true)
    await cluster.close()
  })

  test('followed tells what has arrived together, and is left without a subscription, however it ends', async () => {
    await open()
    const prefix = noun()
    const start = await store.append(`${prefix}-start`, -1n, [event()])
    await expect.poll(() => server.subscriptions()).toBe(0)
    const over = new AbortController()
    const reader = store.follow(start, over.signal)[Symbol.asyncIterator]()
    const first = reader.next()
    await expect.poll(() => server.subscriptions()).toBe(1)
    await store.append(`${prefix}-1`, -1n, [event(1)])
    expect((await first).value.map((e: Recorded) => e.data)).toEqual([1])
    for (const n of [2, 3, 4]) await store.append(`${prefix}-${n}`, -1n, [event(n)])
    await store.read(`${prefix}-4`)
    const { value } = await reader.next()
    expect([value.length > 1, value[0].data]).toEqual([true, 2])
    const later = value.length < 3 ? reader.next() : undefined
    if (later) expect((await later).value.at(-1).data).toBe(4)
    // A subscription that was dropped is forgotten.
    const after = reader.next()
    server.drop()
    await store.append(`${prefix}-5`, -1n, [event(5)])
    expect((await after).value.map((e: Recorded) => e.data)).toEqual([5])
    expect(getEventListeners(over.signal, 'abort')).toHaveLength(1)
    over.abort()
    expect((await reader.next()).done).toBe(true)
    await expect.poll(() => server.subscriptions()).toBe(0)
    await gather(store, start, prefix, 1)
    await expect.poll(() => server.subscriptions()).toBe(0)
  })

  test('closed to us says so to who follows', async () => {
    await open()
    const start = await store.append(`${noun()}-1`, -1n, [event()])
    const refused = gather(store, start, 'nobody', 1)
    refused.catch(() => {})
    await expect.poll(() => server.subscriptions()).toBe(1)
    server.drop(status.UNAUTHENTICATED)
    await expect(refused).rejects.toMatchObject({ type: 'access-denied' })
  })

  test('shared keeps system events and events of others to itself, also in our streams', async () => {
    await open()
    const [mine, other] = ['mine-1', 'shared-1']
    server.plant('$settings', '$metadata')
    server.plant(other, 'Foreign')
    server.plant(other, 'ForeignJson', 'application/json')
    const start = await store.append(mine, -1n, [event(1)])
    server.plant(other, 'Foreign')
    await store.append(mine, 0n, [event(2)])
    const all = await gather(store, -1n, '', 2)
    expect(all.filter(e => e.stream === mine).map(e => e.data)).toEqual([1, 2])
    expect(all.filter(e => e.stream === other)).toEqual([])
    expect((await gather(store, start, '', 1)).map(e => e.data)).toEqual([2])
    expect(await store.read(other)).toEqual([])
  })

  test('silent, who writes is told after a while that it is not known', async () => {
    await open()
    await store.append('mute-1', -1n, [event(1)])
    server.fallSilent()
    const { setTimeout: set } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) => set(work, ms === 15_000 ? 0 : ms)) as typeof set)
    await expect(store.append('mute-1', 0n, [event(2)])).rejects.toMatchObject({ type: 'timeout' })
    expect(await store.read('mute-1')).toHaveLength(2)
  })
})

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

  test('the same events written again at the same revision are taken as written', async () => {
    const [s, news] = [`${noun()}-1`, [event(1), event(2), event(3)]]
    const at = await store.append(s, -1n, news)
    expect(await store.append(s, -1n, news)).toBe(at)
    expect(await store.read(s)).toHaveLength(3)
  })

  test('following comes back after the server was gone, and nothing is missed; who writes meanwhile hears that it passes', async () => {
    const name = noun()
    const start = await store.append(`${name}-0`, -1n, [event(0)])
    let told = () => {}
    const first = new Promise<void>(resolve => {
      told = resolve
    })
    const live = gather(store, start, name, 3, told)
    await store.append(`${name}-1`, -1n, [event(1)])
    await first
    await server.down()
    expect(await store.append(`${name}-2`, -1n, [event('lost')]).catch(passing)).toBe(true)
    await server.up()
    const again = async (data: number): Promise<bigint> =>
      store.append(`${name}-2`, BigInt(data) - 3n, [event(data)]).catch(() => again(data))
    await again(2)
    await again(3)
    expect((await live).map(e => e.data)).toEqual([1, 2, 3])
  })
})
