import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { frameTableKey, renditionKey } from '../../../modules/media/object-keys.ts'
import { MAX_PREPARATION_OUTPUT_FILE_BYTES } from '../../../modules/media/policy.ts'
import type { PreparationMessage } from '../../../modules/media/preparation-process/protocol.ts'
import { cpuBudgetOfAllTries } from '../../../modules/media/preparation-time-limits.ts'
import { PreparationMachineError, supervisePreparation } from '../../../modules/media/supervise-preparation.ts'
import { type MediaWorkerTestbed, startMediaWorkerTestbed } from './media-worker-testbed.ts'

vi.mock('../../../modules/media/supervise-preparation.ts', async original => ({
  ...(await original<object>()),
  supervisePreparation: vi.fn(),
}))

let testbed: MediaWorkerTestbed
const directories = async () => (await readdir(tmpdir())).filter(name => name.startsWith(`diamondlink-media-${process.pid}-`))
beforeAll(async () => {
  testbed = await startMediaWorkerTestbed()
})
afterEach(() => testbed.clear())
afterAll(() => testbed.end())

const media = {
  container: 'mp4',
  codec: 'avc',
  width: 320,
  height: 240,
  rotation: 0,
  milliseconds: 2000,
  frames: 60,
  rate: [30, 1],
  variable: false,
  hdr: false,
  sound: false,
  captureRate: null,
}

/**
 * A malicious file may take over the process that opens it, so the worker validates what that process reports: everybody who opens the
 * folder sees it.
 */
test.each([
  ['null instead of a number', { milliseconds: null }],
  ['a number above the maximum', { rate: [1, 2 ** 53] }],
  ['a fraction of a frame', { frames: 59.5 }],
])('%s in a probe result is refused as damaged, and not stored', async (_, wrong) => {
  vi.mocked(supervisePreparation).mockImplementation((_, on) => {
    const forged = { is: 'probed', media: { ...media, ...wrong }, table: { version: 1, scale: 30, first: 0, runs: [[60, 1]] } }
    return {
      pid: 1,
      kill: () => {},
      cpuSeconds: () => 0,
      outcome: on(forged as PreparationMessage).then(() => new Promise<never>(() => {})),
    }
  })
  const { folder, video } = await testbed.add(new Uint8Array(10))
  const { end } = await testbed.worker()
  expect(await testbed.settled(video)).toMatchObject({
    state: 'refused',
    code: 'damaged',
    media: null,
    losses: 0,
    error: expect.stringMatching(/\w/),
  })
  expect(await testbed.objects.head(frameTableKey(folder, video))).toBeNull()
  await end()
})

/** Fakes a process that claims to have made these files. @returns the job afterwards, the upload URLs it got, and their signed sizes */
async function claimMade(rendition: unknown, changes: object = {}) {
  const places: unknown[] = []
  const made = { rendition, poster: { bytes: 1 }, filmstrip: { bytes: 9 }, ...changes }
  vi.mocked(supervisePreparation).mockImplementation((_, on) => {
    const reply = on({ is: 'made', made } as PreparationMessage)
    return {
      pid: 1,
      kill: () => {},
      cpuSeconds: () => 0,
      outcome: reply.then(where => void places.push(where)).then(() => ({ is: 'unavailable' })),
    }
  })
  const { video } = await testbed.add(new Uint8Array(10))
  const signed: unknown[] = []
  const signStore = async (key: string, type: string, bytes: number) => `${key.split('/')[0]} ${type} ${signed.push(bytes)}`
  const { end } = await testbed.worker({ store: { signStore } })
  await expect.poll(async () => (await testbed.work.of([video])).get(video)!.error).not.toBeNull()
  await end()
  const work = (await testbed.work.of([video])).get(video)!
  await testbed.clear()
  return { its: work, places, signed }
}

test.each([MAX_PREPARATION_OUTPUT_FILE_BYTES + 1, 0, -1, 1.5, '7'])('a rendition of %j bytes gets no upload URL', async bytes => {
  const { its: work, places, signed } = await claimMade({ bytes })
  expect(work).toMatchObject({ state: 'waiting', tries: 1, losses: 0, error: `A rendition of ${bytes} bytes` })
  expect([places, signed]).toEqual([[], expect.not.arrayContaining([bytes])])
})

test('each result file gets an upload URL for its kind and size', async () => {
  const { its: work, places, signed } = await claimMade({ bytes: MAX_PREPARATION_OUTPUT_FILE_BYTES })
  expect(work).toMatchObject({ tries: 0, error: 'the object store does not answer' })
  expect([places, signed]).toEqual([
    [{ rendition: 'renditions video/mp4 1', poster: 'posters image/webp 2', filmstrip: 'filmstrips image/jpeg 3' }],
    [MAX_PREPARATION_OUTPUT_FILE_BYTES, 1, 9],
  ])
  expect((await claimMade({ bytes: 7 }, { poster: undefined })).its.error).toBe('A poster of 0 bytes')
})

/** Makes the next process send these messages and then run until it is killed. */
function processThatSends(...messages: object[]) {
  const killed = vi.fn<() => void>()
  const began = Promise.withResolvers<void>()
  vi.mocked(supervisePreparation).mockImplementation((_, on) => {
    const ended = Promise.withResolvers<never>()
    const sent = messages.reduce<Promise<unknown>>(
      (before, message) => before.then(() => on(message as PreparationMessage)),
      Promise.resolve(),
    )
    void sent.then(() => began.resolve())
    const kill = () => {
      killed()
      ended.reject(new Error('killed'))
    }
    return { pid: 1, kill, cpuSeconds: () => 0, outcome: ended.promise }
  })
  return { killed, began: began.promise }
}
const rowOf = async (video: string) => (await testbed.work.of([video])).get(video)!

test('a preparation ends with its server, and its work is immediately available', async () => {
  const { killed, began } = processThatSends()
  const { video } = await testbed.add(new Uint8Array(10))
  const { end } = await testbed.worker()
  await began
  expect(await directories()).toHaveLength(1)
  await end()
  expect(killed).toHaveBeenCalledOnce()
  expect(await rowOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses: 0, error: null })
  expect(await directories()).toEqual([])
})

test('a lease is renewed with the latest progress until another worker takes it', async () => {
  const { killed, began } = processThatSends({ is: 'progress', part: 0.25 }, { is: 'probing' })
  const { video } = await testbed.add(new Uint8Array(10))
  const { end } = await testbed.worker({ lease: 600 })
  await began
  const due = async () => (await testbed.sql`select extract(epoch from due)::float8 as due from media_work where video = ${video}`)[0]!.due
  const before = await due()
  // The worker has extended the lease by more than its length.
  await expect.poll(async () => (await due()) - before).toBeGreaterThan(0.9)
  expect(await rowOf(video)).toMatchObject({ state: 'preparing', taken: 1, progress: 0.25 })
  expect(killed).not.toHaveBeenCalled()
  await testbed.sql`update media_work set taken = taken + 1, due = now() + interval '1 hour' where video = ${video}`
  await expect.poll(() => killed.mock.calls.length).toBe(1)
  await end()
  expect(await rowOf(video)).toMatchObject({ state: 'preparing', taken: 2, losses: 0, error: null })
})

test('a file is refused if its tries together, even killed ones, use too much CPU', async () => {
  const killedAfter = (seconds: number) =>
    vi.mocked(supervisePreparation).mockImplementation(() => {
      const outcome = Promise.reject(new PreparationMachineError('It ended by SIGKILL.'))
      // The outcome is awaited later, so prevent an unhandled rejection until then.
      outcome.catch(() => {})
      return { pid: 1, kill: () => {}, cpuSeconds: () => seconds, outcome }
    })
  killedAfter(3)
  const { video } = await testbed.add(new Uint8Array(10))
  const { end } = await testbed.worker()
  // The second attempt follows immediately, the third after a second.
  await expect.poll(async () => (await rowOf(video)).losses).toBe(2)
  expect(await rowOf(video)).toMatchObject({ state: 'waiting', tries: 0, cpuSeconds: 6 })
  // Many killed attempts that used little CPU do not end the work; one that used much does.
  killedAfter(cpuBudgetOfAllTries('rendition', null) - 6)
  const work = await testbed.settled(video)
  expect(work).toMatchObject({ state: 'refused', code: 'too-much', losses: 3, cpuSeconds: cpuBudgetOfAllTries('rendition', null) })
  expect(work.error).toContain('It ended by SIGKILL.')
  // End the worker first: it would claim the retried work immediately.
  await end()
  expect(await testbed.work.retry(video, 'rendition')).toBe(true)
  expect(await rowOf(video)).toMatchObject({ cpuSeconds: 0 })
})

test('a preparation ends without results if an administrator refuses its video', async () => {
  const { killed, began } = processThatSends({ is: 'probing' })
  const { folder, video } = await testbed.add(new Uint8Array(10))
  await testbed.objects.put(renditionKey(folder, video), 'video/mp4', new Uint8Array(10))
  const { end } = await testbed.worker({ lease: 600 })
  await began
  expect(await testbed.work.refuseByAdministrator(video, 'rendition', 'Too long.', 'somebody')).toBe(true)
  await expect.poll(() => killed.mock.calls.length).toBe(1)
  await end()
  expect(await rowOf(video)).toMatchObject({
    state: 'refused',
    code: 'by-administrator',
    reason: 'Too long.',
    error: 'Refused by somebody',
  })
  expect(await testbed.objects.head(renditionKey(folder, video))).toBeNull()
  // It can be refused only once, and an administrator can retry it.
  expect(await testbed.work.refuseByAdministrator(video, 'rendition', 'Again.', 'somebody')).toBe(false)
  expect(await testbed.work.retry(video, 'rendition')).toBe(true)
  expect(await rowOf(video)).toMatchObject({ state: 'waiting', reason: null })
})
