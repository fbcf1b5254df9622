import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type DeclaredUpload, type StoredUpload, type VideoUploads, videoUploads } from '../../../modules/media/multipart-video-uploads.ts'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import { MAX_SINGLE_UPLOAD_BYTES } from '../../../modules/media/policy.ts'
import { type SweepResult, storageSweeper } from '../../../modules/media/storage-sweeper.ts'
import { createTestDatabase } from '../../support/postgres.ts'
import { joinBytes, minimalMp4File, mp4Box } from './container-builders.ts'
import { collectItems, putToSignedUrl, startTemporaryObjectStore } from './temporary-object-store.ts'

export let db: Awaited<ReturnType<typeof createTestDatabase>>
let server: Awaited<ReturnType<typeof startTemporaryObjectStore>>
export let testObjectStore: ObjectStore
export let testNow: number
export let testVideoUploads: VideoUploads
/** The ids of the videos in the fake event log. */
export let fakeLogVideoIds: Set<string>

/** Gives the calling file a database and an object store, both empty at the start of each of its tests. */
export function setUpUploads() {
  beforeAll(async () => {
    ;[db, server] = await Promise.all([createTestDatabase(), startTemporaryObjectStore()])
    testObjectStore = server.store
    testVideoUploads = videoUploads(db.sql, testObjectStore, () => new Date(testNow), 0)
  })
  afterAll(() => Promise.all([server.stop(), db.end()]))
  beforeEach(async () => {
    testNow = Date.now()
    fakeLogVideoIds = new Set()
    await db.sql`truncate uploads`
    for (const prefix of ['videos/', 'posters/', 'incoming/'])
      for (const { key } of await collectItems(testObjectStore.list(prefix))) await testObjectStore.remove(key)
    for (const upload of await collectItems(testObjectStore.multiparts())) await testObjectStore.abort(upload)
  })
}

export function advanceClock(milliseconds: number) {
  testNow += milliseconds
}
export function setTestClockToNow() {
  testNow = Date.now()
}

export const HOUR_MS = 3600_000

export const uploadingPlayerId = randomUUID()
export const skipFolderRoomCheck = () => {}
export const declaredUpload = (file: Uint8Array, changes: Partial<DeclaredUpload> = {}): DeclaredUpload => ({
  id: randomUUID(),
  folder: randomUUID(),
  player: uploadingPlayerId,
  name: 'swing.mp4',
  type: 'video/mp4',
  bytes: file.length,
  fingerprint: 'swing',
  ...changes,
})
export const sendParts = async (u: StoredUpload, file: Uint8Array, numbers: number[]) => {
  for (const part of await testVideoUploads.sign(u, numbers)) {
    const start = (part.number - 1) * u.partBytes
    expect((await putToSignedUrl(part.url, file.subarray(start, start + part.bytes))).status).toBe(200)
  }
}
export const addVideoToFakeLog = async (u: StoredUpload) => {
  fakeLogVideoIds.add(u.id)
  return u
}
export const completeUpload = (u: StoredUpload) => testVideoUploads.complete(u.id, uploadingPlayerId, { poster: true }, addVideoToFakeLog)
export const refusalWith = (name: string) => expect.objectContaining({ code: name, message: expect.stringMatching(/^[A-Z].*[.]$/) })
/** A file that is uploaded in four parts: three full ones and a shorter one. */
export const fourPartMp4File = () => joinBytes(minimalMp4File(), mp4Box('free', new Uint8Array(MAX_SINGLE_UPLOAD_BYTES)))
export const sweepStorage = (everything = true): Promise<SweepResult> =>
  storageSweeper({
    sql: db.sql,
    objects: testObjectStore,
    uploads: testVideoUploads,
    clock: () => new Date(testNow),
    log: { info: () => {}, error: () => {} },
    inFolder: async (_, video) => fakeLogVideoIds.has(video),
    inReview: async () => true,
  }).sweep(everything)
