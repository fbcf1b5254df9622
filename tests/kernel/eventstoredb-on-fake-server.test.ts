import { randomUUID } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { status } from '@grpc/grpc-js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { decider, handleCommand } from '../../modules/kernel/decider.ts'
import { AppendTooLarge, LogTruncatedError, type RecordedEvent, RevisionConflict, StreamDeleted } from '../../modules/kernel/store.ts'
import { eventstoredbStore } from '../../modules/kernel/stores/eventstoredb.ts'
import { isTransient } from '../../modules/kernel/transient-errors.ts'
import { startFakeEventstoredb } from '../support/fake-eventstoredb.ts'
import { newTestEvent, readUntilCount, uniqueStreamNoun } from './test-events.ts'

describe('the log in EventStoreDB', () => {
  let server: Awaited<ReturnType<typeof startFakeEventstoredb>>
  let store: ReturnType<typeof eventstoredbStore>
  const open = async (which: Parameters<typeof startFakeEventstoredb>[0] = {}) => {
    server = await startFakeEventstoredb(which)
    store = eventstoredbStore(server.url)
  }
  afterEach(async () => {
    vi.restoreAllMocks()
    await store.close()
    server.stop()
  })

  test('sends waiting appends to a busy server in one call, and rarely reads them back', async () => {
    await open()
    server.delayAnswers(400)
    const append = (round: number) => (_: unknown, i: number) => store.append(`busy-${round}x${i}`, -1n, [newTestEvent(i)])
    const appendMany = (round: number) => Promise.all(Array.from({ length: 20 }, append(round)))
    // The responses to the first appends come later than the store expects, so it reads their streams instead. When those responses arrive,
    // while the second appends are waiting, the store learns how long appends take.
    await appendMany(1)
    await appendMany(2)
    const { reads } = server.calls
    await appendMany(3)
    expect(server.calls).toMatchObject({ appends: 0, batchCalls: 1, batchedAppends: 60 })
    // On a busy machine, a few responses come even later. With a fixed wait, each of the 20 appends would read its stream.
    expect(server.calls.reads - reads).toBeLessThan(5)
  })

  test('reports position −1 for events read from an older server, except to subscribers', async () => {
    await open({ hasPositions: false })
    const at = await store.append('old-1', -1n, [newTestEvent(1)])
    expect((await store.read('old-1')).map(e => [e.position, e.revision, e.data])).toEqual([[-1n, 0n, 1]])
    expect((await readUntilCount(store, -1n, 'old-', 1)).map(e => e.position)).toEqual([at])
  })

  test('fails with a transient error while the server, or the whole cluster, is down', async () => {
    await open()
    server.stop()
    const cluster = eventstoredbStore(`${server.clusterUrl}&maxDiscoverAttempts=1&discoveryInterval=1`)
    for (const unavailable of [store, cluster])
      for (const call of [() => unavailable.read('gone-1'), () => unavailable.append('gone-1', -1n, [newTestEvent()])])
        expect(await call().catch(isTransient)).toBe(true)
    await cluster.close()
  })

  test('connects through any of the seed nodes, with options and credentials in the URL', async () => {
    await open()
    const [, port] = /:(\d+)\?/.exec(server.url)!
    const options = 'tls=false&maxDiscoverAttempts=1&keepAliveInterval=10000'
    for (const [scheme, hosts] of [
      ['esdb+discover', `127.0.0.1:1,127.0.0.1:2,127.0.0.1:${port}`],
      ['esdb+discover', `ana:p%40ss@127.0.0.1:${port},127.0.0.1:1`],
      ['esdb', `127.0.0.1:1,127.0.0.1:${port}`],
      ['kurrentdb+discover', `127.0.0.1:${port}`],
      ['kurrentdb', `127.0.0.1:${port}`],
    ]) {
      const cluster = eventstoredbStore(`${scheme}://${hosts}?${options}`)
      expect([scheme, hosts, await cluster.read('any-1')]).toEqual([scheme, hosts, []])
      await cluster.close()
    }
  })

  test.each([true, false])('accepts appends again after a period without a leader (batched appends: %s)', async batch => {
    await open({ batch })
    const lines: string[] = []
    const line = (_: object, what: string) => void lines.push(what)
    const cluster = eventstoredbStore(`${server.clusterUrl}&maxDiscoverAttempts=1&discoveryInterval=1`, { info: line, error: line })
    await cluster.append('led-0', -1n, [newTestEvent()])
    await server.down()
    const calls = Array.from({ length: 12 }, (_, n) => (n % 2 ? cluster.read('led-0') : cluster.append(`led-${n}`, -1n, [newTestEvent()])))
    expect(await Promise.all(calls.map(call => call.catch(isTransient)))).toEqual(calls.map(() => true))
    await expect(cluster.append('led-1', -1n, [newTestEvent()])).rejects.toThrow('Failed to discover')
    await server.up()
    await expect
      .poll(() =>
        cluster.append('led-1', -1n, [newTestEvent()]).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect.poll(() => lines).toEqual(['EventStoreDB is unavailable', 'EventStoreDB is available again'])
    await cluster.close()
  })

  test('yields waiting events in one batch, and closes the subscription at the end', async () => {
    await open()
    const prefix = uniqueStreamNoun()
    const start = await store.append(`${prefix}-start`, -1n, [newTestEvent()])
    await expect.poll(() => server.subscriptions()).toBe(0)
    const ending = new AbortController()
    const reader = store.follow(start, ending.signal)[Symbol.asyncIterator]()
    const first = reader.next()
    await expect.poll(() => server.subscriptions()).toBe(1)
    await store.append(`${prefix}-1`, -1n, [newTestEvent(1)])
    expect((await first).value.map((e: RecordedEvent) => e.data)).toEqual([1])
    for (const n of [2, 3, 4]) await store.append(`${prefix}-${n}`, -1n, [newTestEvent(n)])
    await store.read(`${prefix}-4`)
    const { value } = await reader.next()
    expect([value.length > 1, value[0].data]).toEqual([true, 2])
    const later = value.length < 3 ? reader.next() : undefined
    if (later) expect((await later).value.at(-1).data).toBe(4)
    // The store removes the listeners of a subscription that was dropped.
    const after = reader.next()
    server.endSubscriptions()
    await store.append(`${prefix}-5`, -1n, [newTestEvent(5)])
    expect((await after).value.map((e: RecordedEvent) => e.data)).toEqual([5])
    expect(getEventListeners(ending.signal, 'abort')).toHaveLength(1)
    ending.abort()
    expect((await reader.next()).done).toBe(true)
    await expect.poll(() => server.subscriptions()).toBe(0)
    await readUntilCount(store, start, prefix, 1)
    await expect.poll(() => server.subscriptions()).toBe(0)
  })

  test('ends a subscription with an error if access is denied', async () => {
    await open()
    const start = await store.append(`${uniqueStreamNoun()}-1`, -1n, [newTestEvent()])
    const refused = readUntilCount(store, start, 'nobody', 1)
    refused.catch(() => {})
    await expect.poll(() => server.subscriptions()).toBe(1)
    server.endSubscriptions(status.UNAUTHENTICATED)
    await expect(refused).rejects.toMatchObject({ type: 'access-denied' })
  })

  test('skips system events and events of other programs, even in our streams', async () => {
    await open()
    const [mine, other] = ['mine-1', 'shared-1']
    server.writeForeignEvent('$settings', '$metadata')
    server.writeForeignEvent(other, 'Foreign')
    server.writeForeignEvent(other, 'ForeignJson', 'application/json')
    const start = await store.append(mine, -1n, [newTestEvent(1)])
    server.writeForeignEvent(other, 'Foreign')
    await store.append(mine, 0n, [newTestEvent(2)])
    const all = await readUntilCount(store, -1n, '', 2)
    expect(all.filter(e => e.stream === mine).map(e => e.data)).toEqual([1, 2])
    expect(all.filter(e => e.stream === other)).toEqual([])
    expect((await readUntilCount(store, start, '', 1)).map(e => e.data)).toEqual([2])
    expect(await store.read(other)).toEqual([])
  })

  /** Runs timers of these lengths immediately. */
  const runTimersImmediately = (...lengths: number[]) => {
    const { setTimeout: set } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) =>
      set(work, lengths.includes(ms) ? 0 : ms)) as typeof set)
  }

  test('finds the events of an unanswered append in the stream', async () => {
    await open()
    await store.append('mute-1', -1n, [newTestEvent(1)])
    server.stopAnswering()
    runTimersImmediately(250)
    const at = await store.append('mute-1', 0n, [newTestEvent(2), newTestEvent(3)])
    const stored = await store.read('mute-1')
    expect([stored.length, stored.at(-1)!.position]).toEqual([3, at])
  })

  test('gives a repeated append the same position once the server has indexed the first', async () => {
    await open()
    const newEvents = [newTestEvent(1), newTestEvent(2)]
    server.holdIndex()
    const [one, two] = [store.append('twice-1', -1n, newEvents), store.append('twice-1', -1n, newEvents)]
    await expect.poll(() => server.dropped()).toBe(1)
    server.index()
    expect(await two).toBe(await one)
    expect(await store.read('twice-1')).toHaveLength(2)
  })

  test('reports an append that is never indexed as a transient error of unknown outcome', async () => {
    await open()
    server.holdIndex()
    runTimersImmediately(250, 500, 1000)
    const error = await store.append('never-1', -1n, [newTestEvent(1)]).catch(error => error)
    expect([error.message, isTransient(error)]).toEqual([expect.stringContaining('is not known'), true])
  })

  test.each([true, false])('works again after the server has refused calls (batched appends: %s)', async batch => {
    await open({ batch })
    await store.append('busy-1', -1n, [newTestEvent(1)])
    for (const why of ['starting', 'busy', 'leaderless', 'reset'] as const) {
      server.refuse(why)
      for (const call of [() => store.read('busy-1'), () => store.append('busy-1', 0n, [newTestEvent(2)])])
        expect([why, await call().catch(isTransient)]).toEqual([why, true])
      server.refuse()
      expect(await store.read('busy-1')).toHaveLength(1)
    }
  })

  test.each([true, false])('reports a deleted stream and an append that is too large (batched appends: %s)', async batch => {
    await open({ batch })
    await store.append('gone-1', -1n, [newTestEvent(1)])
    server.tombstone('gone-1')
    await expect(store.read('gone-1')).rejects.toThrow(StreamDeleted)
    await expect(store.append('gone-1', 0n, [newTestEvent(2)])).rejects.toThrow('gone-1 was deleted for good.')
    const large = store.append('large-1', -1n, [newTestEvent('x'.repeat(600_000)), newTestEvent('x'.repeat(600_000))])
    await expect(large).rejects.toThrow(AppendTooLarge)
    await expect(large).rejects.toThrow('large-1: an append may hold at most 1048576 bytes.')
    expect(await store.read('large-1')).toEqual([])
  })

  /** Subscribes from a position and returns the error with which the subscription fails. */
  const failure = (from: bigint) => readUntilCount(store, from, 'nobody', 1).catch(error => error)

  test('reports a truncated log if a follower is beyond the end of a restored backup', async () => {
    await open()
    const kept = await store.append('kept-1', -1n, [newTestEvent()])
    for (let n = 0; n < 3; n++) server.writeForeignEvent('$stats', 'stats')
    const lost = await store.append('lost-1', -1n, [newTestEvent('x'.repeat(200))])
    const following = failure(lost)
    await expect.poll(() => server.subscriptions()).toBe(1)
    await server.restore(1)
    expect(await following).toEqual(new LogTruncatedError(lost, kept))
    expect(await failure(lost)).toMatchObject({ position: lost, end: kept })
    // A reader that had read no further than the log's new end continues, and receives new events.
    const at = await store.append('new-1', -1n, [newTestEvent()])
    expect((await readUntilCount(store, kept, 'new-', 1)).map(e => e.position)).toEqual([at])
  })

  test('reports a truncated log if a position belongs to a log that has been replaced', async () => {
    await open()
    const at = await store.append('old-1', -1n, [newTestEvent()])
    await server.restore(1)
    await expect.poll(() => store.read('old-1').catch(() => 'away')).toEqual([])
    const end = await store.append('other-1', -1n, [newTestEvent('x'.repeat(5000))])
    const error = await failure(at)
    expect(error).toBeInstanceOf(LogTruncatedError)
    expect([error.position, error.end]).toEqual([at, end])
  })

  test('appends after events of other programs, and after its own events were deleted', async () => {
    await open()
    const pitch = decider<number, { type: 'Thrown'; data: object }>()({
      stream: 'pitch',
      initial: 0,
      evolve: { Thrown: n => n + 1 },
      decide: { throw: () => ({ type: 'Thrown', data: {} }) },
    })
    const throwPitch = () => handleCommand(store, pitch, '1', 'throw', {}, { command: randomUUID(), actor: 'system' })
    const revisions = async () => (await store.read('pitch-1')).map(e => e.revision)
    server.writeForeignEvent('pitch-1', 'Foreign')
    for (const _ of [1, 2]) await throwPitch()
    server.writeForeignEvent('pitch-1', 'Foreign')
    await throwPitch()
    expect(await revisions()).toEqual([1n, 2n, 4n])
    server.truncate('pitch-1', 4n)
    await throwPitch()
    expect(await revisions()).toEqual([4n, 5n])
    server.truncate('pitch-1')
    await throwPitch()
    expect(await revisions()).toEqual([6n])
    await throwPitch()
    // A writer that expects a revision before that of our last event still gets a conflict.
    await expect(store.append('pitch-1', 6n, [newTestEvent()])).rejects.toThrow(new RevisionConflict('pitch-1', 6n, 7n))
  })
})
