import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { LimitExceededError } from '../../../modules/media/check-running-preparation-against-limits.ts'
import { renditionKey } from '../../../modules/media/object-keys.ts'
import { HDR_RENDITION_VERSION } from '../../../modules/media/policy.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { type MediaWorkerTestbed, startMediaWorkerTestbed } from './media-worker-testbed.ts'
import { writeFakePreparationScript } from './write-fake-preparation-script.ts'

/** The worker remakes HDR renditions made by an earlier version, while people still watch the old ones and without delaying other work. */

let testbed: MediaWorkerTestbed
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'remakes-'))
  testbed = await startMediaWorkerTestbed()
})
afterEach(() => testbed.clear())
afterAll(async () => {
  await testbed.end()
  await rm(dir, { recursive: true })
})

const slow = { timeout: 120_000 }
const OLD = Buffer.from('as it was')

/** Adds a video that an earlier version prepared. */
async function addOutdated({ hdr = true } = {}) {
  const outdatedVideo = await testbed.add(sampleVideos.mp4)
  await testbed.sql`
    update media_work set state = 'ready', rendition_version = 1, media = ${testbed.sql.json({ hdr, frames: 60, width: 320, height: 240, milliseconds: 2000 })},
      made = ${testbed.sql.json({ rendition: { bytes: OLD.length } })}
    where video = ${outdatedVideo.video}`
  await testbed.objects.put(renditionKey(outdatedVideo.folder, outdatedVideo.video), 'video/mp4', OLD)
  return outdatedVideo
}
const rowOf = async (video: string) =>
  (await testbed.sql`select state, remaking, rendition_version as version from media_work where video = ${video}`)[0]
const stateOf = async (video: string) => (await testbed.work.of([video])).get(video)!.state
const bytesOf = async ({ folder, video }: { folder: string; video: string }) =>
  (await testbed.objects.head(renditionKey(folder, video)))?.bytes

test('an old HDR rendition is remade while people still watch it', slow, async () => {
  const [hdr, sdr] = [await addOutdated(), await addOutdated({ hdr: false })]
  await testbed.worker()
  await expect.poll(() => rowOf(hdr.video)).toMatchObject({ remaking: true })
  expect(await stateOf(hdr.video)).toBe('ready')
  await expect.poll(() => rowOf(hdr.video), slow).toEqual({ state: 'ready', remaking: false, version: HDR_RENDITION_VERSION })
  expect(await bytesOf(hdr)).toBeGreaterThan(OLD.length)
  expect(await rowOf(sdr.video)).toEqual({ state: 'ready', remaking: false, version: 1 })
  expect(await bytesOf(sdr)).toBe(OLD.length)
})

test('a failed remake keeps the old rendition and is not retried', slow, async () => {
  const outdatedVideo = await addOutdated()
  const signFetch = () => Promise.reject(new LimitExceededError('memory'))
  await testbed.worker({ store: { signFetch } })
  await expect.poll(() => rowOf(outdatedVideo.video), slow).toEqual({ state: 'ready', remaking: false, version: HDR_RENDITION_VERSION })
  expect(await bytesOf(outdatedVideo)).toBe(OLD.length)
})

test('a remake yields immediately to a video that somebody waits for', slow, async () => {
  const hanging = await writeFakePreparationScript(dir, 'send(probed); await sleep(600_000)')
  const outdatedVideo = await addOutdated()
  await testbed.worker({ atOnce: 1, entry: hanging })
  await expect.poll(() => rowOf(outdatedVideo.video), slow).toMatchObject({ state: 'preparing' })
  const { video } = await testbed.add(sampleVideos.mp4)
  await expect.poll(() => rowOf(video), slow).toMatchObject({ state: 'preparing' })
  expect(await rowOf(outdatedVideo.video)).toMatchObject({ state: 'waiting', remaking: true })
  expect(await stateOf(outdatedVideo.video)).toBe('ready')
})

test('videos that somebody waits for are claimed before remakes', async () => {
  const outdated = [await addOutdated(), await addOutdated()]
  await testbed.work.remakeOutdated()
  const { video } = await testbed.add(sampleVideos.mp4)
  const taken = await testbed.work.take(1, 60_000)
  expect(taken.map(work => work.video)).toEqual([video])
  const rest = await testbed.work.take(5, 60_000)
  expect(rest.map(work => work.video).sort()).toEqual(outdated.map(outdatedVideo => outdatedVideo.video).sort())
})
