import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  deleteRenditionJobAndFiles,
  isMediaJobRefused,
  type MediaJob,
  mediaJobQueue,
  presentRendition,
} from '../../../modules/media/media-job-queue.ts'
import { filmstripKey, frameTableKey, posterKey, renditionKey } from '../../../modules/media/object-keys.ts'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import { createPostgresPool } from '../../../src/server/postgres-pool.ts'
import {
  addMediaJobAskedAgo,
  claimMediaJobs,
  db,
  inTransactionWithConstantNow,
  mediaJobOf,
  queueUnderTest,
  samplePreparedFiles,
  sampleVideoProperties,
  secondsUntilDue,
  setUpDatabaseWithEmptyMediaJobQueue,
  sql,
} from './media-job-queue-testbed.ts'

/** Tests the queue itself, without a worker. */

setUpDatabaseWithEmptyMediaJobQueue()

test('work is queued once, separately for a video and a voice-over with the same id', async () => {
  const job = await addMediaJobAskedAgo(1, { media: sampleVideoProperties })
  const other = await addMediaJobAskedAgo(1)
  expect(await mediaJobOf(job.video)).toMatchObject({
    ...job,
    state: 'waiting',
    progress: 0,
    taken: 0,
    tries: 0,
    losses: 0,
    media: sampleVideoProperties,
    made: null,
  })
  expect((await mediaJobOf(other.video)).media).toBeNull()
  await queueUnderTest.add({ ...job, type: 'video/webm' })
  expect((await mediaJobOf(job.video)).type).toBe('video/mp4')
  await queueUnderTest.add({ ...job, kind: 'voice', type: 'audio/webm' })
  expect([(await mediaJobOf(job.video)).type, (await mediaJobOf(job.video, 'voice')).type]).toEqual(['video/mp4', 'audio/webm'])
  expect([...(await queueUnderTest.of([job.video, other.video, randomUUID()])).keys()].sort()).toEqual([job.video, other.video].sort())
  expect(await queueUnderTest.of([])).toEqual(new Map())
})

test('refusing and retrying a voice-over leaves a video with the same id alone', async () => {
  const { video, ...rest } = await addMediaJobAskedAgo(1)
  await queueUnderTest.add({ ...rest, video, kind: 'voice' })
  const states = async () => [(await mediaJobOf(video)).state, (await mediaJobOf(video, 'voice')).state]
  expect(await queueUnderTest.refuseByAdministrator(video, 'voice', 'It is only noise.', 'somebody')).toBe(true)
  expect(await states()).toEqual(['waiting', 'refused'])
  await queueUnderTest.refuseByAdministrator(video, 'rendition', 'It is too long.', 'somebody')
  expect(await queueUnderTest.retry(video, 'voice')).toBe(true)
  expect(await states()).toEqual(['refused', 'waiting'])
})

test('a player gets a letter about a refused video, but not a refused voice-over', async () => {
  const [early, late] = [await addMediaJobAskedAgo(1), await addMediaJobAskedAgo(1)]
  await queueUnderTest.add({ ...early, kind: 'voice' })
  for (const kind of ['voice', 'rendition'] as const) await queueUnderTest.refuseByAdministrator(early.video, kind, 'Too long.', 'somebody')
  const [claimed] = await claimMediaJobs(1)
  await queueUnderTest.refuse(claimed!, 'damaged')
  const letters = await sql`
    select payload from errands where kind = 'letter.video-refused' and payload ->> 'video' in (${early.video}, ${late.video})`
  expect(letters.map(letter => letter.payload.video).sort()).toEqual([early.video, late.video].sort())
})

test('a player gets a letter about each refusal of a video that was retried in between', async () => {
  const { video } = await addMediaJobAskedAgo(1)
  const letters = async () =>
    (await sql`select 1 from errands where kind = 'letter.video-refused' and payload ->> 'video' = ${video}`).length
  const [claimed] = await claimMediaJobs(1)
  await queueUnderTest.refuse(claimed!, 'damaged')
  await queueUnderTest.refuse(claimed!, 'damaged')
  expect(await letters()).toBe(1)
  await queueUnderTest.retry(video, 'rendition')
  // No worker has claimed it since.
  await queueUnderTest.refuseByAdministrator(video, 'rendition', 'Too long.', 'somebody')
  await queueUnderTest.refuseByAdministrator(video, 'rendition', 'Too long.', 'somebody')
  expect(await letters()).toBe(2)
})

test(
  'workers claim the oldest work first, no more than requested, and each job once',
  inTransactionWithConstantNow(async () => {
    const [young, old, middle] = [await addMediaJobAskedAgo(1), await addMediaJobAskedAgo(9), await addMediaJobAskedAgo(5)]
    const taken = [await claimMediaJobs(2), await claimMediaJobs(2), await claimMediaJobs(2)]
    expect(taken.map(some => some.map(job => job.video).sort())).toEqual([[old.video, middle.video].sort(), [young.video], []])
    expect(taken[1]![0]).toMatchObject({ state: 'preparing', taken: 1, tries: 1, losses: 0, error: null })
    expect(await secondsUntilDue(young.video)).toBe(60)
  }),
)

test(
  'the queue returns the time until the next work is due',
  inTransactionWithConstantNow(async () => {
    expect(await queueUnderTest.untilNext()).toBeNull()
    const [one, two] = [await addMediaJobAskedAgo(2), await addMediaJobAskedAgo(1)]
    await sql`update media_work set due = now() + interval '40 s' where video = ${one.video}`
    await sql`update media_work set due = now() + interval '20 s' where video = ${two.video}`
    expect(await queueUnderTest.untilNext()).toBe(20_000)
    await sql`update media_work set state = 'ready' where video = ${two.video}`
    expect(await queueUnderTest.untilNext()).toBe(40_000)
  }),
)

test('listeners are notified of all claimable work', async () => {
  let notifications = 0
  const count = () => notifications++
  await db.sql.listen('media', count, count)
  const expectNotification = async (act: () => Promise<unknown>) => {
    const before = notifications
    const answer = await act()
    await expect.poll(() => notifications).toBe(before + 1)
    return answer
  }
  await expect.poll(() => notifications).toBe(1)
  let job!: Awaited<ReturnType<typeof addMediaJobAskedAgo>>
  await expectNotification(async () => {
    job = await addMediaJobAskedAgo(1)
  })
  await expectNotification(async () => queueUnderTest.recordLoss((await claimMediaJobs())[0]!, 'killed'))
  await expectNotification(async () => queueUnderTest.giveBack((await claimMediaJobs())[0]!, null, 0))
  await expectNotification(() => queueUnderTest.retry(job.video, 'rendition'))
})

test('one statement reads any number of videos, so that its plan is cached', async () => {
  const connection = createPostgresPool(db.url, { max: 1 })
  const workOfConnection = mediaJobQueue(connection)
  const { video } = await addMediaJobAskedAgo(1)
  for (const others of [0, 1, 2]) {
    const all = [video, ...Array.from({ length: others }, () => randomUUID())]
    expect([...(await workOfConnection.of(all)).keys()]).toEqual([video])
  }
  const prepared = connection.unsafe("select 1 from pg_prepared_statements where statement like '%from media_work where%'")
  expect(await prepared).toHaveLength(1)
  await connection.end()
})

test('a video counts as refused only after its preparation has been refused', () => {
  const states: MediaJob['state'][] = ['waiting', 'preparing', 'ready', 'refused']
  expect(states.map(state => isMediaJobRefused({ state }))).toEqual([false, false, false, true])
})

test('the API returns only URLs of files that exist', async () => {
  const { video, folder } = await addMediaJobAskedAgo(1)
  const waiting = await mediaJobOf(video)
  const sign = async (key: string) => `signed:${key}`
  const noFiles = { url: null, bytes: null, width: null, height: null, filmstrip: null }
  expect(await presentRendition({ ...waiting, progress: 0.5 }, sign)).toEqual({
    state: 'waiting',
    progress: 0.5,
    reason: null,
    unseen: false,
    table: null,
    ...noFiles,
  })
  const refused: MediaJob = { ...waiting, state: 'refused', code: 'damaged', media: sampleVideoProperties, made: samplePreparedFiles }
  expect(await presentRendition(refused, sign)).toEqual({
    state: 'refused',
    progress: 0,
    unseen: true,
    table: `signed:${frameTableKey(folder, video)}`,
    ...noFiles,
    reason: { code: 'damaged', message: expect.stringMatching(/^[A-Z].*\.$/) },
  })
  const unknown = await presentRendition({ ...refused, code: 'of tomorrow' as never }, sign)
  expect(unknown.reason!.message).toBe((await presentRendition({ ...refused, code: 'crashed' }, sign)).reason!.message)
  expect(
    await presentRendition({ ...waiting, state: 'ready', progress: 0.9, media: sampleVideoProperties, made: samplePreparedFiles }, sign),
  ).toEqual({
    state: 'ready',
    progress: 1,
    reason: null,
    unseen: false,
    table: `signed:${frameTableKey(folder, video)}`,
    url: `signed:${renditionKey(folder, video)}`,
    bytes: 900,
    width: 720,
    height: 1280,
    filmstrip: { url: `signed:${filmstripKey(folder, video)}`, count: 60, columns: 10, width: 90, height: 160 },
  })
})

test('deleting a video deletes all files made from it, and none of another video', async () => {
  const [gone, stays] = [await addMediaJobAskedAgo(2), await addMediaJobAskedAgo(1)]
  const removed: string[] = []
  const objects = { remove: async (key: string) => void removed.push(key) } as Pick<ObjectStore, 'remove'> as ObjectStore
  await deleteRenditionJobAndFiles(db.sql, objects, gone.folder, gone.video)
  expect(removed.sort()).toEqual([renditionKey, frameTableKey, filmstripKey, posterKey].map(key => key(gone.folder, gone.video)).sort())
  expect([...(await queueUnderTest.of([gone.video, stays.video])).keys()]).toEqual([stays.video])
})
