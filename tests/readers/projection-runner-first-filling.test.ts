import { describe, expect, test } from 'vitest'
import type { EventStore } from '../../modules/kernel/store.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import {
  connectAsOtherProcess,
  newRunScoredEvent,
  setUpProjectionRunnerTestbed,
  silentLog,
  sql,
  store,
  testAbort,
  totalRunsProjection,
} from './projection-runner-testbed.ts'

setUpProjectionRunnerTestbed()

const EVENTS = 20

/** Fills the log, and moves the checkpoint of a process to its end, as in a restored backup, which has no read models. */
async function restoreLogWithoutReadModels() {
  for (let n = 0; n < EVENTS; n++) await store.append(`game-${n}`, -1n, [newRunScoredEvent('a', 2)])
  await sql`insert into checkpoints (name, position) values ('process cheering', ${EVENTS - 1})`
}

/** A store that delivers events one at a time, and from the event at position `pausedAt` on only after `resume()`. */
function pausingStore(pausedAt: bigint) {
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>()
  const slowStore: EventStore = {
    ...store,
    async *follow(from, signal, types) {
      for await (const batch of store.follow(from, signal, types))
        for (const event of batch) {
          if (event.position >= pausedAt) await resumed
          yield [event]
        }
    },
  }
  return { store: slowStore, resume }
}

/** Starts a server whose log delivers events from `pausedAt` on only after `resume()`. */
function startPaused(pausedAt: bigint, signal = testAbort.signal) {
  const { store, resume } = pausingStore(pausedAt)
  const { promise: waiting, resolve: saysWaiting } = Promise.withResolvers<string>()
  const log = { ...silentLog, info: (_: object, message: string) => saysWaiting(message) }
  const started = projectionRunner(connectAsOtherProcess(), store, [totalRunsProjection('totals')], { log })
    .start(signal)
    .then(() => 'started')
  return { started, resume, first: () => Promise.race([started, waiting]) }
}

const rowCount = async () => (await sql`select count(*)::int as rows from totals_v1`)[0]!.rows as number

describe('the first filling of a read model', () => {
  test('ends before the start resolves, even if no version of it has a checkpoint', async () => {
    await restoreLogWithoutReadModels()
    const { started, first, resume } = startPaused(10n)
    expect(await first()).toBe('waiting until a read model is filled')
    resume()
    await started
    expect(await rowCount()).toBe(EVENTS)
  })

  test('that was interrupted ends before the next start resolves', async () => {
    await restoreLogWithoutReadModels()
    const stop = new AbortController()
    const interrupted = startPaused(10n, stop.signal)
    await expect.poll(() => rowCount().catch(() => 0)).toBe(10)
    stop.abort()
    interrupted.resume()
    await interrupted.started
    const { started, first, resume } = startPaused(15n)
    expect(await first()).toBe('waiting until a read model is filled')
    resume()
    await started
    expect(await rowCount()).toBe(EVENTS)
  })

  test('ends where the log ends, even if other readers have read further', async () => {
    await restoreLogWithoutReadModels()
    const stop = new AbortController()
    await projectionRunner(sql, store, [totalRunsProjection('old')], { log: silentLog }).start(stop.signal)
    stop.abort()
    await sql`update checkpoints set position = ${EVENTS + 5}`
    const views = projectionRunner(sql, store, [totalRunsProjection('old'), totalRunsProjection('totals')], { log: silentLog })
    const started = performance.now()
    await views.start(testAbort.signal)
    expect(await rowCount()).toBe(EVENTS)
    // A read model that stalls is waited for a minute.
    expect(performance.now() - started).toBeLessThan(30_000)
  })
})
