import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { CommandRefused } from '../../../modules/kernel/store.ts'
import { videoUploads } from '../../../modules/media/multipart-video-uploads.ts'
import { posterKey, videoKey } from '../../../modules/media/object-keys.ts'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import { joinBytes, minimalMp4File } from './container-builders.ts'
import { collectItems, putToSignedUrl } from './temporary-object-store.ts'
import {
  addVideoToFakeLog,
  advanceClock,
  completeUpload,
  db,
  declaredUpload,
  fakeLogVideoIds,
  fourPartMp4File,
  HOUR_MS,
  refusalWith,
  sendParts,
  setTestClockToNow,
  setUpUploads,
  skipFolderRoomCheck,
  sweepStorage,
  testNow,
  testObjectStore,
  testVideoUploads,
  uploadingPlayerId,
} from './upload-testbed.ts'

setUpUploads()

test('an upload that the sweeper deletes during its completion is not added', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(u, minimalMp4File(), [1])
  const sweptMeanwhile: ObjectStore = {
    ...testObjectStore,
    read: async (...range) => {
      const bytes = await testObjectStore.read(...range)
      await db.sql`update uploads set status = 'sweeping' where id = ${u.id}`
      return bytes
    },
  }
  const completion = videoUploads(db.sql, sweptMeanwhile, () => new Date(testNow)).complete(
    u.id,
    uploadingPlayerId,
    { poster: false },
    addVideoToFakeLog,
  )
  await expect(completion).rejects.toEqual(refusalWith('upload-gone'))
  expect(fakeLogVideoIds.size).toBe(0)
  advanceClock(25 * HOUR_MS)
  expect(await sweepStorage()).toMatchObject({ uploads: 1 })
})

test('a poster that arrives after its video was completed is not shown, and is deleted', async () => {
  const jpeg = (fill: number) => joinBytes([0xff, 0xd8, 0xff, 0xda, 0, 2], new Uint8Array(46).fill(fill), [0xff, 0xd9])
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(u, minimalMp4File(), [1])
  const url = await testVideoUploads.signPoster(u, 54)
  const still = (fill: number) => putToSignedUrl(url, jpeg(fill), { 'content-type': 'image/jpeg' })
  expect((await still(1)).status).toBe(200)
  await completeUpload(u)
  expect(await collectItems(testObjectStore.list('incoming/'))).toEqual([])
  expect((await still(2)).status).toBe(200)
  await completeUpload(u)
  const shown = await testObjectStore.read(posterKey(u.folder, u.id), 0, 100)
  expect([...shown!]).toEqual([...jpeg(1)])
  await sweepStorage()
  expect(await collectItems(testObjectStore.list('incoming/'))).toHaveLength(1)
  advanceClock(25 * HOUR_MS)
  await sweepStorage()
  expect(await collectItems(testObjectStore.list('incoming/'))).toEqual([])
  expect(await testObjectStore.head(posterKey(u.folder, u.id))).not.toBeNull()
})

test('the sweeper deletes only uploads that did not finish within a day', async () => {
  const file = fourPartMp4File()
  const old = await testVideoUploads.start(declaredUpload(file), skipFolderRoomCheck)
  await sendParts(old, file, [1])
  advanceClock(23 * HOUR_MS)
  const young = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  expect(await sweepStorage()).toEqual({ uploads: 0, multiparts: 0, objects: 0 })
  advanceClock(2 * HOUR_MS)
  expect(await sweepStorage()).toEqual({ uploads: 1, multiparts: 0, objects: 0 })
  expect(await testVideoUploads.find(old.id, uploadingPlayerId)).toBeNull()
  expect((await collectItems(testObjectStore.multiparts())).map(m => m.uploadId)).toEqual([young.multipart])
})

test('the sweeper completes an interrupted sweep, and keeps videos that the log has', async () => {
  const half = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(half, minimalMp4File(), [1])
  await db.sql`update uploads set status = 'sweeping' where id = ${half.id}`
  const inFolder = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(inFolder, minimalMp4File(), [1])
  await completeUpload(inFolder)
  await db.sql`update uploads set status = 'checked' where id = ${inFolder.id}`
  const refused = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(refused, minimalMp4File(), [1])
  await completeUpload(refused)
  fakeLogVideoIds.delete(refused.id)
  await db.sql`update uploads set status = 'checked' where id = ${refused.id}`
  advanceClock(25 * HOUR_MS)
  expect(await sweepStorage()).toMatchObject({ uploads: 2 })
  expect((await db.sql`select id, status from uploads`).map(r => [r.id, r.status])).toEqual([[inFolder.id, 'done']])
  expect(await testObjectStore.head(videoKey(inFolder.folder, inFolder.id))).not.toBeNull()
  expect(await testObjectStore.head(videoKey(refused.folder, refused.id))).toBeNull()
})

test('the sweeper deletes only orphans, and none if there are too many', async () => {
  const [orphan, known, stranger] = [videoKey(randomUUID(), randomUUID()), videoKey(randomUUID(), randomUUID()), 'videos/readme.txt']
  for (const key of [orphan, known, stranger]) await testObjectStore.put(key, 'video/mp4', minimalMp4File())
  fakeLogVideoIds.add(known.split('/')[2]!)
  await testObjectStore.begin(videoKey(randomUUID(), randomUUID()), 'video/mp4')
  expect(await sweepStorage()).toEqual({ uploads: 0, multiparts: 0, objects: 0 })
  advanceClock(25 * HOUR_MS)
  expect(await sweepStorage(false)).toEqual({ uploads: 0, multiparts: 1, objects: 0 })
  // The upload is complete, but the log has no event for its video yet.
  const waiting = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(waiting, minimalMp4File(), [1])
  const frozen = async () => {
    throw new CommandRefused('Frozen.')
  }
  await expect(testVideoUploads.complete(waiting.id, uploadingPlayerId, { poster: false }, frozen)).rejects.toThrow('Frozen.')
  expect(await sweepStorage()).toEqual({ uploads: 0, multiparts: 0, objects: 1 })
  const kept = [known, stranger, videoKey(waiting.folder, waiting.id)]
  expect((await collectItems(testObjectStore.list('videos/'))).map(o => o.key).sort()).toEqual(kept.sort())
  for (let i = 0; i < 51; i++) await testObjectStore.put(videoKey(randomUUID(), randomUUID()), 'video/mp4', new Uint8Array(1))
  expect(await sweepStorage()).toMatchObject({ objects: 0 })
})

test('an upload that completes during a sweep is either added or deleted', async () => {
  for (let i = 0; i < 20; i++) {
    setTestClockToNow()
    const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
    await sendParts(u, minimalMp4File(), [1])
    advanceClock(25 * HOUR_MS)
    const [completed] = await Promise.allSettled([completeUpload(u), sweepStorage(false)])
    const isStored = (await testObjectStore.head(videoKey(u.folder, u.id))) !== null
    if (completed.status === 'fulfilled') expect(isStored).toBe(true)
    else expect(fakeLogVideoIds.has(u.id)).toBe(false)
  }
})
