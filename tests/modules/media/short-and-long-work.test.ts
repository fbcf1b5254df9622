import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { LimitExceededError } from '../../../modules/media/check-running-preparation-against-limits.ts'
import { videoKey } from '../../../modules/media/object-keys.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { type MediaWorkerTestbed, startMediaWorkerTestbed } from './media-worker-testbed.ts'
import { writeFakePreparationScript } from './write-fake-preparation-script.ts'

/** Short work never waits for long work, no matter which player uploaded it or what a file declares. */

let testbed: MediaWorkerTestbed
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanes-'))
  testbed = await startMediaWorkerTestbed()
})
afterEach(() => testbed.clear())
afterAll(async () => {
  await testbed.end()
  await rm(dir, { recursive: true })
})

const rowOf = async (video: string) => (await testbed.work.of([video])).get(video)!
const statesOf = (...videos: string[]) => Promise.all(videos.map(async video => (await rowOf(video)).state))
/** Starting a process may take a long time on a busy machine. */
const slow = { timeout: 120_000 }
/** Adds a video to the queue. A long one counts as long because of its size; its file is not in the store. */
async function add({ long = false } = {}) {
  if (!long) return (await testbed.add(sampleVideos.mp4)).video
  const [folder, video] = [randomUUID(), randomUUID()]
  await testbed.work.add({ kind: 'rendition', video, folder, key: videoKey(folder, video), type: 'video/mp4', bytes: 1_000_000_000 })
  return video
}

/** A store that delays each preparation until the test releases it. The preparation then fails because of a limit. */
function holdingStore() {
  const held = new Map<string, () => void>()
  const signFetch = async (key: string) => {
    await new Promise<void>(done => held.set(key.split('/')[2]!, done))
    throw new LimitExceededError('memory')
  }
  const release = (...videos: string[]) => {
    for (const video of videos) held.get(video)!()
  }
  return { store: { signFetch }, begun: () => [...held.keys()].sort(), release }
}

test('short work runs alongside long work; a second piece of long work waits', async () => {
  const [film, nextFilm] = [await add({ long: true }), await add({ long: true })]
  const [clip, nextClip] = [await add(), await add()]
  const { store, begun, release } = holdingStore()
  await testbed.worker({ atOnce: 1, shortBeside: 1, store })
  await expect.poll(begun).toEqual([film, clip].sort())
  release(clip)
  await expect.poll(begun).toEqual([film, clip, nextClip].sort())
  release(nextClip)
  await testbed.settled(nextClip)
  // There is room for another job, but not for a second long one.
  expect(await statesOf(film, nextFilm)).toEqual(['preparing', 'waiting'])
  release(film)
  await expect.poll(begun).toEqual([film, clip, nextClip, nextFilm].sort())
  release(nextFilm)
})

test('short work that takes too long makes way for waiting short work', slow, async () => {
  const hanging = await writeFakePreparationScript(dir, 'send(probed); await sleep(600_000)')
  const [film, liar] = [await add({ long: true }), await add()]
  const { store, begun, release } = holdingStore()
  const signFetch = (key: string) => (key.includes(liar) ? testbed.objects.signFetch(key) : store.signFetch(key))
  await testbed.worker({ atOnce: 1, shortBeside: 1, shortTurn: 0, store: { signFetch }, entry: hanging })
  // The process hangs after it has reported its probe result.
  await expect.poll(async () => (await rowOf(liar)).media, slow).not.toBeNull()
  const [otherFilm, clip] = [await add({ long: true }), await add()]
  await expect.poll(() => rowOf(liar)).toMatchObject({ state: 'waiting', taken: 1, tries: 0, losses: 0, long: true })
  await expect.poll(begun).toEqual([film, clip].sort())
  expect(await statesOf(film, otherFilm)).toEqual(['preparing', 'waiting'])
  release(film, clip)
})

test.each([
  ['while its turn lasts', { shortTurn: 60_000, waiting: {} }],
  ['while nothing but long work waits', { shortTurn: 0, waiting: { long: true } }],
])('short work keeps its slot in the worker %s', async (_, { shortTurn, waiting }) => {
  const [film, clip] = [await add({ long: true }), await add()]
  const { store, begun, release } = holdingStore()
  await testbed.worker({ atOnce: 1, shortBeside: 1, shortTurn, store })
  await expect.poll(begun).toEqual([film, clip].sort())
  const notified = Promise.withResolvers<void>()
  const listening = await testbed.sql.listen('media', () => notified.resolve())
  const next = await add(waiting)
  await notified.promise
  await listening.unlisten()
  expect(await statesOf(film, clip, next)).toEqual(['preparing', 'preparing', 'waiting'])
  release(clip)
  // The work ended on its own instead of being moved to the long lane to make room.
  expect(await testbed.settled(clip)).toMatchObject({ state: 'refused', long: false })
  release(film)
})

test('a file that the probe finds expensive moves to the long lane', slow, async () => {
  const bytes = await readFile(sampleVideos.mp4)
  // The container declares 8192 × 8192 pixels; the frames have 320 × 240.
  bytes.writeUInt32BE(0x20002000, bytes.indexOf('avc1', bytes.indexOf('stsd')) + 28)
  const { video } = await testbed.add(new Uint8Array(bytes))
  const film = await add({ long: true })
  const { store, begun, release } = holdingStore()
  const signFetch = (key: string) => (key.includes(film) ? store.signFetch(key) : testbed.objects.signFetch(key))
  await testbed.worker({ atOnce: 1, shortBeside: 1, store: { signFetch } })
  await expect.poll(() => rowOf(video), slow).toMatchObject({ state: 'waiting', long: true, taken: 1, tries: 0, media: { width: 8192 } })
  expect([await statesOf(film), begun()]).toEqual([['preparing'], [film]])
  release(film)
})
