import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { reviewVideoKey } from '../../modules/media/object-keys.ts'
import { reviewVideoScriptAndSourceFiles } from '../../src/api/review-videos.ts'
import { consentTokenFor } from './consent-token.ts'
import { createAssignedFolder, expectRefusal, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

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
  const { bytes, url } = (await ana.call('GET', address)).body
  expect([bytes, url]).toEqual([7, expect.stringContaining(`reviews/${folder}/${assignment}`)])
  const [{ asked }] = await s.sql<[{ asked: string }]>`select asked from media_work where kind = 'review' and video = ${assignment}`
  expect(decodeURIComponent(url)).toContain(`Review ${asked.slice(0, 10)}.mp4`)
  // Requesting a finished video does not make it again.
  expect((await ana.call('POST', address)).body.state).toBe('ready')
  // Requesting the video does not count as opening the link.
  expect((await ana.call('GET', `/api/folders/${folder}/links?session=${assignment}`)).body.links).toMatchObject([{ opens: 0 }])
})

test('the queue gets the predicted properties of a review video', async () => {
  const { assignment, address } = await delivered()
  expect((await ana.call('POST', address)).status).toBe(202)
  const [row] = await s.sql<[{ type: string; media: { milliseconds: number; frames: number; rate: [number, number] } }]>`
    select type, media from media_work where kind = 'review' and video = ${assignment}`
  const constant = { container: 'mp4', codec: 'avc', rotation: 0, variable: false, hdr: false, sound: true, captureRate: null }
  expect(row).toMatchObject({ type: 'video/mp4', media: constant })
  const { milliseconds, frames, rate } = row.media
  expect(rate).toEqual([expect.any(Number), 1])
  expect(frames).toBe(Math.ceil((milliseconds * rate[0]) / 1000))
})

test('a review video that could not be made can be requested again', async () => {
  const { assignment, address } = await delivered()
  expect((await ana.call('POST', address)).body.state).toBe('waiting')
  await s.sql`update media_work set state = 'refused', code = 'crashed', ended = now() where kind = 'review' and video = ${assignment}`
  expect((await ana.call('GET', address)).body).toEqual({ state: 'failed', progress: 0, url: null, bytes: null })
  expect((await ana.call('POST', address)).body).toEqual({ state: 'waiting', progress: 0, url: null, bytes: null })
  expect(await s.sql`select code, ended from media_work where kind = 'review' and video = ${assignment}`).toEqual([
    { code: null, ended: null },
  ])
})

test("a guardian requests the video of the child's review", async () => {
  const child = await s.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Rosa García', guardianEmail: newPlayerInput().email })
  const guardian = s.browser()
  const token = await consentTokenFor(s.sql, child.id)
  expect((await guardian.call('POST', `/api/guardian/${token}`, { answer: 'yes' })).status).toBe(204)
  await s.saveCard((await guardian.call('GET', '/api/family')).body.guardian.id)
  expect((await guardian.call('PUT', `/api/family/children/${child.id}/limit`, { monthly: 50_000 })).status).toBe(204)
  const { folder, video, assignment } = await createAssignedFolder(child, ray)
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))).status).toBe(204)
  await child.call('GET', `/api/folders/${folder}`)
  const address = `/api/family/children/${child.id}/reviews/${assignment}/video`
  expect(await stateOf(guardian, address)).toBe('none')
  expect((await guardian.call('POST', address)).status).toBe(202)
  expect(await stateOf(guardian, address)).toBe('waiting')
})

test('the media worker gets the program that makes review videos, and what it may read', () => {
  const { entry, readable } = reviewVideoScriptAndSourceFiles(s.deps)
  expect(existsSync(entry)).toBe(true)
  expect(readable).toEqual([resolve(import.meta.dirname, '../../src'), '/usr/share/fonts'])
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
