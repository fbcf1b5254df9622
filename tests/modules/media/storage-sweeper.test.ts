import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  convertedVoiceKey,
  dataExportKey,
  deliveredVoiceKey,
  incomingPosterKey,
  posterKey,
  reviewVideoKey,
  uploadedVoiceKey,
  videoKey,
  videoKeyPrefixes,
} from '../../../modules/media/object-keys.ts'
import type { MultipartUploadReference, ObjectStore } from '../../../modules/media/object-store.ts'
import { REVIEW_VIDEO_DAYS } from '../../../modules/media/policy.ts'
import { storageSweeper } from '../../../modules/media/storage-sweeper.ts'
import { DATA_EXPORT_DAYS } from '../../../modules/privacy/policy.ts'
import { createTestDatabase } from '../../support/postgres.ts'

const HOUR = 3600_000
const now = Date.parse('2026-06-01T12:00:00Z')
const ago = (hours: number) => new Date(now - hours * HOUR)
/** A time just old enough for deletion, and one not quite old enough. */
const [OLD, YOUNG] = [new Date(now - 24 * HOUR - 1), ago(24)]

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

/**
 * The stored objects and multipart uploads, the videos and voice-overs in the event log, the discarded uploads, the log messages, and
 * whether `discard` refuses.
 */
let stored: Map<string, Date>
let multiparts: (MultipartUploadReference & { at: Date })[]
let inFolders: Set<string>
let inReviews: Set<string>
let discarded: unknown[]
let logLines: [object, string][]
let refused: boolean
beforeEach(async () => {
  ;[stored, multiparts, inFolders, inReviews, discarded, logLines, refused] = [new Map(), [], new Set(), new Set(), [], [], false]
  await db.sql`truncate uploads`
})

async function* each<T>(items: Iterable<T>) {
  yield* [...items]
}
const sweep = (everything = true, signal?: AbortSignal) =>
  storageSweeper({
    sql: db.sql,
    objects: {
      multiparts: () => each(multiparts),
      abort: async (upload: { uploadId: string }) => {
        multiparts = multiparts.filter(u => u.uploadId !== upload.uploadId)
      },
      list: (prefix: string) => each([...stored].filter(([key]) => key.startsWith(prefix)).map(([key, at]) => ({ key, at }))),
      remove: async (key: string) => void stored.delete(key),
    } as unknown as ObjectStore,
    uploads: { discard: async (...args: unknown[]) => !refused && !!discarded.push(args) } as never,
    clock: () => new Date(now),
    log: { info: (...line) => void logLines.push(line), error: (...line) => void logLines.push(line) },
    inFolder: async (folder, video) => inFolders.has(`${folder}/${video}`),
    inReview: async (assignment, voice, delivered) => inReviews.has(`${assignment}/${voice}/${delivered}`),
  }).sweep(everything, signal)

/** Inserts the row of an upload. */
async function uploaded(status: string, touched: Date, multipart = randomUUID() as string) {
  const [id, folder] = [randomUUID(), randomUUID()]
  const [bytes, now] = [9, ago(48)]
  await db.sql`insert into uploads (id, folder, player, name, type, bytes, fingerprint, part_bytes, multipart, status, started, touched)
    values (${id}, ${folder}, ${id}, 'a.mp4', 'video/mp4', ${bytes}, 'f', ${bytes}, ${multipart}, ${status}, ${now}, ${touched})`
  return { id, folder }
}
const statuses = async (...of: { id: string }[]) =>
  Promise.all(of.map(async ({ id }) => (await db.sql`select status from uploads where id = ${id}`)[0]!.status))
const put = (key: string, at = OLD) => {
  stored.set(key, at)
  return key
}
const video = (at = OLD, key = videoKey) => put(key(randomUUID(), randomUUID()), at)

test('an upload untouched for a day is discarded unless its video is in the folder', async () => {
  const [young, going, checked, added, sweeping] = [
    await uploaded('uploading', YOUNG),
    await uploaded('uploading', new Date(OLD.getTime() - 3)),
    await uploaded('checked', new Date(OLD.getTime() - 2)),
    await uploaded('checked', new Date(OLD.getTime() - 1)),
    await uploaded('sweeping', OLD),
  ]
  const half = await uploaded('uploading', new Date(OLD.getTime() - 4))
  await uploaded('done', OLD)
  inFolders = new Set([added, half].map(u => `${u.folder}/${u.id}`))
  expect(await sweep(false)).toEqual({ uploads: 4, multiparts: 0, objects: 0 })
  expect(discarded).toEqual([
    [half.id, ['uploading'], YOUNG],
    [going.id, ['uploading'], YOUNG],
    [checked.id, ['checked'], YOUNG],
    [sweeping.id, ['sweeping'], YOUNG],
  ])
  expect(await statuses(young, added)).toEqual(['uploading', 'done'])
  expect(logLines).toEqual([[{ uploads: 4, multiparts: 0, objects: 0 }, 'unfinished uploads and orphaned objects were deleted']])
  refused = true
  expect((await sweep(false)).uploads).toBe(0)
})

test('only multipart uploads that belong to no open upload are aborted', async () => {
  await uploaded('uploading', YOUNG, 'known')
  await uploaded('done', YOUNG, 'done before')
  const part = (uploadId: string, key = 'videos/a/b', at = OLD) => ({ key, uploadId, at })
  multiparts = [part('known'), part('one'), part('done before'), part('two'), part('young', 'videos/a/c', YOUNG), part('strange', 'a/b')]
  expect(await sweep(false)).toEqual({ uploads: 0, multiparts: 3, objects: 0 })
  expect(multiparts.map(u => u.uploadId)).toEqual(['known', 'young', 'strange'])
  expect(logLines).toHaveLength(1)
  expect(await sweep(false)).toEqual({ uploads: 0, multiparts: 0, objects: 0 })
  // A sweep that deletes nothing logs nothing.
  expect(logLines).toHaveLength(1)
})

test('objects of unknown videos are deleted under every prefix; others are kept', async () => {
  const u = await uploaded('uploading', YOUNG)
  const [folder, id] = [randomUUID(), randomUUID()]
  inFolders.add(`${folder}/${id}`)
  const kept = [
    ...[video(YOUNG), videoKey(u.folder, u.id), videoKey(folder, id), posterKey(folder, id)].map(key => put(key, stored.get(key) ?? OLD)),
    ...[put('videos/no-key-of-ours'), put('others/x'), put(incomingPosterKey(folder, id), YOUNG)],
  ]
  const gone = [
    ...videoKeyPrefixes.map(prefix => put(`${prefix}${randomUUID()}/${randomUUID()}`)),
    put(incomingPosterKey(folder, randomUUID())),
  ]
  await sweep(false)
  expect(stored.size).toBe(kept.length + gone.length)
  expect((await sweep()).objects).toBe(videoKeyPrefixes.length)
  expect([...stored.keys()].sort()).toEqual(kept.toSorted())
  expect(logLines).toEqual([
    [{ uploads: 0, multiparts: 0, objects: videoKeyPrefixes.length }, 'unfinished uploads and orphaned objects were deleted'],
  ])
})

test('a voice-over is kept for its first day, and while a draft or review uses it', async () => {
  const [assignment, drafted, delivered, dropped] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  inReviews = new Set([`${assignment}/${drafted}/false`, `${assignment}/${delivered}/true`])
  const kept = [
    put(uploadedVoiceKey(assignment, drafted)),
    ...[deliveredVoiceKey, convertedVoiceKey].map(key => put(key(assignment, delivered))),
    ...[put(uploadedVoiceKey(assignment, randomUUID()), YOUNG), put('voices/no-key-of-ours')],
  ]
  for (const key of [uploadedVoiceKey, deliveredVoiceKey, convertedVoiceKey]) put(key(assignment, dropped))
  put(deliveredVoiceKey(assignment, drafted))
  expect((await sweep()).objects).toBe(4)
  expect([...stored.keys()].sort()).toEqual(kept.toSorted())
})

test('an export whose errand was lost is deleted a day after it expired', async () => {
  const aged = (hours: number) => put(dataExportKey(randomUUID(), randomUUID()), ago(hours))
  const expired = (DATA_EXPORT_DAYS + 1) * 24
  const [kept, over] = [aged(expired), aged(expired + 1)]
  await sweep(false)
  expect([kept, over].map(key => stored.has(key))).toEqual([true, true])
  await sweep()
  expect([kept, over].map(key => stored.has(key))).toEqual([true, false])
})

const videos = (count: number) => Array.from({ length: count }, () => video())
const known = (count: number) => {
  for (const key of videos(count)) inFolders.add(key.slice('videos/'.length))
}
// If so many objects are orphans, the sweeper is probably connected to the wrong database.
test.each([
  ['50 of 50 objects', 50, 0, true],
  ['51 of 510 objects', 51, 459, true],
  ['51 of 509 objects', 51, 458, false],
  ['1001 of 1201 objects', 1001, 200, false],
])('no orphan is deleted if over 50 objects and over a tenth are orphans: %s', async (_, orphans, others, go) => {
  videos(orphans)
  known(others)
  expect((await sweep()).objects).toBe(go ? orphans : 0)
  expect(stored.size).toBe(go ? others : orphans + others)
  if (!go) expect(logLines[0]![0]).toEqual({ orphans, of: orphans + others })
})

test('the fraction of orphans is computed from all objects, including voice-overs', async () => {
  const assignment = randomUUID()
  for (let i = 0; i < 459; i++) {
    const voice = randomUUID()
    inReviews.add(`${assignment}/${voice}/false`)
    put(uploadedVoiceKey(assignment, voice))
  }
  videos(51)
  expect((await sweep()).objects).toBe(51)
})

test('a sweep stops before its next step when the server stops', async () => {
  const over = AbortSignal.abort(new Error('over'))
  await uploaded('uploading', OLD)
  await expect(sweep(false, over)).rejects.toThrow('over')
  expect(discarded).toEqual([])
  await db.sql`truncate uploads`
  multiparts = [{ key: 'videos/a/b', uploadId: 'one', at: OLD }]
  await expect(sweep(false, over)).rejects.toThrow('over')
  multiparts = []
  for (const key of [incomingPosterKey, videoKey, uploadedVoiceKey]) {
    stored.clear()
    put(key(randomUUID(), randomUUID()))
    await expect(sweep(true, over)).rejects.toThrow('over')
    expect(stored.size).toBe(1)
  }
})

test('a review video is deleted if it has expired or has no job', async () => {
  const day = 24 * HOUR
  const add = async (days: number, state = 'ready') => {
    const [assignment, folder] = [randomUUID(), randomUUID()]
    const key = put(reviewVideoKey(folder, assignment))
    const ended = new Date(now - days * day)
    await db.sql`
      insert into media_work (video, kind, folder, key, type, bytes, state, ended)
      values (${assignment}, 'review', ${folder}, ${key}, 'video/mp4', 0, ${state}, ${ended})`
    return key
  }
  const [kept, over, waiting] = [
    await add(REVIEW_VIDEO_DAYS),
    await add(REVIEW_VIDEO_DAYS + 1),
    await add(REVIEW_VIDEO_DAYS + 1, 'waiting'),
  ]
  const [unknown, young] = [put(reviewVideoKey(randomUUID(), randomUUID())), put(reviewVideoKey(randomUUID(), randomUUID()), YOUNG)]
  await sweep(false)
  expect([kept, over, waiting].map(key => stored.has(key))).toEqual([true, false, true])
  await sweep()
  expect([kept, waiting, unknown, young].map(key => stored.has(key))).toEqual([true, true, false, true])
  await db.sql`delete from media_work`
})
