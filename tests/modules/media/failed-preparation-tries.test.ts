import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mediaJobQueue } from '../../../modules/media/media-job-queue.ts'
import { renditionKey, videoKey } from '../../../modules/media/object-keys.ts'
import { MAX_KILLED_TRIES, MAX_PREPARATION_CRASHES } from '../../../modules/media/policy.ts'
import { createPostgresPool } from '../../../src/server/postgres-pool.ts'
import { nestedLoopSettings } from '../../support/postgres.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { type MediaWorkerTestbed, startMediaWorkerTestbed } from './media-worker-testbed.ts'
import { writeFakePreparationScript } from './write-fake-preparation-script.ts'

/** Tests which failures of a preparation count as tries of its file, and which do not. */

let testbed: MediaWorkerTestbed
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tries-'))
  testbed = await startMediaWorkerTestbed()
})
afterEach(() => testbed.clear())
afterAll(async () => {
  await testbed.end()
  await rm(dir, { recursive: true })
})

const rowOf = async (video: string) => (await testbed.work.of([video])).get(video)!
/** Schedules a job to run now, and notifies the workers. */
async function makeDue(video: string) {
  await testbed.sql`update media_work set due = now() - interval '1 day' where video = ${video}`
  await testbed.sql`select pg_notify('media', '')`
}

test('a file that crashes its process at every try is refused after a few tries', async () => {
  const { folder, video } = await testbed.add(sampleVideos.mp4)
  const { end } = await testbed.worker({
    entry: await writeFakePreparationScript(dir, "send(probed); process.kill(process.pid, 'SIGSEGV'); await sleep(5000)", 'segv'),
  })
  for (let failed = 0; failed < MAX_PREPARATION_CRASHES - 1; ) {
    const work = await rowOf(video)
    if (work.state === 'waiting' && work.tries > failed) {
      failed = work.tries
      await makeDue(video)
    }
    await sleep(20)
  }
  const work = await testbed.settled(video)
  expect(work).toMatchObject({ state: 'refused', code: 'crashed', tries: MAX_PREPARATION_CRASHES, losses: 0 })
  expect(work.error).toContain('SIGSEGV')
  expect((await testbed.keys()).filter(key => key.includes(video) && !key.startsWith('tables/'))).toEqual([videoKey(folder, video)])
  await end()
})

test('a file is refused after one try over the memory limit, two over the time limit', async () => {
  const large = await testbed.worker({ limits: { memory: 1 } })
  const { video } = await testbed.add(sampleVideos.mp4)
  expect(await testbed.settled(video)).toMatchObject({ state: 'refused', code: 'too-much', tries: 1 })
  await large.end()
  const slow = await testbed.worker({ limits: { seconds: 0 } })
  const second = await testbed.add(sampleVideos.mp4)
  while ((await rowOf(second.video)).tries === 0 || (await rowOf(second.video)).state !== 'waiting') await sleep(20)
  expect(await rowOf(second.video)).toMatchObject({ tries: 1, losses: 0 })
  await makeDue(second.video)
  expect(await testbed.settled(second.video)).toMatchObject({ state: 'refused', code: 'too-much', tries: 2 })
  await slow.end()
})

test('a process killed from outside does not count as a try of its file', async () => {
  const { folder, video } = await testbed.add(sampleVideos.mp4)
  const killer = await testbed.worker({
    entry: await writeFakePreparationScript(dir, "send(probed); process.kill(process.pid, 'SIGKILL')", 'kill'),
  })
  for (let killed = 0; killed < MAX_PREPARATION_CRASHES; ) {
    const work = await rowOf(video)
    expect([work.state, work.code]).not.toContain('refused')
    if (work.state === 'waiting' && work.losses > killed) {
      expect(work).toMatchObject({ tries: 0, error: expect.stringContaining('SIGKILL') })
      killed = work.losses
      if (killed < MAX_PREPARATION_CRASHES) await makeDue(video)
    }
    await sleep(20)
  }
  await killer.end()
  const { end } = await testbed.worker()
  await makeDue(video)
  expect(await testbed.settled(video)).toMatchObject({ state: 'ready', tries: 1, losses: 0 })
  expect(await testbed.keys()).toContain(renditionKey(folder, video))
  await end()
})

test('a full disk does not count as a try of a file', async () => {
  const { video } = await testbed.add(sampleVideos.mp4)
  const { end } = await testbed.worker({
    entry: await writeFakePreparationScript(dir, "console.error('rendition.mp4: No space left on device'); process.exit(75)", 'full'),
  })
  while ((await rowOf(video)).losses === 0) await sleep(20)
  await end()
  expect(await rowOf(video)).toMatchObject({ state: 'waiting', tries: 0, code: null, error: expect.stringContaining('No space left') })
})

test('a dead worker does not count as a try, but too many of them refuse the file', async () => {
  const { folder, video } = await testbed.add(sampleVideos.mp4)
  const take = async () => (await testbed.work.take(10, 60_000)).find(work => work.video === video)
  expect(await take()).toMatchObject({ tries: 1, losses: 0, taken: 1 })
  for (let losses = 1; losses < MAX_KILLED_TRIES; losses++) {
    expect(await take()).toBeUndefined()
    await makeDue(video)
    expect(await take()).toMatchObject({ tries: 1, losses, taken: losses + 1, error: 'Its worker stopped renewing the lease.' })
  }
  await makeDue(video)
  await testbed.objects.put(renditionKey(folder, video), 'video/mp4', new Uint8Array(10))
  const { end } = await testbed.worker()
  expect(await testbed.settled(video)).toMatchObject({ state: 'refused', code: 'crashed', tries: 1, losses: MAX_KILLED_TRIES })
  await end()
  expect(await testbed.keys()).not.toContain(renditionKey(folder, video))
  // An administrator can make the server retry the file from the start, with its tries and losses reset.
  expect(await testbed.work.retry(video, 'rendition')).toBe(true)
  expect(await rowOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses: 0 })
  const later = await testbed.worker()
  expect(await testbed.settled(video)).toMatchObject({ state: 'ready', tries: 1 })
  await later.end()
})

test('a file waits about twice as long after each lost worker, behind other files', async () => {
  const [first, second] = [await testbed.add(sampleVideos.mp4), await testbed.add(sampleVideos.mp4)]
  const take = async () => (await testbed.work.take(1, 60_000))[0]
  const loseNext = async () => {
    const work = (await take())!
    await testbed.work.recordLoss(work, 'killed')
    return work.video
  }
  expect([await loseNext(), await loseNext(), await loseNext()]).toEqual([first.video, first.video, second.video])
  const secondsUntilDue = async (video: string) => {
    const [row] = await testbed.sql`select extract(epoch from due - now())::float8 as seconds from media_work where video = ${video}`
    return Math.max(0, Math.round(row!.seconds))
  }
  expect([await secondsUntilDue(first.video), await secondsUntilDue(second.video)]).toEqual([1, 0])
  for (const seconds of [3, 7, 15]) {
    await makeDue(first.video)
    while ((await loseNext()) !== first.video);
    expect(await secondsUntilDue(first.video)).toBe(seconds)
  }
  // The pause after an expired lease is just as long as after a recorded loss, and begins when the lease ends.
  await testbed.sql`delete from media_work where video = ${second.video}`
  await makeDue(first.video)
  await take()
  await testbed.sql`update media_work set due = now() - interval '20 s' where video = ${first.video}`
  expect(await take()).toBeUndefined()
  expect(await testbed.work.untilNext()).toBeGreaterThan(4000)
  await testbed.sql`update media_work set due = now() - interval '32 s' where video = ${first.video}`
  expect((await take())?.video).toBe(first.video)
})

test('a worker claims no more work than requested, with any query plan', async () => {
  await testbed.add(sampleVideos.mp4)
  await testbed.add(sampleVideos.mp4)
  const sql = createPostgresPool(testbed.url, nestedLoopSettings)
  try {
    expect(await mediaJobQueue(sql).take(1, 60_000)).toHaveLength(1)
    expect(await mediaJobQueue(sql).take(1, 60_000)).toHaveLength(1)
  } finally {
    await sql.end()
  }
})

test('a worker that lost its lease cannot change the work, whoever holds it now', async () => {
  const { video } = await testbed.add(sampleVideos.mp4)
  const [frozen] = await testbed.work.take(1, 60_000)
  await makeDue(video)
  const [second] = await testbed.work.take(1, 60_000)
  await testbed.work.giveBack(second!, null, 0)
  const [third] = await testbed.work.take(1, 60_000)
  expect(third).toMatchObject({ video, taken: 3 })
  expect(await testbed.work.renewLease(frozen!, 0.5, 60_000)).toBe(false)
  expect(await testbed.work.renewLease(second!, 0.5, 60_000)).toBe(false)
  expect(await testbed.work.finish(second!, {} as never)).toBe(false)
  expect(await testbed.work.renewLease(third!, 0.5, 60_000)).toBe(true)
})
