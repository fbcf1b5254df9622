import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { CommandRefused } from '../../../modules/kernel/store.ts'
import { type StoredUpload, videoUploads } from '../../../modules/media/multipart-video-uploads.ts'
import { incomingVideoKey, posterKey, videoKey } from '../../../modules/media/object-keys.ts'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import { UPLOAD_PART_BYTES } from '../../../modules/media/policy.ts'
import { UnplayableFileError } from '../../../modules/media/unplayable-file-error.ts'
import { joinBytes, minimalMp4File, movFile, mp4Box } from './container-builders.ts'
import { putToSignedUrl } from './temporary-object-store.ts'
import {
  addVideoToFakeLog,
  completeUpload,
  db,
  declaredUpload,
  fakeLogVideoIds,
  fourPartMp4File,
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

test('a completed upload is added with the duration that its file states', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(u, minimalMp4File(), [1])
  expect(await completeUpload(u)).toMatchObject({ id: u.id, milliseconds: 2500, poster: false })
  expect(await testObjectStore.head(videoKey(u.folder, u.id))).toEqual({ bytes: u.bytes, type: 'video/mp4' })
  expect(await testVideoUploads.unfinished(u.folder)).toEqual([])
})

test('an upload whose parts arrive in any order has the bytes in the right order', async () => {
  const file = fourPartMp4File()
  const u = await testVideoUploads.start(declaredUpload(file), skipFolderRoomCheck)
  await sendParts(u, file, [1, 3])
  expect((await testVideoUploads.arrivedParts(u)).map(p => p.number)).toEqual([1, 3])
  await expect(completeUpload(u)).rejects.toEqual(refusalWith('part-missing'))
  // The refusal names the first missing part, even if later parts have arrived.
  await sendParts(u, file, [4])
  await expect(completeUpload(u)).rejects.toThrow('Part 2 of 4 has not arrived.')
  await sendParts(u, file, [2])
  await completeUpload(u)
  expect(
    (await testVideoUploads.arrivedParts((await testVideoUploads.find(u.id, uploadingPlayerId))!)).map(p => [p.number, p.bytes]),
  ).toEqual([...[1, 2, 3].map(number => [number, UPLOAD_PART_BYTES]), [4, file.length - 3 * UPLOAD_PART_BYTES]])
  for (let at = 0; at < file.length; at += UPLOAD_PART_BYTES) {
    const read = await testObjectStore.read(videoKey(u.folder, u.id), at, at + UPLOAD_PART_BYTES)
    expect(Buffer.compare(read!, file.subarray(at, at + UPLOAD_PART_BYTES))).toBe(0)
  }
})

test('completing again after a crash at any step adds the video once', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(u, minimalMp4File(), [1])
  // The server died after the store had assembled the object.
  const multipart = { key: incomingVideoKey(u.folder, u.id), uploadId: u.multipart }
  await testObjectStore.complete(multipart, (await testObjectStore.parts(multipart))!)
  expect((await testVideoUploads.arrivedParts(u)).map(p => p.number)).toEqual([1])
  expect((await testVideoUploads.start(u, skipFolderRoomCheck)).id).toBe(u.id)
  // The server died after checking the bytes: once before it appended the event, once after.
  const died = async () => {
    throw new Error('killed')
  }
  await expect(testVideoUploads.complete(u.id, uploadingPlayerId, { poster: false }, died)).rejects.toThrow('killed')
  expect((await testVideoUploads.find(u.id, uploadingPlayerId))!.status).toBe('checked')
  const addThenDie = (checked: StoredUpload) => addVideoToFakeLog(checked).then(died)
  await expect(testVideoUploads.complete(u.id, uploadingPlayerId, { poster: false }, addThenDie)).rejects.toThrow('killed')
  expect(await completeUpload(u)).toMatchObject({ milliseconds: 2500 })
  expect(await completeUpload(u)).toMatchObject({ milliseconds: 2500 })
  expect((await testVideoUploads.find(u.id, uploadingPlayerId))!.status).toBe('done')
})

test('two completions at the same time both succeed', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(u, minimalMp4File(), [1])
  const both = await Promise.all([completeUpload(u), completeUpload(u)])
  expect(both.map(b => b.milliseconds)).toEqual([2500, 2500])
})

const completeOn = (objects: ObjectStore, u: StoredUpload) =>
  videoUploads(db.sql, objects, () => new Date(testNow)).complete(u.id, uploadingPlayerId, { poster: true }, addVideoToFakeLog)

test('a second completion waits while the store assembles the parts for the first', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(u, minimalMp4File(), [1])
  const [begun, missed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isAssembling = false
  // A store that reports neither the parts nor the object while it assembles the object.
  const slow: ObjectStore = {
    ...testObjectStore,
    complete: async (...args) => {
      isAssembling = true
      begun.resolve()
      await released.promise
      const done = await testObjectStore.complete(...args)
      isAssembling = false
      return done
    },
    parts: async multipart => (isAssembling ? null : testObjectStore.parts(multipart)),
    head: async key => {
      if (!isAssembling) return testObjectStore.head(key)
      missed.resolve()
      return null
    },
  }
  const first = completeOn(slow, u)
  await begun.promise
  const second = completeOn(slow, u)
  await Promise.race([missed.promise, second])
  released.resolve()
  expect((await Promise.all([first, second])).map(({ id, milliseconds }) => [id, milliseconds])).toEqual(Array(2).fill([u.id, 2500]))
})

test('a second completion finds the object while the store still deletes the parts', async () => {
  const file = fourPartMp4File()
  const u = await testVideoUploads.start(declaredUpload(file), skipFolderRoomCheck)
  await sendParts(u, file, [1, 2, 3, 4])
  const sent = await testObjectStore.parts({ key: incomingVideoKey(u.folder, u.id), uploadId: u.multipart })
  const [assembled, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: ObjectStore = {
    ...testObjectStore,
    complete: async (...args) => {
      const done = await testObjectStore.complete(...args)
      assembled.resolve()
      await released.promise
      return done
    },
  }
  const first = completeOn(slow, u)
  await assembled.promise
  const second = await completeOn({ ...testObjectStore, parts: async () => sent!.slice(1) }, u)
  released.resolve()
  expect([second, await first].map(({ id, milliseconds }) => [id, milliseconds])).toEqual(Array(2).fill([u.id, 2500]))
})

test('a file that is damaged or not of its declared type is refused and deleted', async () => {
  const text = new TextEncoder().encode('My swing, in words. '.repeat(50))
  for (const [file, refusal] of [
    [text, 'not-a-video'],
    [movFile(), 'wrong-type'],
    [minimalMp4File().slice(0, -5), 'truncated'],
  ] as const) {
    const u = await testVideoUploads.start(declaredUpload(file), skipFolderRoomCheck)
    await sendParts(u, file, [1])
    const refused = completeUpload(u)
    await expect(refused).rejects.toBeInstanceOf(UnplayableFileError)
    await expect(refused).rejects.toEqual(refusalWith(refusal))
    expect(await testObjectStore.head(videoKey(u.folder, u.id))).toBeNull()
    expect(await testVideoUploads.find(u.id, uploadingPlayerId)).toBeNull()
  }
  expect(fakeLogVideoIds.size).toBe(0)
})

test('the uploaded bytes are kept if the folder cannot accept the video at the moment', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await sendParts(u, minimalMp4File(), [1])
  const frozen = async () => {
    throw new CommandRefused('Frozen.')
  }
  await expect(testVideoUploads.complete(u.id, uploadingPlayerId, { poster: false }, frozen)).rejects.toThrow('Frozen.')
  expect((await testVideoUploads.unfinished(u.folder)).map(x => x.id)).toEqual([u.id])
  expect(await completeUpload(u)).toMatchObject({ id: u.id })
})

test('a poster is kept if it is a JPEG of at most 300 kB, and deleted otherwise', async () => {
  const jpeg = (bytes: number) => joinBytes([0xff, 0xd8, 0xff, 0xda, 0, 2], new Uint8Array(bytes - 8), [0xff, 0xd9])
  for (const [bytes, kept] of [
    [jpeg(54), true],
    [jpeg(300_000), true],
    [jpeg(300_001), false],
    [new TextEncoder().encode('<html>'), false],
    ...[0, 1, 2].map(wrong => [jpeg(54).with(wrong, 7), false] as const),
  ] as const) {
    const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
    await sendParts(u, minimalMp4File(), [1])
    expect((await putToSignedUrl(await testVideoUploads.signPoster(u, bytes.length), bytes, { 'content-type': 'image/jpeg' })).status).toBe(
      200,
    )
    expect(await completeUpload(u)).toMatchObject({ poster: kept })
    expect((await testObjectStore.head(posterKey(u.folder, u.id))) !== null).toBe(kept)
  }
})

test('a file of a different size than announced is refused and deleted', async () => {
  const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
  await testObjectStore.abort({ key: incomingVideoKey(u.folder, u.id), uploadId: u.multipart })
  await testObjectStore.put(incomingVideoKey(u.folder, u.id), 'video/mp4', joinBytes(minimalMp4File(), mp4Box('free')))
  await expect(completeUpload(u)).rejects.toEqual(refusalWith('wrong-size'))
  expect([await testVideoUploads.find(u.id, uploadingPlayerId), await testObjectStore.head(videoKey(u.folder, u.id))]).toEqual([null, null])
})

test.each(['parts', 'complete', 'head', 'read'] as const)(
  'an upload discarded right before `%s` of its completion is reported as discarded',
  async step => {
    const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
    await sendParts(u, minimalMp4File(), [1])
    const discardingStore = {
      ...testObjectStore,
      [step]: async (...args: never[]) => {
        await testVideoUploads.discard(u.id, ['uploading'])
        return (testObjectStore[step] as (...args: never[]) => Promise<unknown>)(...args)
      },
    } as ObjectStore
    const completion = videoUploads(db.sql, discardingStore, () => new Date(testNow)).complete(
      u.id,
      uploadingPlayerId,
      { poster: false },
      addVideoToFakeLog,
    )
    await expect(completion).rejects.toEqual(refusalWith('upload-gone'))
    expect([fakeLogVideoIds.size, await testObjectStore.head(videoKey(u.folder, u.id))]).toEqual([0, null])
  },
)

test('a store error is thrown, unless the upload was discarded in the meantime', async () => {
  for (const isDiscarded of [true, false]) {
    const u = await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck)
    await sendParts(u, minimalMp4File(), [1])
    const broken = {
      ...testObjectStore,
      head: async () => {
        if (isDiscarded) await testVideoUploads.discard(u.id, ['uploading'])
        throw new Error('InvalidRequest')
      },
    }
    const completion = videoUploads(db.sql, broken, () => new Date(testNow)).complete(
      u.id,
      uploadingPlayerId,
      { poster: false },
      addVideoToFakeLog,
    )
    await expect(completion).rejects.toMatchObject(isDiscarded ? { code: 'upload-gone' } : { message: 'InvalidRequest' })
  }
})

test("the browser's measurements are stored with the upload and deleted with it", async () => {
  const replaces = randomUUID()
  const [u, other] = [
    await testVideoUploads.start(declaredUpload(minimalMp4File(), { replaces }), skipFolderRoomCheck),
    await testVideoUploads.start(declaredUpload(minimalMp4File()), skipFolderRoomCheck),
  ]
  expect([u.replaces, other.replaces]).toEqual([replaces, null])
  for (const each of [u, other]) await sendParts(each, minimalMp4File(), [1])
  const inside = { media: { codec: 'avc' }, table: { version: 1 } } as never
  await testVideoUploads.complete(u.id, uploadingPlayerId, { poster: false, inside }, addVideoToFakeLog)
  await completeUpload(other)
  expect([
    await testVideoUploads.browserFindings(u.id),
    await testVideoUploads.browserFindings(other.id),
    await testVideoUploads.browserFindings(randomUUID()),
  ]).toEqual([inside, null, null])
  await testVideoUploads.forget(u.folder, u.id)
  expect([await testObjectStore.head(videoKey(u.folder, u.id)), await testVideoUploads.find(u.id, uploadingPlayerId)]).toEqual([null, null])
  expect([
    await testObjectStore.head(videoKey(other.folder, other.id)),
    (await testVideoUploads.find(other.id, uploadingPlayerId))!.status,
  ]).toMatchObject([{}, 'done'])
})
