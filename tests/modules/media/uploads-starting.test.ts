import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { CommandRefused } from '../../../modules/kernel/store.ts'
import type { StoredUpload } from '../../../modules/media/multipart-video-uploads.ts'
import { incomingVideoKey, videoKey } from '../../../modules/media/object-keys.ts'
import { MAX_SINGLE_UPLOAD_BYTES, UPLOAD_PART_BYTES } from '../../../modules/media/policy.ts'
import { minimalMp4File } from './container-builders.ts'
import { collectItems, putToSignedUrl } from './temporary-object-store.ts'
import {
  advanceClock,
  completeUpload,
  db,
  declaredUpload,
  fourPartMp4File,
  HOUR_MS,
  refusalWith,
  sendParts,
  setUpUploads,
  skipFolderRoomCheck,
  testNow,
  testObjectStore,
  testVideoUploads,
  uploadingPlayerId,
} from './upload-testbed.ts'

setUpUploads()

test('a small file is uploaded in one piece, and a large one in parts', async () => {
  const small = await testVideoUploads.start(declaredUpload(minimalMp4File(), { bytes: MAX_SINGLE_UPLOAD_BYTES - 1 }), skipFolderRoomCheck)
  expect((await testVideoUploads.sign(small, [1])).map(p => p.bytes)).toEqual([MAX_SINGLE_UPLOAD_BYTES - 1])
  const of = (parts: string) => ({ message: `This upload has ${parts}.`, field: 'numbers' })
  await expect(testVideoUploads.sign(small, [1, 2])).rejects.toMatchObject(of('1 part'))
  await expect(testVideoUploads.sign(small, [2])).rejects.toEqual(refusalWith('no-part'))
  const parted = await testVideoUploads.start(declaredUpload(minimalMp4File(), { bytes: MAX_SINGLE_UPLOAD_BYTES }), skipFolderRoomCheck)
  expect((await testVideoUploads.sign(parted, [4, 1])).map(p => p.bytes)).toEqual([
    MAX_SINGLE_UPLOAD_BYTES - 3 * UPLOAD_PART_BYTES,
    UPLOAD_PART_BYTES,
  ])
  await expect(testVideoUploads.sign(parted, [5])).rejects.toEqual(refusalWith('no-part'))
  await expect(testVideoUploads.sign(parted, [5])).rejects.toMatchObject(of('4 parts'))
})

test('an upload URL never writes to a readable key or to a checked video', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  const [part] = await testVideoUploads.sign(u, [1])
  const still = await testVideoUploads.signPoster(u, 54)
  for (const url of [part!.url, still]) expect(new URL(url).pathname).toMatch(/^\/[\w-]+\/incoming\//)
  await sendParts(u, minimalMp4File(), [1])
  await completeUpload(u)
  await putToSignedUrl(part!.url, minimalMp4File().fill(1), {})
  expect([...(await testObjectStore.read(videoKey(u.folder, u.id), 0, u.bytes))!]).toEqual([...minimalMp4File()])
  expect(await collectItems(testObjectStore.list('incoming/'))).toEqual([])
})

test('an upload that an earlier version began under the final key can be completed', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await testObjectStore.abort({ key: incomingVideoKey(u.folder, u.id), uploadId: u.multipart })
  const multipart = await testObjectStore.begin(videoKey(u.folder, u.id), 'video/mp4')
  await db.sql`update uploads set upload_key = null, multipart = ${multipart} where id = ${u.id}`
  const before = (await testVideoUploads.find(u.id, uploadingPlayerId))!
  await sendParts(before, minimalMp4File(), [1])
  expect(await testVideoUploads.arrivedParts(before)).toHaveLength(1)
  await completeUpload(before)
  expect(await testObjectStore.head(videoKey(u.folder, u.id))).toEqual({ bytes: u.bytes, type: 'video/mp4' })
})

test('starting twice returns the same upload; another file, folder or user is refused', async () => {
  const declared = declaredUpload(minimalMp4File())
  const [one, two] = await Promise.all([
    testVideoUploads.start(declared, skipFolderRoomCheck),
    testVideoUploads.start(declared, skipFolderRoomCheck),
  ])
  expect(two).toEqual(one)
  expect(await collectItems(testObjectStore.multiparts())).toHaveLength(1)
  for (const other of [{ bytes: 5 }, { folder: randomUUID() }, { player: randomUUID() }, { type: 'video/webm' }]) {
    await expect(testVideoUploads.start({ ...declared, ...other }, skipFolderRoomCheck)).rejects.toEqual(refusalWith('upload-differs'))
  }
  expect(await testVideoUploads.find(declared.id, randomUUID())).toBeNull()
})

test('an upload to a full folder is refused, counting pending uploads', async () => {
  const folder = randomUUID()
  const counts: number[] = []
  for (let i = 0; i < 3; i++) await testVideoUploads.start(declaredUpload(minimalMp4File(), { folder }), coming => counts.push(coming))
  expect(counts).toEqual([0, 0, 0, 1, 0, 2])
  const full = (coming: number) => {
    if (coming) throw new CommandRefused('Full.')
  }
  await expect(testVideoUploads.start(declaredUpload(minimalMp4File(), { folder }), full)).rejects.toThrow('Full.')
  expect(await testVideoUploads.unfinished(folder)).toHaveLength(3)
  expect(await collectItems(testObjectStore.multiparts())).toHaveLength(3)
})

test('a replacement takes no place in the folder', async () => {
  const folder = randomUUID()
  const replacement = declaredUpload(minimalMp4File(), { folder, replaces: randomUUID() })
  await testVideoUploads.start(replacement, skipFolderRoomCheck)
  const counts: number[] = []
  await testVideoUploads.start(declaredUpload(minimalMp4File(), { folder }), coming => counts.push(coming))
  expect(counts).toEqual([0, 0])
})

test('removing a video discards the unfinished uploads that would replace it', async () => {
  const [folder, video] = [randomUUID(), randomUUID()]
  const replacing = (of: string) => declaredUpload(minimalMp4File(), { folder, replaces: of })
  const [unfinished, completed] = [
    await testVideoUploads.start(replacing(video), skipFolderRoomCheck),
    await testVideoUploads.start(replacing(video), skipFolderRoomCheck),
  ]
  const other = await testVideoUploads.start(replacing(randomUUID()), skipFolderRoomCheck)
  await sendParts(completed, minimalMp4File(), [1])
  await completeUpload(completed)
  await testVideoUploads.forget(folder, video)
  expect(await testVideoUploads.find(unfinished.id, uploadingPlayerId)).toBeNull()
  expect(await testVideoUploads.find(completed.id, uploadingPlayerId)).not.toBeNull()
  expect((await testVideoUploads.unfinished(folder)).map(u => u.id)).toEqual([other.id])
})

test('an upload that the store has dropped starts again with the same id', async () => {
  const file = fourPartMp4File()
  const u = await testVideoUploads.start(declaredUpload(file), skipFolderRoomCheck)
  await sendParts(u, file, [1])
  await testObjectStore.abort({ key: incomingVideoKey(u.folder, u.id), uploadId: u.multipart })
  await expect(completeUpload(u)).rejects.toEqual(refusalWith('part-missing'))
  expect(await testVideoUploads.arrivedParts(u)).toEqual([])
  const again = (await testVideoUploads.find(u.id, uploadingPlayerId))!
  await sendParts(again, file, [1, 2, 3, 4])
  expect(await completeUpload(again)).toMatchObject({ id: u.id })
})

test('concurrent requests restart a dropped upload only once', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await testObjectStore.abort({ key: incomingVideoKey(u.folder, u.id), uploadId: u.multipart })
  await Promise.all([testVideoUploads.arrivedParts(u), testVideoUploads.arrivedParts(u), testVideoUploads.arrivedParts(u)])
  expect((await collectItems(testObjectStore.multiparts())).map(m => m.uploadId)).toEqual([
    (await testVideoUploads.find(u.id, uploadingPlayerId))!.multipart,
  ])
})

test('an upload completed in the meantime has all its parts and does not begin again', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(u, minimalMp4File(), [1])
  await completeUpload(u)
  expect((await testVideoUploads.arrivedParts(u)).map(p => p.number)).toEqual([1])
  expect(await collectItems(testObjectStore.multiparts())).toEqual([])
})

test('discarding an upload removes everything and is final', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(u, minimalMp4File(), [1])
  expect(await testVideoUploads.discard(u.id, ['uploading'])).toBe(true)
  expect(await testVideoUploads.discard(u.id, ['uploading'])).toBe(false)
  expect(await collectItems(testObjectStore.multiparts())).toEqual([])
  await expect(completeUpload(u)).rejects.toEqual(refusalWith('upload-gone'))
})

test('an upload that is being discarded cannot be restarted; other uploads can', async () => {
  const [declared, other] = [declaredUpload(minimalMp4File()), declaredUpload(minimalMp4File())]
  const [u, stays] = [await testVideoUploads.start(declared, skipFolderRoomCheck), await testVideoUploads.start(other, skipFolderRoomCheck)]
  await db.sql`update uploads set status = 'sweeping' where id = ${u.id}`
  await expect(testVideoUploads.start(declared, skipFolderRoomCheck)).rejects.toEqual(refusalWith('upload-gone'))
  expect(await testVideoUploads.find(u.id, uploadingPlayerId)).toBeNull()
  // Repeating an interrupted discard completes it.
  expect(await testVideoUploads.discard(u.id, [])).toBe(true)
  expect(await testVideoUploads.discard(stays.id, ['checked'])).toBe(false)
  expect(await testVideoUploads.discard(stays.id, ['uploading'], new Date(testNow))).toBe(false)
  expect((await testVideoUploads.find(stays.id, uploadingPlayerId))!.status).toBe('uploading')
  expect(await testVideoUploads.discard(stays.id, ['uploading'], new Date(testNow + 1))).toBe(true)
})

test('signing and completing count as activity, so the upload is not discarded', async () => {
  const file = minimalMp4File()
  const [u, other] = [
    await testVideoUploads.start(declaredUpload(file), skipFolderRoomCheck),
    await testVideoUploads.start(declaredUpload(file), skipFolderRoomCheck),
  ]
  const touched = async ({ id }: StoredUpload) => (await db.sql`select touched from uploads where id = ${id}`)[0]!.touched
  const [before, first] = [await touched(other), testNow]
  advanceClock(HOUR_MS)
  await sendParts(u, file, [1])
  expect(Date.parse(await touched(u)) - first).toBe(HOUR_MS)
  advanceClock(HOUR_MS)
  await completeUpload(u)
  expect(Date.parse(await touched(u)) - first).toBe(2 * HOUR_MS)
  expect(await touched(other)).toBe(before)
})
