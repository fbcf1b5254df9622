import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { currentTraceId, newTraceId, runInTrace } from '../../../modules/kernel/trace.ts'
import { LimitExceededError } from '../../../modules/media/check-running-preparation-against-limits.ts'
import type { MediaJob } from '../../../modules/media/media-job-queue.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { findPidsByArgument } from './find-processes.ts'
import { type MediaWorkerTestbed, startMediaWorkerTestbed } from './media-worker-testbed.ts'
import { writeFakePreparationScript } from './write-fake-preparation-script.ts'

/** Tests when a worker claims work, and how it keeps its lease. */

let testbed: MediaWorkerTestbed
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outcomes-'))
  testbed = await startMediaWorkerTestbed()
})
afterEach(() => testbed.clear())
afterAll(async () => {
  await testbed.end()
  await rm(dir, { recursive: true })
})

const rowOf = async (video: string, kind?: MediaJob['kind']) => (await testbed.work.of([video], kind)).get(video)!

test('a worker prepares no more videos at the same time than its limit allows', async () => {
  const videos = []
  for (let n = 0; n < 5; n++) videos.push((await testbed.add(new Uint8Array(10))).video)
  const waiting: (() => void)[] = []
  let most = 0
  const prepared: string[] = []
  const signFetch = async (key: string) => {
    prepared.push(key.split('/')[2]!)
    await new Promise<void>(done => {
      waiting.push(done)
      most = Math.max(most, waiting.length)
    })
    throw new LimitExceededError('memory')
  }
  const observed = interceptQueries()
  const { end } = await testbed.worker({ atOnce: 2, store: { signFetch }, through: observed.through })
  await expect.poll(() => waiting.length).toBe(2)
  // All slots are taken. A worker that queried the queue anyway would do so continuously.
  await sleep(200)
  expect(observed.claims).toBeLessThan(6)
  expect((await Promise.all(videos.map(v => rowOf(v)))).map(work => work.state).sort()).toEqual([
    'preparing',
    'preparing',
    'waiting',
    'waiting',
    'waiting',
  ])
  for (let n = 0; n < 5; n++) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    waiting.shift()!()
  }
  await Promise.all(videos.map(v => testbed.settled(v)))
  await end()
  expect([most, prepared.toSorted()]).toEqual([2, videos.toSorted()])
})

/** Intercepts a worker's queries and answers some of them itself; `claims` counts how often the worker tried to claim work. */
function interceptQueries(instead: (text: string, ask: () => Promise<unknown>) => Promise<unknown> | undefined = () => undefined) {
  const observed = {
    claims: 0,
    through: (own: Sql) =>
      new Proxy(own, {
        apply(sql, self, args) {
          const text = String(args[0]?.[0])
          const query = Reflect.apply(sql, self, args)
          if (/^\s*with free as/.test(text)) observed.claims++
          return instead(text, () => Promise.resolve(query)) ?? query
        },
      }),
  }
  return observed
}
const tooMuch = { signFetch: () => Promise.reject(new LimitExceededError('memory')) }

test('work that is due later is claimed when due, without notification or polling', async () => {
  const { video } = await testbed.add(new Uint8Array(10))
  await testbed.sql`update media_work set due = now() + interval '700 ms' where video = ${video}`
  const observed = interceptQueries()
  const { end } = await testbed.worker({ store: tooMuch, through: observed.through })
  expect(await testbed.settled(video)).toMatchObject({ state: 'refused' })
  expect(observed.claims).toBeLessThan(8)
  await end()
})

test('work runs under the trace id of the request that caused it', async () => {
  const trace = newTraceId()
  const { video } = await runInTrace(trace, () => testbed.add(new Uint8Array(10)))
  const traces = new Set<string | undefined>()
  const signFetch = async () => {
    traces.add(currentTraceId())
    return tooMuch.signFetch()
  }
  const { end } = await testbed.worker({ store: { signFetch } })
  expect(await testbed.settled(video)).toMatchObject({ state: 'refused', trace })
  expect([...traces]).toEqual([trace])
  await end()
})

test('work that arrives while a worker queries the next due time is not missed', async () => {
  const [answered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { through } = interceptQueries((text, ask) =>
    /extract\(epoch from min/.test(text)
      ? ask().then(rows => {
          answered.resolve()
          return released.promise.then(() => rows)
        })
      : undefined,
  )
  const { end } = await testbed.worker({ store: tooMuch, through })
  await answered.promise
  const notified = Promise.withResolvers<void>()
  const listening = await testbed.sql.listen('media', () => notified.resolve())
  const { video } = await testbed.add(new Uint8Array(10))
  await notified.promise
  released.resolve()
  expect(await testbed.settled(video)).toMatchObject({ state: 'refused' })
  await listening.unlisten()
  await end()
})

test('a worker queries the queue again after an error', async () => {
  const { video } = await testbed.add(new Uint8Array(10))
  let isDown = true
  const { through } = interceptQueries(text => (isDown && text.includes('media_work') ? Promise.reject(new Error('down')) : undefined))
  const errorLog = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { end } = await testbed.worker({ store: tooMuch, through, loud: true })
  // One error is about outdated renditions, and one about the queue.
  await expect.poll(() => errorLog.mock.calls.length).toBe(2)
  isDown = false
  expect(await testbed.settled(video)).toMatchObject({ state: 'refused', tries: 1 })
  errorLog.mockRestore()
  await end()
})

test('a worker renews its lease with the progress, and stops if another one takes it', async () => {
  const { video } = await testbed.add(sampleVideos.mp4)
  const entry = await writeFakePreparationScript(dir, "send(probed); send({ is: 'progress', part: 0.5 }); await sleep(60_000)", 'slow')
  const { end } = await testbed.worker({ lease: 3_000, entry })
  await expect.poll(async () => (await rowOf(video)).progress).toBe(0.5)
  const [{ due: before }] = (await testbed.sql`select due from media_work where video = ${video}`) as unknown as [{ due: string }]
  // Wait for longer than a lease.
  await expect
    .poll(
      async () =>
        (await testbed.sql`select due > ${before}::timestamptz + interval '4500 ms' as is from media_work where video = ${video}`)[0]!.is,
    )
    .toBe(true)
  expect(await rowOf(video)).toMatchObject({ state: 'preparing', taken: 1, losses: 0, media: { frames: 60 } })
  expect(await findPidsByArgument(entry)).not.toEqual([])
  await testbed.sql`update media_work set taken = taken + 1, due = now() + interval '1 hour' where video = ${video}`
  await expect.poll(() => findPidsByArgument(entry)).toEqual([])
  await end()
  expect(await rowOf(video)).toMatchObject({ state: 'preparing', taken: 2, losses: 0, error: null })
})
