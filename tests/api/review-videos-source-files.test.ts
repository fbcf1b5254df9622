import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FrameTable } from '../../modules/media/frames.ts'
import { SourceFilesPendingError } from '../../modules/media/media-job-handler.ts'
import type { MediaJob } from '../../modules/media/media-job-queue.ts'
import { convertedVoiceKey, frameTableKey, renditionKey } from '../../modules/media/object-keys.ts'
import { reviewVideoScriptAndSourceFiles } from '../../src/api/review-videos.ts'
import { createAssignedFolder, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ray] = await s.playerAndInstructor()
})
afterAll(() => s.end())

const table: FrameTable = { version: 1, scale: 600, first: 0, runs: [[3, 20]] }
const rendition = Buffer.from('a rendition')
const sound = Buffer.from('a voice-over as AAC')
const setState = (id: string, state: string) => s.sql`update media_work set state = ${state} where video = ${id}`
const forget = (id: string) => s.sql`delete from media_work where video = ${id}`

/** A delivered review with one clip and one voice-over; both are ready. */
let review: { folder: string; video: string; assignment: string; voice: string }
beforeEach(async () => {
  const { folder, video, assignment } = await createAssignedFolder(ana, ray)
  const voice = { id: randomUUID(), video, frame: 0, milliseconds: 2000, bytes: 4, type: 'audio/webm', actions: [] }
  await s.deps.objects.put(`voices/${assignment}/${voice.id}`, voice.type, Buffer.from([0x1a, 0x45, 0xdf, 0xa3]))
  const feedback = newReviewInput(video, { voices: [voice] })
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, feedback)).status).toBe(204)
  await ana.call('GET', `/api/folders/${folder}`)
  await expect.poll(() => s.sql`select video from media_work where video = ${voice.id}`).toHaveLength(1)
  review = { folder, video, assignment, voice: voice.id }
  await s.deps.objects.put(renditionKey(folder, video), 'video/mp4', rendition)
  await s.deps.objects.put(frameTableKey(folder, video), 'application/json', Buffer.from(JSON.stringify(table)))
  await s.deps.objects.put(convertedVoiceKey(assignment, voice.id), 'audio/mp4', sound)
  await setState(video, 'ready')
  await setState(voice.id, 'ready')
})

const filesOfReview = (folder = review.folder, assignment = review.assignment) =>
  reviewVideoScriptAndSourceFiles(s.deps).filesOf({ folder, video: assignment } as MediaJob)

test('a review video is made from renditions and converted voice-overs', async () => {
  const { sources, job } = await filesOfReview()
  expect(sources).toMatchObject([
    { file: 'clip-0', bytes: rendition.length },
    { file: 'voice-0', bytes: sound.length },
  ])
  const contents = await Promise.all(sources.map(async ({ url }) => Buffer.from(await (await fetch(url)).arrayBuffer())))
  expect(contents).toEqual([rendition, sound])
  expect(JSON.parse(job!)).toMatchObject({
    session: { review: { summary: 'Good load, late hands.' }, clips: [{ id: review.video }], compared: [] },
    clips: [{ video: review.video, file: 'clip-0', table }],
    voices: [{ id: review.voice, file: 'voice-0' }],
  })
})

test('a review video waits until every clip and voice-over is ready or refused', async () => {
  for (const id of [review.video, review.voice]) {
    for (const state of ['waiting', 'preparing']) {
      await setState(id, state)
      await expect(filesOfReview()).rejects.toThrow(SourceFilesPendingError)
    }
    await setState(id, 'ready')
  }
  await expect(filesOfReview()).resolves.toBeDefined()
  await forget(review.video)
  await expect(filesOfReview()).rejects.toThrow(SourceFilesPendingError)
})

test('a review video leaves out clips and voice-overs that were refused', async () => {
  await setState(review.video, 'refused')
  const withoutClip = await filesOfReview()
  expect(withoutClip.sources).toMatchObject([{ file: 'voice-0' }])
  expect(JSON.parse(withoutClip.job!)).toMatchObject({ session: { clips: [] }, clips: [], voices: [{ id: review.voice }] })
  await setState(review.video, 'ready')
  await setState(review.voice, 'refused')
  const withoutVoice = await filesOfReview()
  expect(withoutVoice.sources).toMatchObject([{ file: 'clip-0' }])
  expect(JSON.parse(withoutVoice.job!)).toMatchObject({ clips: [{ video: review.video }], voices: [] })
})

test('a review video is refused if a source file is lost', async () => {
  const { folder, video, assignment, voice } = review
  for (const key of [convertedVoiceKey(assignment, voice), renditionKey(folder, video), frameTableKey(folder, video)]) {
    const content = (await s.deps.objects.read(key, 0, 1000))!
    await s.deps.objects.remove(key)
    await expect(filesOfReview()).rejects.toMatchObject({ code: 'lost', causeText: key })
    await s.deps.objects.put(key, 'application/octet-stream', Buffer.from(content))
  }
  await expect(filesOfReview()).resolves.toBeDefined()
})

test('a review video is refused if the review no longer exists', async () => {
  const gone = { code: 'lost' }
  await expect(filesOfReview(review.folder, randomUUID())).rejects.toMatchObject(gone)
  await expect(filesOfReview(randomUUID())).rejects.toMatchObject(gone)
})
