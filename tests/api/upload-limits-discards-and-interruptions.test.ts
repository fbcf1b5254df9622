import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_VIDEO_BYTES } from '../../modules/folders/policy.ts'
import { minimalMp4File } from '../modules/media/container-builders.ts'
import {
  createAssignedFolder,
  createFolder,
  createFolderWithVideo,
  expectRefusal,
  type FullServer,
  startFullServer,
  startUploadAndSendParts,
  type TestUser,
} from './full-server.ts'
import { newPlayerInput, startTestServer } from './test-server.ts'

let s: FullServer
let ana: TestUser
let ben: TestUser
let coach: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ben, coach] = await Promise.all([s.player(), s.player(), s.instructor()])
  await s.saveCard(ana.id)
})
afterAll(() => s.end())

const clips = async (folder: string) => (await ana.call('GET', `/api/folders/${folder}`)).body.clips

test('an upload discarded during its completion is either in its folder or deleted', async () => {
  const folder = await createFolder(ana)
  for (let i = 0; i < 25; i++) {
    const { id, complete } = await startUploadAndSendParts(ana, folder)
    const wait = new Promise(done => setTimeout(done, i))
    const [done, given] = await Promise.all([complete(), wait.then(() => ana.call('DELETE', `/api/uploads/${id}`))])
    const ends = done.status === 200 ? [409] : [204, 404]
    expect([ends.includes(given.status), done.body.code, done.status]).toEqual([
      true,
      { 200: undefined, 404: 'not-found', 409: 'upload-gone' }[done.status],
      done.status,
    ])
    const there = ((await clips(folder)) as { id: string }[]).map(video => video.id)
    expect(there).toEqual(done.status === 200 ? [id] : [])
    for (const video of there) await ana.call('DELETE', `/api/folders/${folder}/videos/${video}`)
  }
})

// @spec:5.24
test('a file of 501 MB, an empty one, or one of a wrong type is refused', async () => {
  const folder = await createFolder(ana)
  const large = await startUploadAndSendParts(ana, folder, minimalMp4File(), { bytes: 501 * 1024 * 1024 })
  expectRefusal(large.started, 422, 'invalid')
  expect(large.started.body.message).toBe('A video can be up to 500 MB')
  expect((await startUploadAndSendParts(ana, folder, minimalMp4File(), { bytes: MAX_VIDEO_BYTES + 1 })).started.status).toBe(422)
  expect((await startUploadAndSendParts(ana, folder, minimalMp4File(), { bytes: 0 })).started.body.message).toBe('This file is empty')
  expect((await startUploadAndSendParts(ana, folder, minimalMp4File(), { type: 'video/x-msvideo' })).started.body.message).toBe(
    'Choose an MP4, MOV or WEBM video',
  )
})

// @spec:5.23 @spec:9.3
test('a fourth video is refused; pending uploads count', async () => {
  const folder = await createFolder(ana)
  for (let i = 0; i < 2; i++) await (await startUploadAndSendParts(ana, folder)).complete()
  const third = await startUploadAndSendParts(ana, folder)
  expectRefusal((await startUploadAndSendParts(ana, folder)).started, 409, 'too-many-videos')
  await third.complete()
  const fourth = (await startUploadAndSendParts(ana, folder)).started
  expectRefusal(fourth, 409, 'too-many-videos')
  expect(fourth.body.message).toBe('A session can have up to 3 videos. Remove one first, or start another folder.')
  expect(await clips(folder)).toHaveLength(3)
})

test('discarding an upload makes room for another video', async () => {
  const folder = await createFolder(ana)
  const three = [
    await startUploadAndSendParts(ana, folder),
    await startUploadAndSendParts(ana, folder),
    await startUploadAndSendParts(ana, folder),
  ]
  expectRefusal((await startUploadAndSendParts(ana, folder)).started, 409, 'too-many-videos')
  expect((await ana.call('DELETE', `/api/uploads/${three[0]!.id}`)).status).toBe(204)
  expect((await ana.call('DELETE', `/api/uploads/${three[0]!.id}`)).status).toBe(404)
  const gone = { code: 'not-found', message: 'This upload was canceled. Choose the file again to start over.' }
  expect(await three[0]!.complete()).toMatchObject({ status: 404, body: gone })
  const sign = await ana.call('POST', `/api/uploads/${three[0]!.id}/sign`, { numbers: [1] })
  expect(sign).toMatchObject({ status: 404, body: gone })
  expect((await startUploadAndSendParts(ana, folder)).started.status).toBe(201)
})

test('an upload to a folder assigned in the meantime is added after the folder returns', async () => {
  const { folder } = await createFolderWithVideo(ana)
  const late = await startUploadAndSendParts(ana, folder)
  const assign = { assignment: randomUUID(), instructor: coach.id }
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, assign)).status).toBe(204)
  expectRefusal(await late.complete(), 409, 'assigned')
  expect((await ana.call('GET', `/api/uploads?folder=${folder}`)).body.uploads).toHaveLength(1)
  await ana.call('POST', `/api/folders/${folder}/withdraw`)
  expect((await late.complete()).status).toBe(200)
  expect(await clips(folder)).toHaveLength(2)
})

test('a completed upload that cannot be added can be discarded later', async () => {
  const { folder } = await createFolderWithVideo(ana)
  const late = await startUploadAndSendParts(ana, folder)
  await ana.call('POST', `/api/folders/${folder}/archive`)
  expectRefusal(await late.complete(), 409, 'archived')
  expectRefusal(await ana.call('DELETE', `/api/uploads/${late.id}`), 409, 'in-progress')
  s.advanceClock(5000)
  expectRefusal(await ana.call('DELETE', `/api/uploads/${late.id}`), 409, 'in-progress')
  s.advanceClock(11_000)
  expect((await ana.call('DELETE', `/api/uploads/${late.id}`)).status).toBe(204)
  const { complete, id } = await startUploadAndSendParts(ana, (await createFolderWithVideo(ana)).folder)
  await complete()
  expectRefusal(await ana.call('DELETE', `/api/uploads/${id}`), 409, 'arrived')
})

test('if the server dies after adding an upload, completing again adds no second video', async () => {
  const folder = await createFolder(ana)
  const { id, complete } = await startUploadAndSendParts(ana, folder)
  await complete()
  await s.sql`update uploads set status = 'checked' where id = ${id}`
  expect((await ana.call('GET', `/api/uploads?folder=${folder}`)).body.uploads).toEqual([])
  s.advanceClock(60_000)
  expectRefusal(await ana.call('DELETE', `/api/uploads/${id}`), 409, 'arrived')
  expect((await complete()).status).toBe(200)
  expect(await clips(folder)).toHaveLength(1)
})

test('a completed upload accepts no more parts and no poster', async () => {
  const { id, complete } = await startUploadAndSendParts(ana, await createFolder(ana))
  expect((await complete()).status).toBe(200)
  expectRefusal(await ana.call('POST', `/api/uploads/${id}/sign`, { numbers: [1] }), 409, 'arrived')
  expectRefusal(await ana.call('POST', `/api/uploads/${id}/poster`, { bytes: 100 }), 409, 'arrived')
})

test('unfinished uploads are listed, without a video that was added and removed', async () => {
  const folder = await createFolder(ana)
  const [gone, one, two] = [
    await startUploadAndSendParts(ana, folder),
    await startUploadAndSendParts(ana, folder),
    await startUploadAndSendParts(ana, folder),
  ]
  await gone.complete()
  await ana.call('DELETE', `/api/folders/${folder}/videos/${gone.id}`)
  // Simulates a server that was killed right after the upload arrived, before its bytes were deleted.
  await s.sql`
    insert into uploads (id, folder, player, name, type, bytes, fingerprint, part_bytes, multipart, status, started, touched)
    select ${gone.id}, folder, player, name, type, bytes, fingerprint, part_bytes, multipart, 'checked', started, touched
    from uploads where id = ${one.id} on conflict (id) do update set status = 'checked'`
  const { uploads } = (await ana.call('GET', `/api/uploads?folder=${folder}`)).body
  expect(uploads.map((u: { id: string }) => u.id)).toEqual([one.id, two.id])
  s.advanceClock(60_000)
  expectRefusal(await ana.call('DELETE', `/api/uploads/${gone.id}`), 409, 'arrived')
})

test('an assigned or archived folder accepts no upload', async () => {
  const { folder } = await createAssignedFolder(ana, coach)
  expectRefusal((await startUploadAndSendParts(ana, folder)).started, 409, 'assigned')
  const archived = await createFolder(ana)
  await ana.call('POST', `/api/folders/${archived}/archive`)
  expectRefusal((await startUploadAndSendParts(ana, archived)).started, 409, 'archived')
})

test('an unavailable video store is reported, and no upload begins', async () => {
  const h = await startTestServer()
  const player = h.browser()
  await player.call('POST', '/api/register/player', newPlayerInput())
  const folder = randomUUID()
  expect((await player.call('POST', '/api/folders', { id: folder, name: 'Swings' })).status).toBe(201)
  const declared = { id: randomUUID(), folder, name: 'a.mp4', type: 'video/mp4', bytes: 100, fingerprint: 'f' }
  const answer = await player.call('POST', '/api/uploads', declared)
  expectRefusal(answer, 503, 'unavailable')
  expect(answer.headers.get('retry-after')).toBe('2')
  expect((await player.call('GET', `/api/uploads?folder=${folder}`)).body).toEqual({ uploads: [] })
  await h.end()
})

test("somebody else's upload is not found", async () => {
  const { id } = await startUploadAndSendParts(ana, await createFolder(ana))
  const probed = { milliseconds: 1, width: 1, height: 1, poster: false }
  for (const [method, path, body] of [
    ['GET', ''],
    ['POST', '/sign', { numbers: [1] }],
    ['POST', '/poster', { bytes: 100 }],
    ['POST', '/complete', probed],
    ['DELETE', ''],
  ] as const) {
    expect([path, (await ben.call(method, `/api/uploads/${id}${path}`, body)).status]).toEqual([path, 404])
  }
  const declared = { id, folder: await createFolder(ben), name: 'x', type: 'video/mp4', bytes: minimalMp4File().length, fingerprint: 'f' }
  expectRefusal(await ben.call('POST', '/api/uploads', declared), 409, 'upload-differs')
})
