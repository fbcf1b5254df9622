import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanupErrandHandlers, fileCleanupProcess } from '../../../modules/media/file-cleanup-process.ts'
import { mediaJobQueue } from '../../../modules/media/media-job-queue.ts'
import {
  deliveredVoiceKey,
  frameTableKey,
  posterKey,
  renditionKey,
  uploadedVoiceKey,
  videoKey,
} from '../../../modules/media/object-keys.ts'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import { preparationErrandHandlers, preparationSchedulingProcess } from '../../../modules/media/preparation-scheduling-process.ts'
import { createTestDatabase } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

const [folder, one, two, three, four] = Array.from({ length: 5 }, randomUUID) as [string, string, string, string, string]
const assignment = randomUUID()
/** Returns the kind and the payload of each errand that a process creates for an event. */
const errandsOf = (process: typeof fileCleanupProcess | typeof preparationSchedulingProcess, type: string, data: object) => {
  const event = { id: randomUUID(), position: 7n, stream: `folder-${folder}`, type, data }
  const answer = process.on[type as 'VideoAdded']?.(event as never)
  return [answer ?? []].flat().map(({ kind, payload }) => [kind, payload])
}
const voices = [one, two].map(id => ({ id, type: 'audio/webm', bytes: 7 }))

test('errands delete removed videos and clips, and recordings of ended assignments', () => {
  const gone = ['media.forget', { folder, video: one }]
  expect(errandsOf(fileCleanupProcess, 'VideoRemoved', { video: one })).toEqual([gone])
  expect(errandsOf(fileCleanupProcess, 'VideoReplaced', { video: one, by: { id: two } })).toEqual([gone])
  for (const type of ['AssignmentWithdrawn', 'AssignmentDeclined', 'FeedbackGiven'])
    expect(errandsOf(fileCleanupProcess, type, { assignment })).toEqual([['voices.forget', { assignment }]])
  expect(errandsOf(fileCleanupProcess, 'ModelClipRemoved', { clip: one })).toEqual([
    ['media.forget-model-clip', { instructor: folder, clip: one }],
  ])
  expect(errandsOf(fileCleanupProcess, 'CaptureRateSet', { video: one, rate: 240, by: two })).toEqual([
    ['media.forget-review-videos', { folder, video: one, position: '7' }],
  ])
  expect(fileCleanupProcess).toMatchObject({ name: 'clearing', startsFrom: 'beginning' })
})

test('new videos, model clips and delivered voice-overs are scheduled for preparation', () => {
  expect(errandsOf(preparationSchedulingProcess, 'VideoAdded', { video: { id: one } })).toEqual([['media.prepare', { folder, video: one }]])
  expect(errandsOf(preparationSchedulingProcess, 'VideoReplaced', { video: one, by: { id: two } })).toEqual([
    ['media.prepare', { folder, video: two }],
  ])
  expect(errandsOf(preparationSchedulingProcess, 'FeedbackGiven', { assignment, review: { voices } })).toEqual([
    ['voices.prepare', { folder, assignment }],
  ])
  for (const review of [{}, { voices: [] }])
    expect(errandsOf(preparationSchedulingProcess, 'FeedbackGiven', { assignment, review })).toEqual([])
  expect(errandsOf(preparationSchedulingProcess, 'ModelClipAdded', { video: { id: one } })).toEqual([
    ['media.prepare-model-clip', { instructor: folder, clip: one }],
  ])
  expect(preparationSchedulingProcess).toMatchObject({ name: 'preparing', startsFrom: 'beginning' })
})

/** An in-memory object store that contains objects with these keys. */
function memoryObjects(...keys: string[]) {
  const stored = new Map<string, string>(keys.map(key => [key, '']))
  const objects = {
    put: async (key: string, type: string, body: Uint8Array) => void stored.set(key, `${type} ${new TextDecoder().decode(body)}`),
    remove: async (key: string) => void stored.delete(key),
    async *list(prefix: string) {
      for (const key of [...stored.keys()].filter(key => key.startsWith(prefix))) yield { key, at: new Date() }
    },
  } as unknown as ObjectStore
  return { stored, objects }
}

test('deleted videos and recordings leave the queue before they leave the object store', async () => {
  const stays = [videoKey(folder, two), renditionKey(folder, two), deliveredVoiceKey(assignment, one), uploadedVoiceKey(randomUUID(), one)]
  const { stored, objects } = memoryObjects(...stays, renditionKey(folder, one), frameTableKey(folder, one), posterKey(folder, one))
  for (const voice of [one, two]) stored.set(uploadedVoiceKey(assignment, voice), '')
  const work = mediaJobQueue(db.sql)
  for (const video of [one, two]) await work.add({ kind: 'rendition', video, folder, key: 'k', type: 'video/mp4', bytes: 9 })
  // A voice-over may have the same id as a video, because clients choose the ids.
  await work.add({ kind: 'voice', video: one, folder, key: 'k', type: 'audio/webm', bytes: 9 })
  const forgotten: unknown[] = []
  const forget = async (...of: unknown[]) => forgotten.push([...of, [...(await work.of([one, two])).keys()]])
  const errands = cleanupErrandHandlers({ sql: db.sql, objects }, { forget } as never)
  await errands['media.forget']({ folder, video: one })
  expect(forgotten).toEqual([[folder, one, [two]]])
  expect([...(await work.of([one], 'voice')).keys()]).toEqual([one])
  await errands['voices.forget']({ assignment })
  expect([...stored.keys()].sort()).toEqual(stays.toSorted())
})

test("a video in its folder is queued once, with the browser's measurements", async () => {
  const { stored, objects } = memoryObjects()
  const media = { codec: 'avc', frames: 7 }
  const askedVideos: string[] = []
  const browserFindings = async (video: string) => {
    askedVideos.push(video)
    return video === one ? { media, table: { scale: 1 } } : null
  }
  const video = (id: string) => ({ id, key: videoKey(folder, id), type: 'video/mp4', bytes: 9, name: 'a.mp4' })
  const player = randomUUID()
  const otherSession = { id: randomUUID(), review: { voices: [{ id: three, type: 'audio/webm', bytes: 7 }] } }
  const errands = preparationErrandHandlers({
    sql: db.sql,
    objects,
    uploads: { browserFindings } as never,
    folderOf: async of =>
      (of === folder
        ? { player, videos: [video(two), video(one), video(three)], sessions: [otherSession, { id: assignment, review: { voices } }] }
        : { player: null, videos: [], sessions: [] }) as never,
    libraryOf: async of => ({ clips: of === player ? [{ video: video(four) }] : [] }) as never,
  })
  await db.sql`truncate media_work`
  const work = mediaJobQueue(db.sql)
  await work.add({ kind: 'rendition', video: three, folder, key: 'as it was', type: 'video/mp4', bytes: 9 })
  for (const id of [one, one, two, three, randomUUID()]) await errands['media.prepare']({ folder, video: id })
  await errands['media.prepare']({ folder: randomUUID(), video: one })
  // A video that is queued already stays as it is, and the browser's measurements are not read again.
  expect(askedVideos).toEqual([one, two])
  await errands['media.prepare-model-clip']({ instructor: player, clip: randomUUID() })
  expect((await work.of([four])).size).toBe(0)
  await errands['media.prepare-model-clip']({ instructor: player, clip: four })
  expect((await work.of([four])).get(four)).toMatchObject({ kind: 'rendition', folder: player })
  await db.sql`delete from media_work where video = ${four}`
  const works = await work.of([one, two, three])
  expect(works.get(one)).toMatchObject({ kind: 'rendition', folder, key: videoKey(folder, one), type: 'video/mp4', bytes: 9, media })
  expect([works.get(two)!.media, works.get(three)!.key]).toEqual([null, 'as it was'])
  expect(await db.sql`select 1 from media_work`).toHaveLength(3)
  expect([...stored]).toEqual([[frameTableKey(folder, one), 'application/json {"scale":1}']])

  for (const of of [folder, randomUUID()]) await errands['voices.prepare']({ folder: of, assignment })
  const voiceWork = await work.of([one, two, three], 'voice')
  expect([...voiceWork.values()].map(w => [w.video, w.key, w.type, w.bytes]).sort()).toEqual(
    [one, two].map(id => [id, deliveredVoiceKey(assignment, id), 'audio/webm', 7]).sort(),
  )
  // The queue needs the player, because players take turns.
  const whose = await db.sql`select kind, player from media_work where player is not null order by kind`
  expect(whose.map(w => [w.kind, w.player])).toEqual(['rendition', 'rendition', 'voice', 'voice'].map(kind => [kind, player]))
})
