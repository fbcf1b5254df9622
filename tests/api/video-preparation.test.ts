import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Video } from '../../modules/folders/contract.ts'
import { frameTimeline } from '../../modules/media/frames.ts'
import { letterDataSource } from '../../src/server/letter-data.ts'
import { minimalMp4File } from '../modules/media/container-builders.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { ensureTestClip, ffmpegPath } from '../support/test-clips.ts'
import {
  createFolder,
  expectRefusal,
  type FullServer,
  newReviewInput,
  startFullServer,
  startUploadAndSendParts,
  type TestUser,
} from './full-server.ts'

let s: FullServer
let ana: TestUser
let ben: TestUser
let ray: TestUser
let admin: Awaited<ReturnType<FullServer['admin']>>
let good: Uint8Array<ArrayBuffer>
/** A file with valid boxes but no visible content. */
const broken = minimalMp4File() as Uint8Array<ArrayBuffer>

beforeAll(async () => {
  s = await startFullServer({ mediaWorkers: 1 })
  ;[ana, ben, ray, admin, good] = await Promise.all([s.player(), s.player(), s.instructor(), s.admin(), readFile(sampleVideos.mp4)])
  await s.saveCard(ana.id)
})
afterAll(() => s.end())

const folderOf = async (who: Pick<TestUser, 'call'>, id: string) => (await who.call('GET', `/api/folders/${id}`)).body
/** Waits until none of a folder's clips is waiting or being prepared, then returns them. */
async function settled(id: string): Promise<Video[]> {
  for (;;) {
    const { clips: waiting, session } = await folderOf(ana, id)
    const clips = session?.clips ?? waiting
    if (clips.every((c: Video) => c.rendition && ['ready', 'refused'].includes(c.rendition.state))) return clips
    await sleep(100)
  }
}
async function addVideo(file: Uint8Array<ArrayBuffer>, folder: string, more: object = {}, inside?: object) {
  const { id, complete } = await startUploadAndSendParts(ana, folder, file, more)
  const answer = await complete(inside ? { milliseconds: 2000, width: 320, height: 240, poster: false, inside } : undefined)
  expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ video: id })])
  return id
}

test('a prepared video has media data, rendition, frame table, stills and original', async () => {
  const folder = await createFolder(ana)
  const video = await addVideo(good, folder, { name: 'Grundübung "1".mp4' })
  const [clip] = await settled(folder)
  expect(clip).toMatchObject({
    media: { codec: 'avc', frames: 60, rate: [30, 1], variable: false, rotation: 0, hdr: false, sound: false, captureRate: null },
    rendition: { state: 'ready', progress: 1, reason: null, unseen: false, width: 320, height: 240, filmstrip: { count: 60, columns: 10 } },
  })
  const got = async (url: string) => (await fetch(url)).headers.get('content-type')
  const { url, table, filmstrip } = clip!.rendition!
  expect(await Promise.all([url!, table!, filmstrip!.url, clip!.poster!].map(got))).toEqual([
    ...['video/mp4', 'application/json', 'image/jpeg', 'image/webp'],
  ])
  const original = await ana.call('GET', `/api/folders/${folder}/videos/${video}/original`)
  const download = await fetch(original.body.url)
  expect(download.headers.get('content-disposition')).toBe('attachment; filename="Grundubung _1_.mp4"')
  expect((await download.arrayBuffer()).byteLength).toBe(good.length)
  expect((await ben.call('GET', `/api/folders/${folder}/videos/${video}/original`)).status).toBe(404)

  const at = `/api/folders/${folder}/videos/${video}/capture-rate`
  expect((await ben.call('PUT', at, { rate: 240 })).status).toBe(404)
  expect((await ana.call('PUT', at, { rate: 240 })).status).toBe(204)
  expect((await folderOf(ana, folder)).clips[0].media.captureRate).toEqual({ rate: 240, by: 'person' })
})

test('an unplayable video has a reason, is free, and can be replaced during a session', async () => {
  const folder = await createFolder(ana)
  const first = await addVideo(good, folder)
  const second = await addVideo(good, folder)
  await settled(folder)
  const { body: quote } = await ana.call('GET', `/api/folders/${folder}/quote`)
  const assignment = crypto.randomUUID()
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: ray.id })).status).toBe(204)
  // Simulates a worker that refuses the video only now.
  await s.sql`update media_work set state = 'refused', code = 'damaged', ended = now() where video = ${second}`
  const refusedVideo = (video: string) => letterDataSource(s.deps).refusedVideo(folder, video)
  expect([await refusedVideo(first), await refusedVideo(second)]).toMatchObject([null, { player: ana.id }])
  const [, gone] = (await folderOf(ana, folder)).session.clips as Video[]
  expect(gone!.rendition).toMatchObject({
    state: 'refused',
    unseen: true,
    url: null,
    reason: { code: 'damaged', message: expect.stringContaining('damaged') },
  })
  expect((await ray.call('GET', '/api/queue')).body.folders).toMatchObject([{ id: folder, videos: 2, unseen: 1, preparing: 0 }])

  expectRefusal((await startUploadAndSendParts(ana, folder, good)).started, 409, 'assigned')
  expectRefusal((await startUploadAndSendParts(ana, folder, good, { replaces: first })).started, 409, 'assigned')
  // The browser's measurements are used until the worker has probed the video.
  const table = { version: 1, scale: 30, first: 0, runs: [[90, 1]] }
  const media = {
    container: 'mp4',
    codec: 'avc',
    width: 320,
    height: 240,
    rotation: 0,
    milliseconds: 3000,
    frames: 90,
    rate: [30, 1],
    variable: false,
    hdr: false,
    sound: false,
    captureRate: null,
  }
  const third = await addVideo(good, folder, { replaces: second }, { media, table })
  const clips = await settled(folder)
  expect(clips.map(c => [c.id, c.rendition!.state])).toEqual([
    [first, 'ready'],
    [third, 'ready'],
  ])
  // Letters number the videos as the folder's page does.
  expect((await letterDataSource(s.deps).session(folder, assignment))!.videoIds).toEqual([first, third])
  expect(clips[1]!.media!.frames).toBe(60)
  expect((await (await fetch(clips[1]!.rendition!.table!)).json()).runs).not.toEqual(table.runs)
  const at = (frame: number) => newReviewInput(third, { notes: [{ ...newReviewInput(third).notes[0], frame }] })
  expectRefusal(await ray.call('POST', `/api/folders/${folder}/feedback`, at(60)), 409, 'note-time')
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, at(59))).status).toBe(204)
  for (;;) {
    const { payments } = (await ana.call('GET', '/api/billing')).body
    const bill = payments.find((p: { id: string }) => p.id === assignment)
    if (bill) {
      expect(bill.total).toBe(quote.total)
      break
    }
    await sleep(50)
  }
})

test('a note is accepted on any frame of a video that starts late (needs ffmpeg)', async context => {
  if (!ffmpegPath) return context.skip('ffmpeg is not installed, so the clip cannot be made')
  const folder = await createFolder(ana)
  const film = (await readFile(await ensureTestClip('delayed.mp4'))) as Uint8Array<ArrayBuffer>
  const { id: video, complete } = await startUploadAndSendParts(ana, folder, film)
  // A browser's <video> counts time from the first frame, but the frame table counts from the beginning of the file.
  expect((await complete({ milliseconds: 2500, width: 384, height: 216, poster: false })).status).toBe(200)
  const [clip] = await settled(folder)
  expect(clip!.media!.frames).toBe(75)
  const times = frameTimeline(await (await fetch(clip!.rendition!.table!)).json())
  expect(times.start(0)).toBeCloseTo(0.5, 2)
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, { assignment: crypto.randomUUID(), instructor: ray.id })).status).toBe(
    204,
  )
  const notes = [0, 74].map(frame => ({
    ...newReviewInput(video).notes[0]!,
    id: crypto.randomUUID(),
    frame,
    at: times.milliseconds(frame),
  }))
  expect(notes[1]!.at).toBeGreaterThan(2500)
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, { notes }))).status).toBe(204)
}, 60_000)

test('an unplayable video is not charged, and blocks assignment until it is removed', async () => {
  await s.sql`delete from media_work where state <> 'ready'`
  const folder = await createFolder(ana)
  await addVideo(good, folder)
  const { body: before } = await ana.call('GET', `/api/folders/${folder}/quote`)
  const video = await addVideo(broken, folder)
  await settled(folder)
  expect((await ana.call('GET', `/api/folders/${folder}/quote`)).body).toEqual(before)
  const assign = () => ana.call('POST', `/api/folders/${folder}/assign`, { assignment: crypto.randomUUID(), instructor: ray.id })
  expectRefusal(await assign(), 409, 'unseen')

  const { body } = await admin.call('GET', '/api/admin/media')
  expect(body.counts).toEqual({ refused: 1 })
  expect(body.works).toMatchObject([{ video, folder, state: 'refused', tries: 1 }])
  expect((await admin.call('POST', `/api/admin/media/${video}/retry`)).status).toBe(204)
  expect((await admin.call('POST', `/api/admin/media/${crypto.randomUUID()}/retry`)).status).toBe(404)
  expect((await settled(folder))[1]!.rendition!.state).toBe('refused')
  // An administrator can refuse a video only while it waits or is being prepared, and must give a reason; this one is already refused.
  const refuse = (reason: string) => admin.call('POST', `/api/admin/media/${video}/refuse`, { reason })
  expect((await refuse('Too long')).status).toBe(404)
  await s.sql`update media_work set state = 'waiting', due = now() + interval '1 hour' where video = ${video}`
  expect((await refuse(' ')).status).toBe(422)
  for (const kind of ['voice', 'review'])
    expectRefusal(await admin.call('POST', `/api/admin/media/${video}/refuse?kind=${kind}`, { reason: 'Noise' }), 409, 'not-a-video')
  expect((await ana.call('POST', `/api/admin/media/${video}/refuse`, { reason: 'Mine' })).status).toBe(403)
  expect((await refuse('It keeps the server busy. Film it again.')).status).toBe(204)
  const reason = { code: 'by-administrator', message: 'It keeps the server busy. Film it again.' }
  expect((await settled(folder))[1]!.rendition).toMatchObject({ state: 'refused', unseen: true, reason })
  await ana.call('DELETE', `/api/folders/${folder}/videos/${video}`)
  expect((await assign()).status).toBe(204)
})
