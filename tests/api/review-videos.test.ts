import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { reviewVideoKey } from '../../modules/media/object-keys.ts'
import { createAssignedFolder, expectRefusal, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ray] = await s.playerAndInstructor()
})
afterAll(() => s.end())

async function delivered(more: object = {}) {
  const made = await createAssignedFolder(ana, ray)
  expect((await ray.call('POST', `/api/folders/${made.folder}/feedback`, newReviewInput(made.video, more))).status).toBe(204)
  return { ...made, address: `/api/folders/${made.folder}/review-video?session=${made.assignment}` }
}
const stateOf = async (who: Pick<TestUser, 'call'>, address: string) => (await who.call('GET', address)).body.state

test('a review video is refused to strangers, before delivery, and for long reviews', async () => {
  const { address, assignment } = await delivered()
  const other = await s.player()
  for (const method of ['GET', 'POST'] as const) expect((await other.call(method, address)).status).toBe(404)
  const open = await createAssignedFolder(ana, ray)
  const early = `/api/folders/${open.folder}/review-video?session=${open.assignment}`
  for (const method of ['GET', 'POST'] as const) expect((await ana.call(method, early)).status).toBe(404)
  expect((await ana.call('GET', address.replace(assignment, open.assignment))).status).toBe(404)
  const voices = Array.from({ length: 5 }, () => ({
    id: randomUUID(),
    frame: 0,
    milliseconds: 300_000,
    bytes: 4,
    type: 'audio/webm' as const,
    actions: [],
  }))
  const long = await createAssignedFolder(ana, ray)
  for (const voice of voices)
    await s.deps.objects.put(`voices/${long.assignment}/${voice.id}`, voice.type, Buffer.from([0x1a, 0x45, 0xdf, 0xa3]))
  const review = newReviewInput(long.video, { voices: voices.map(voice => ({ ...voice, video: long.video })) })
  expect((await ray.call('POST', `/api/folders/${long.folder}/feedback`, review)).status).toBe(204)
  await expect.poll(async () => (await ana.call('GET', `/api/folders/${long.folder}`)).body.status).toBe('feedback-given')
  const refused = await ana.call('POST', `/api/folders/${long.folder}/review-video?session=${long.assignment}`)
  expectRefusal(refused, 409, 'review-too-long')
})

test('a review video is queued once; player, instructor and guests see its progress', async () => {
  const { folder, assignment, address } = await delivered()
  const { token } = (await ana.call('POST', `/api/folders/${folder}/links?session=${assignment}`, { id: randomUUID(), name: '' })).body
  const readers = [[ana, address] as const, [ray, address] as const, [s.browser(), `/api/shared/${token}/video`] as const]
  const states = () => Promise.all(readers.map(([who, at]) => stateOf(who, at)))
  expect(await states()).toEqual(['none', 'none', 'none'])
  expect((await ana.call('POST', address)).body).toEqual({ state: 'waiting', progress: 0, url: null, bytes: null })
  expect((await ray.call('POST', address)).status).toBe(202)
  const rows = await s.sql`select folder, player, long, key from media_work where kind = 'review' and video = ${assignment}`
  expect(rows).toEqual([{ folder, player: ana.id, long: false, key: reviewVideoKey(folder, assignment) }])
  await s.sql`
    update media_work set state = 'ready', ended = now(), made = ${s.sql.json({ review: { bytes: 7 } })}
    where kind = 'review' and video = ${assignment}`
  expect(await states()).toEqual(['ready', 'ready', 'ready'])
  expect((await ana.call('GET', address)).body).toMatchObject({ bytes: 7, url: expect.stringContaining(`reviews/${folder}/${assignment}`) })
  // Requesting the video does not count as opening the link.
  expect((await ana.call('GET', `/api/folders/${folder}/links?session=${assignment}`)).body.links).toMatchObject([{ opens: 0 }])
})

test('a corrected capture rate deletes the videos of reviews that show the clip', async () => {
  const old = await delivered()
  const pay = { assignment: old.assignment }
  await handleCommand(s.deps.store, folderDecider, old.folder, 'paid', pay, { command: randomUUID(), actor: 'system' })
  const made = await createAssignedFolder(ana, ray)
  const sides = [made, old].map(({ folder, video }) => ({ folder, video, origin: 4, offset: 0, scale: 1 }))
  const comparisons = [{ id: randomUUID(), title: 'June and now', sides, mode: 'side', stretch: false }]
  const review = newReviewInput(made.video, { comparisons })
  expect((await ray.call('POST', `/api/folders/${made.folder}/feedback`, review)).status).toBe(204)
  const comparing = { ...made, address: `/api/folders/${made.folder}/review-video?session=${made.assignment}` }
  const other = await delivered()
  for (const { folder, assignment, address } of [old, comparing, other]) {
    expect((await ana.call('POST', address)).status).toBe(202)
    await s.sql`
      update media_work set state = 'ready', ended = now(), made = ${s.sql.json({ review: { bytes: 7 } })}
      where kind = 'review' and video = ${assignment}`
    await s.deps.objects.put(reviewVideoKey(folder, assignment), 'video/mp4', Buffer.from('wrong timing'))
  }
  expect((await ana.call('PUT', `/api/folders/${old.folder}/videos/${old.video}/capture-rate`, { rate: 240 })).status).toBe(204)
  await expect.poll(() => stateOf(ana, old.address)).toBe('none')
  await expect.poll(() => stateOf(ana, comparing.address)).toBe('none')
  expect(await s.deps.objects.head(reviewVideoKey(comparing.folder, comparing.assignment))).toBeNull()
  expect(await stateOf(ana, other.address)).toBe('ready')
})
