import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteFilesOfPerson } from '../../modules/media/delete-files-of-person.ts'
import { mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { reviewVideoKey } from '../../modules/media/object-keys.ts'
import { readContainerFile } from '../../modules/media/preparation-process/read-container-file.ts'
import { createAssignedFolder, type FullServer, newReviewInput, startFullServer, type TestUser } from '../api/full-server.ts'
import { sampleVideos } from '../support/sample-media.ts'

let s: FullServer
let ana: TestUser
let ray: TestUser
let swing: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  s = await startFullServer({ mediaWorkers: 1 })
  ;[ana, ray] = await s.playerAndInstructor()
  swing = await readFile(sampleVideos.mp4)
})
afterAll(() => s.end())

async function deliverReview(more: object = {}) {
  const assigned = await createAssignedFolder(ana, ray, {}, swing)
  // Feedback on a video that nobody can watch yet is refused.
  const states = () => s.sql`select state from media_work where video = ${assigned.video}`
  await expect.poll(states, { timeout: 240_000, interval: 200 }).toEqual([{ state: 'ready' }])
  expect((await ray.call('POST', `/api/folders/${assigned.folder}/feedback`, newReviewInput(assigned.video, more))).status).toBe(204)
  return { ...assigned, address: `/api/folders/${assigned.folder}/review-video?session=${assigned.assignment}` }
}
const stateOf = async (who: Pick<TestUser, 'call'>, address: string) => (await who.call('GET', address)).body.state

test('a review video is made once for all viewers, and downloads as an MP4', async () => {
  const { folder, assignment, address } = await deliverReview()
  const link = { id: randomUUID(), name: 'Grandma' }
  const { token } = (await ana.call('POST', `/api/folders/${folder}/links?session=${assignment}`, link)).body
  const guest = s.browser()
  const shared = `/api/shared/${token}/video`
  expect([await stateOf(ana, address), await stateOf(ray, address), await stateOf(guest, shared)]).toEqual(['none', 'none', 'none'])
  const request = await ana.call('POST', address)
  expect([request.status, request.body.url]).toEqual([202, null])
  expect((await ray.call('POST', address)).status).toBe(202)
  await expect.poll(() => stateOf(ana, address), { timeout: 240_000, interval: 200 }).toBe('ready')
  expect(await s.sql`select count(*)::int from media_work where kind = 'review' and video = ${assignment}`).toEqual([{ count: 1 }])
  for (const [who, at] of [
    [ana, address],
    [ray, address],
    [guest, shared],
  ] as const) {
    const { body } = await who.call('GET', at)
    const file = await fetch(body.url)
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="Review \d{4}-\d\d-\d\d\.mp4"$/)
    expect((await file.arrayBuffer()).byteLength).toBe(body.bytes)
  }
  const path = join(tmpdir(), `${assignment}.mp4`)
  const { url } = (await ana.call('GET', address)).body
  await writeFile(path, new Uint8Array(await (await fetch(url)).arrayBuffer()))
  expect((await readContainerFile(path, 'video/mp4')).media).toMatchObject({ codec: 'avc', width: 1280, height: 720, sound: true })
  await rm(path)
  // Requesting the video does not count as opening the link.
  const [{ opens }] = (await ana.call('GET', `/api/folders/${folder}/links?session=${assignment}`)).body.links
  expect(opens).toBe(0)
})

test('a failed review video is made again on request, and deleted with its folder', async () => {
  const { folder, assignment, address } = await deliverReview()
  const key = reviewVideoKey(folder, assignment)
  await mediaJobQueue(s.sql).add({ kind: 'review', video: assignment, folder, player: ana.id, key, type: 'video/mp4', bytes: 0 })
  await s.sql`update media_work set state = 'refused', code = 'crashed', ended = now() where kind = 'review' and video = ${assignment}`
  expect(await stateOf(ana, address)).toBe('failed')
  expect((await ana.call('POST', address)).status).toBe(202)
  await expect.poll(() => stateOf(ana, address), { timeout: 240_000, interval: 200 }).toBe('ready')
  expect(await s.deps.objects.head(key)).not.toBeNull()
  await deleteFilesOfPerson(s.deps, { player: ana.id, folders: [folder], assignments: [assignment] })
  expect([await s.deps.objects.head(key), await stateOf(ana, address)]).toEqual([null, 'none'])
})
