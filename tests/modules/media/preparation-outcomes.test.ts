import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { LimitExceededError } from '../../../modules/media/check-running-preparation-against-limits.ts'
import type { MediaJob } from '../../../modules/media/media-job-queue.ts'
import {
  convertedVoiceKey,
  deliveredVoiceKey,
  filmstripKey,
  frameTableKey,
  posterKey,
  renditionKey,
  videoKey,
} from '../../../modules/media/object-keys.ts'
import { ObjectStoreUnavailableError } from '../../../modules/media/object-store-errors.ts'
import { MAX_KILLED_TRIES, MAX_PREPARATION_CRASHES, MAX_TIMED_OUT_TRIES } from '../../../modules/media/policy.ts'
import { PreparationCrashError } from '../../../modules/media/supervise-preparation.ts'
import { sampleVideos, sampleVoice as spoken } from '../../support/sample-media.ts'
import { type MediaWorkerTestbed, startMediaWorkerTestbed } from './media-worker-testbed.ts'
import { writeFakePreparationScript } from './write-fake-preparation-script.ts'

// These tests check the state of the job and the stored files after each way in which a preparation can end.

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
const secondsUntilDue = async (video: string) => {
  const [row] = await testbed.sql`select extract(epoch from due - now())::float8 as seconds from media_work where video = ${video}`
  return row!.seconds as number
}
const drop = (video: string) => testbed.sql`delete from media_work where video = ${video}`
const made = [renditionKey, filmstripKey, posterKey, frameTableKey]
/** Adds a video with all files of an earlier try. @param hasBrowserStill whether the browser uploaded the poster */
async function addWithFiles(hasBrowserStill = false) {
  const { folder, video } = await testbed.add(new Uint8Array(10))
  for (const key of made) await testbed.objects.put(key(folder, video), 'video/mp4', new Uint8Array(10))
  await testbed.sql`
    insert into uploads (id, folder, player, name, type, bytes, fingerprint, part_bytes, multipart, poster, started, touched)
    values (${video}, ${folder}, ${randomUUID()}, 'a.mp4', 'video/mp4', 10, 'f', 10, 'm', ${hasBrowserStill}, now(), now())`
  const storedKinds = async () => {
    const keys = await testbed.keys()
    return made.filter(key => keys.includes(key(folder, video)))
  }
  return { folder, video, storedKinds }
}
/**
 * Runs a preparation that, after `meanwhile`, fails with `error` before it downloads the file. On later tries, the store is unavailable.
 * @returns the job, and in how many seconds it is due; both undefined if the job was deleted
 */
async function runFailing(video: string, error: unknown, meanwhile: () => Promise<unknown> = async () => {}) {
  let calls = 0
  const signFetch = async () => {
    if (calls++) throw new ObjectStoreUnavailableError('unavailable')
    await meanwhile()
    throw error
  }
  const { end } = await testbed.worker({ store: { signFetch } })
  await expect.poll(() => calls).toBeGreaterThan(0)
  await expect.poll(async () => (await rowOf(video))?.state ?? 'gone').not.toBe('preparing')
  await end()
  const work = await rowOf(video)
  return { its: work, seconds: work && (await secondsUntilDue(video)) }
}

describe('a preparation that ends', () => {
  test('because the object store is unavailable is retried later without counting a try', async () => {
    const { video, storedKinds } = await addWithFiles()
    const { its: work, seconds } = await runFailing(video, new ObjectStoreUnavailableError('no answer'))
    expect(work).toMatchObject({ state: 'waiting', tries: 0, losses: 0, error: 'no answer' })
    expect(seconds).toBeGreaterThan(2)
    expect(seconds).toBeLessThanOrEqual(5)
    expect(await storedKinds()).toHaveLength(4)
  })

  test.each([
    ['by the time limit is retried', new LimitExceededError('time', true), { state: 'waiting', tries: 1, losses: 0, error: 'time' }],
    ['by another limit is refused', new LimitExceededError('memory'), { state: 'refused', code: 'too-much', tries: 1, error: 'memory' }],
    ['by a crash is retried', new PreparationCrashError('SIGSEGV'), { state: 'waiting', tries: 1, losses: 0, error: 'SIGSEGV' }],
    [
      'by an error that is not the fault of the file does not count as a try',
      new Error('no disk'),
      { state: 'waiting', tries: 0, losses: 1 },
    ],
    ['by throwing something other than an Error does not count as a try', 'odd', { state: 'waiting', tries: 0, losses: 1 }],
  ])("%s; of its files, the frame table and the browser's still remain", async (_, error, expected) => {
    for (const hasBrowserStill of [false, true]) {
      const { video, storedKinds } = await addWithFiles(hasBrowserStill)
      expect((await runFailing(video, error)).its).toMatchObject(expected)
      expect(await storedKinds()).toEqual(hasBrowserStill ? [posterKey, frameTableKey] : [frameTableKey])
      await drop(video)
    }
  })

  test.each([
    ['by the time limit', MAX_TIMED_OUT_TRIES, new LimitExceededError('time', true), 'too-much'],
    ['by a crash', MAX_PREPARATION_CRASHES, new PreparationCrashError('SIGSEGV'), 'crashed'],
  ])('%s for the last time is refused', async (_, most, error, code) => {
    const { video } = await addWithFiles()
    await testbed.sql`update media_work set tries = ${most - 1} where video = ${video}`
    expect((await runFailing(video, error)).its).toMatchObject({ state: 'refused', code, tries: most })
  })

  test('by throwing something other than an Error stores what was thrown', async () => {
    const { video } = await addWithFiles()
    // After this many losses, the worker does not retry immediately.
    await testbed.sql`update media_work set losses = 4 where video = ${video}`
    expect((await runFailing(video, 'odd')).its).toMatchObject({ state: 'waiting', tries: 0, losses: 5, error: 'odd' })
  })

  test('leaves no files if the video was removed in the meantime', async () => {
    const { video, storedKinds } = await addWithFiles()
    await runFailing(video, new ObjectStoreUnavailableError('no answer'), () => drop(video))
    expect(await storedKinds()).toEqual([])
  })

  test('leaves no files if the voice-over was removed in the meantime', async () => {
    const [assignment, video, folder] = [randomUUID(), randomUUID(), randomUUID()]
    const voice = { kind: 'voice', video, folder, key: deliveredVoiceKey(assignment, video), type: 'audio/webm', bytes: 10 } as const
    await testbed.work.add(voice)
    for (const key of [convertedVoiceKey, deliveredVoiceKey])
      await testbed.objects.put(key(assignment, video), 'audio/mp4', new Uint8Array(10))
    await testbed.objects.put(frameTableKey(folder, video), 'application/json', new Uint8Array(10))
    await runFailing(video, new ObjectStoreUnavailableError('no answer'), () => drop(video))
    const heads = [convertedVoiceKey(assignment, video), deliveredVoiceKey(assignment, video), frameTableKey(folder, video)].map(key =>
      testbed.objects.head(key),
    )
    expect((await Promise.all(heads)).map(Boolean)).toEqual([false, true, true])
  })

  test('after another worker has claimed its work changes nothing', async () => {
    const { video, storedKinds } = await addWithFiles()
    const { end } = await testbed.worker({
      store: {
        async signFetch() {
          await testbed.sql`update media_work set taken = taken + 1, due = now() + interval '1 hour' where video = ${video}`
          throw new PreparationCrashError('too late')
        },
      },
    })
    await expect.poll(async () => (await rowOf(video)).taken).toBe(2)
    await end()
    expect(await rowOf(video)).toMatchObject({ state: 'preparing', taken: 2, tries: 1, losses: 0, error: null })
    expect(await storedKinds()).toHaveLength(4)
  })
})

describe('a preparation', () => {
  const directories = async () => (await readdir(tmpdir())).filter(name => name.startsWith(`diamondlink-media-${process.pid}-`))

  test('that succeeds stores each result under its key, and leaves no directory', async () => {
    const { end } = await testbed.worker({ loud: true })
    const [film, voice] = [await testbed.add(sampleVideos.mp4), await addVoice()]
    const [one, other] = [await testbed.settled(film.video), await testbed.settled(voice.video, 'voice')]
    expect(one).toMatchObject({ state: 'ready', tries: 1, losses: 0, error: null, media: { frames: 60 } })
    expect(other).toMatchObject({ state: 'ready', tries: 1, error: null })
    const head = async (key: string) => (await testbed.objects.head(key))!
    const bytes = one.made!
    expect(await Promise.all([renditionKey, posterKey, filmstripKey].map(key => head(key(film.folder, film.video))))).toMatchObject([
      { bytes: bytes.rendition.bytes, type: 'video/mp4' },
      { bytes: bytes.poster.bytes, type: 'image/webp' },
      { bytes: bytes.filmstrip.bytes, type: 'image/jpeg' },
    ])
    const table = await testbed.objects.read(frameTableKey(film.folder, film.video), 0, 1e6)
    expect(JSON.parse(Buffer.from(table!).toString())).toMatchObject({ runs: [[60, expect.any(Number)]] })
    expect((await head(frameTableKey(film.folder, film.video))).type).toBe('application/json')
    expect(await head(convertedVoiceKey(voice.assignment, voice.video))).toMatchObject({
      ...(other.made as object as { voice: object }).voice,
      type: 'audio/mp4',
    })
    await end()
    expect(await directories()).toEqual([])
  })

  test('does not start but is refused if too many of its workers have died', async () => {
    const [often, less] = [await addWithFiles(), await addWithFiles()]
    await testbed.sql`update media_work set losses = ${MAX_KILLED_TRIES}, error = 'Its worker stopped renewing the lease.' where video = ${often.video}`
    await testbed.sql`update media_work set losses = ${MAX_KILLED_TRIES - 1} where video = ${less.video}`
    const fetched: string[] = []
    const signFetch = async (key: string) => {
      fetched.push(key)
      throw new LimitExceededError('memory')
    }
    const { end } = await testbed.worker({ store: { signFetch } })
    const refused = { state: 'refused', code: 'crashed', error: 'Its worker stopped renewing the lease.' }
    expect(await testbed.settled(often.video)).toMatchObject(refused)
    expect(await testbed.settled(less.video)).toMatchObject({ state: 'refused', code: 'too-much' })
    await end()
    expect(fetched).toEqual([videoKey(less.folder, less.video)])
    expect(await often.storedKinds()).toEqual([frameTableKey])
  })

  test('returns its work to the queue immediately when its server stops', async () => {
    const { video } = await testbed.add(sampleVideos.mp4)
    const [requested, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { end } = await testbed.worker({
      store: {
        async signFetch(key) {
          requested.resolve()
          await ending.promise
          return testbed.objects.signFetch(key)
        },
      },
    })
    await requested.promise
    const ended = end()
    ending.resolve()
    await ended
    expect(await rowOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses: 0, error: null, media: null })
    expect(await secondsUntilDue(video)).toBeLessThanOrEqual(0)
    expect(await directories()).toEqual([])
  })

  test('keeps its files for the worker that claimed the work while they were stored', async () => {
    const { video, assignment } = await addVoice()
    const claimByAnother = () =>
      testbed.sql`update media_work set taken = taken + 1, due = now() + interval '1 hour' where video = ${video}`
    const { end } = await testbed.worker({
      store: {
        async head(key) {
          await claimByAnother()
          return testbed.objects.head(key)
        },
      },
    })
    await expect.poll(async () => (await rowOf(video, 'voice')).taken).toBe(2)
    await end()
    expect(await rowOf(video, 'voice')).toMatchObject({ state: 'preparing', tries: 1, losses: 0, error: null })
    expect(await testbed.objects.head(convertedVoiceKey(assignment, video))).not.toBeNull()
  })
})

async function addVoice() {
  const [assignment, video] = [randomUUID(), randomUUID()]
  const bytes = await readFile(spoken)
  const key = deliveredVoiceKey(assignment, video)
  await testbed.objects.put(key, 'audio/webm', bytes)
  await testbed.work.add({ kind: 'voice', video, folder: randomUUID(), key, type: 'audio/webm', bytes: bytes.length })
  return { assignment, video }
}

test('an empty result counts as a failed try, an incomplete upload as a lost worker', async () => {
  const empty = await testbed.worker({
    entry: await writeFakePreparationScript(dir, "send({ is: 'made', made: { voice: { bytes: 0 } } })", 'empty'),
  })
  const { video: one } = await addVoice()
  await expect.poll(async () => (await rowOf(one, 'voice')).error).toBe('A voice of 0 bytes')
  expect(await rowOf(one, 'voice')).toMatchObject({ tries: 1, losses: 0 })
  await empty.end()
  await drop(one)

  const short = await testbed.worker({
    entry: await writeFakePreparationScript(
      dir,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the script of a child process, which has `task`
      "writeFileSync(`${task.dir}/voice.m4a`, 'sound'); send({ is: 'made', made: { voice: { bytes: 5 } } })",
      'short',
    ),
    store: { head: async () => null },
  })
  const { video: other } = await addVoice()
  await expect.poll(async () => (await rowOf(other, 'voice')).error).toBe('The voice was not stored completely')
  await short.end()
  expect((await rowOf(other, 'voice')).losses).toBeGreaterThan(0)
})

test('an unreachable store does not count as a try; a missing original is refused', async () => {
  const unreachable = await testbed.worker({ store: { signFetch: async () => 'http://127.0.0.1:1/nobody' } })
  const { video } = await testbed.add(sampleVideos.mp4)
  await expect.poll(async () => (await rowOf(video)).error).toBe('the object store does not answer')
  expect(await rowOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses: 0 })
  await unreachable.end()
  await drop(video)
  const lost = await testbed.worker()
  const gone = await testbed.add(sampleVideos.mp4)
  await testbed.objects.remove(videoKey(gone.folder, gone.video))
  expect(await testbed.settled(gone.video)).toMatchObject({ state: 'refused', tries: 1 })
  await lost.end()
})
