import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { feedbackDeliveryErrandHandlers } from '../../src/api/feedback-deliveries.ts'
import { letterDataSource } from '../../src/server/letter-data.ts'
import {
  createFolder,
  createFolderWithVideo,
  expectRefusal,
  type FullServer,
  newReviewInput,
  startFullServer,
  startUploadAndSendParts,
  type TestUser,
} from './full-server.ts'

let s: FullServer
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ray] = await s.playerAndInstructor()
})
afterAll(() => s.end())

async function addVideo(folder: string) {
  const { id, complete } = await startUploadAndSendParts(ana, folder)
  expect((await complete()).status).toBe(200)
  return id
}
/** Waits until the server has queued the video's preparation, and sets its outcome as a worker would. */
const setPreparation = (video: string, state: 'waiting' | 'preparing' | 'ready' | 'refused', more: object = {}) =>
  expect
    .poll(async () => {
      const set = { state, code: state === 'refused' ? 'damaged' : null, ...more }
      return (await s.sql`update media_work set ${s.sql(set)} where video = ${video} returning 1`).length
    })
    .toBe(1)

const assign = (folder: string, assignment: string = randomUUID()) =>
  ana.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: ray.id })
/** Creates an assigned folder with `count` videos whose preparation waits. */
async function createUnpreparedSession(count: number) {
  const [folder, assignment] = [await createFolder(ana), randomUUID()]
  const videos: string[] = []
  for (let n = 0; n < count; n++) videos.push(await addVideo(folder))
  for (const video of videos) await setPreparation(video, 'waiting')
  expect((await assign(folder, assignment)).status).toBe(204)
  return { folder, assignment, videos: videos as [string, string] }
}
const deliver = (folder: string, review: object, how: 'feedback' | 'delivery' = 'feedback') =>
  ray.call('POST', `/api/folders/${folder}/${how}`, review)
const summaryOnly = (summary: string) => ({ notes: [], summary, grades: [] })

/** What the log says that the delivered session costs; undefined if nothing was delivered. */
const billableOf = async (folder: string) =>
  (await s.deps.store.read(`folder-${folder}`)).flatMap(e =>
    e.type === 'FeedbackGiven' ? [(e.data as { billable: object }).billable] : [],
  )[0]
const bytesOf = async (video: string) => (await s.sql<{ bytes: number }[]>`select bytes from media_work where video = ${video}`)[0]!.bytes

test('feedback is refused while no video of the session can be watched', async () => {
  const { folder, videos } = await createUnpreparedSession(2)
  const review = summaryOnly('I cannot see anything.')
  for (const state of ['waiting', 'preparing'] as const) {
    await setPreparation(videos[0], state)
    for (const how of ['feedback', 'delivery'] as const) expectRefusal(await deliver(folder, review, how), 409, 'unprepared', /deliver/)
  }
  // A refused video does not help.
  await setPreparation(videos[1], 'refused')
  expectRefusal(await deliver(folder, review), 409, 'unprepared')
  await setPreparation(videos[0], 'refused')
  expectRefusal(await deliver(folder, review), 409, 'unseen')
  expect(await billableOf(folder)).toBeUndefined()
  await setPreparation(videos[0], 'ready')
  expect((await deliver(folder, newReviewInput(videos[0]))).status).toBe(204)
  expect(await billableOf(folder)).toMatchObject({ videos: 1, bytes: await bytesOf(videos[0]) })
})

test('a video that is not prepared when the feedback is delivered is free', async () => {
  const { folder, videos } = await createUnpreparedSession(2)
  await setPreparation(videos[0], 'ready')
  const [review, key] = [newReviewInput(videos[0]), { 'idempotency-key': randomUUID() }]
  const give = () => ray.call('POST', `/api/folders/${folder}/feedback`, review, key)
  const first = await give()
  expect(first.status).toBe(204)
  const billable = { videos: 1, bytes: await bytesOf(videos[0]), notes: 1 }
  expect(await billableOf(folder)).toEqual(billable)
  // Repeating the request gives the first result, whatever has happened to the videos since.
  await setPreparation(videos[0], 'waiting')
  const again = await give()
  expect([again.status, again.headers.get('x-position')]).toEqual([204, first.headers.get('x-position')])
  expect((await deliver(folder, review)).status).toBe(204)
  expect(await billableOf(folder)).toEqual(billable)
})

test('a video whose rendition is being made again costs as usual', async () => {
  const { folder, videos } = await createUnpreparedSession(1)
  await setPreparation(videos[0], 'waiting', { remaking: true })
  expect((await deliver(folder, newReviewInput(videos[0]))).status).toBe(204)
  expect(await billableOf(folder)).toMatchObject({ videos: 1 })
})

test('a video that becomes ready only after Deliver was pressed is free', async () => {
  const { folder, videos, assignment } = await createUnpreparedSession(2)
  await setPreparation(videos[0], 'ready')
  const review = newReviewInput(videos[0])
  expect((await deliver(folder, review, 'delivery')).body).toEqual({ undoMs: 10_000 })
  await setPreparation(videos[1], 'ready')
  await s.sql`update held_deliveries set due = now() where assignment = ${assignment}`
  const [errand] = await s.sql<{ payload: { delivery: string; assignment: string } }[]>`
    select payload from errands where kind = 'feedback.deliver' and payload ->> 'assignment' = ${assignment}`
  await feedbackDeliveryErrandHandlers(s.deps)['feedback.deliver'](errand!.payload)
  expect(await billableOf(folder)).toMatchObject({ videos: 1, bytes: await bytesOf(videos[0]) })
})

test('a held delivery that is sent again is accepted again', async () => {
  const { folder, videos } = await createUnpreparedSession(1)
  await setPreparation(videos[0], 'ready')
  const review = newReviewInput(videos[0])
  expect((await deliver(folder, review, 'delivery')).status).toBe(200)
  await setPreparation(videos[0], 'waiting')
  const again = await deliver(folder, review, 'delivery')
  expect([again.status, again.body.undoMs > 0]).toEqual([200, true])
  expectRefusal(await deliver(folder, summaryOnly('Other.'), 'delivery'), 409, 'delivering')
})

test('a follow-up leaves out a video of the last session that cannot be played', async () => {
  const { folder, videos, assignment } = await createUnpreparedSession(2)
  await setPreparation(videos[0], 'ready')
  await setPreparation(videos[1], 'refused')
  expect((await deliver(folder, newReviewInput(videos[0]))).status).toBe(204)
  await handleCommand(s.deps.store, folderDecider, folder, 'paid', { assignment }, systemCommandSource())
  const { body: quote } = await ana.call('GET', `/api/folders/${folder}/quote`)
  expect(quote.items).toHaveLength(2)
  const followUp = randomUUID()
  const answer = await assign(folder, followUp)
  expect([answer.status, answer.text]).toEqual([204, ''])
  const { session } = (await ray.call('GET', `/api/folders/${folder}?session=${followUp}`)).body
  expect(session.clips.map((clip: { id: string }) => clip.id)).toEqual([videos[0]])
})

test('the letter about a refused video says what its instructor can do without it', async () => {
  const { folder, videos } = await createUnpreparedSession(2)
  const letterAbout = (video: string) => letterDataSource(s.deps).refusedVideo(folder, video)
  await setPreparation(videos[0], 'refused')
  expect(await letterAbout(videos[0])).toMatchObject({ player: ana.id, isRequest: false, otherVideos: 1 })
  expect(await letterAbout(videos[1])).toBeNull()
  await setPreparation(videos[1], 'refused')
  expect(await letterAbout(videos[1])).toMatchObject({ isRequest: false, otherVideos: 0 })
})

test('a new video that cannot be played must be removed before the folder is assigned', async () => {
  const { folder, video } = await createFolderWithVideo(ana)
  await setPreparation(video, 'refused')
  expectRefusal(await assign(folder), 409, 'unseen')
})
