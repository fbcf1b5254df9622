import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { MAX_MODEL_CLIPS_PER_LIBRARY, MODEL_CLIP_RIGHTS_STATEMENT } from '../../modules/model-clips/policy.ts'
import { accountDecider } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { accountDeletionErrandHandlers } from '../../src/server/account-deletion-errands.ts'
import { dataExportContents } from '../../src/server/data-export-contents.ts'
import { isModelClipNeeded } from '../../src/server/delete-unneeded-model-clips.ts'
import { minimalMp4File } from '../modules/media/container-builders.ts'
import {
  createAssignedFolder,
  createFolder,
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
let eve: TestUser
let bea: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ray] = await s.playerAndInstructor()
  ;[eve, bea] = await Promise.all([s.instructor(), s.player()])
})
afterAll(() => s.end())

const details = { title: 'A good load', skill: 'hitting', side: 'left', angle: 'side' }
const probed = { milliseconds: 2500, width: 320, height: 240, poster: false }
const completion = { ...probed, modelClip: { ...details, rightsConfirmed: true } }

/** Adds a model clip to this instructor's library. Returns the clip's id. */
async function modelClip(of: TestUser, more: object = {}) {
  const { id, complete } = await startUploadAndSendParts(of, of.id)
  const answer = await complete({ ...completion, modelClip: { ...completion.modelClip, ...more } })
  expect([answer.status, answer.body]).toEqual([200, { video: id }])
  return id
}
const library = async (of: TestUser) => (await of.call('GET', '/api/model-clips')).body.clips
const side = (folder: string, video: string, more: object = {}) => ({ folder, video, origin: 0, offset: 0, scale: 1, ...more })
const comparing = (folder: string, video: string, clip: string, of = ray) => ({
  ...newReviewInput(video),
  comparisons: [
    { id: randomUUID(), title: '', sides: [side(folder, video), side(of.id, clip, { mirrored: true })], mode: 'side', stretch: false },
  ],
})
/** Creates a folder with a paid review in which Ray compares the player's clip with this model clip. */
async function delivered(clip: string, player = ana) {
  const at = await createAssignedFolder(player, ray)
  const answer = await ray.call('POST', `/api/folders/${at.folder}/feedback`, comparing(at.folder, at.video, clip))
  expect([answer.status, answer.text]).toEqual([204, ''])
  await s.deps.store.append(`folder-${at.folder}`, BigInt((await s.deps.store.read(`folder-${at.folder}`)).length - 1), [
    {
      id: randomUUID(),
      type: 'FolderPaid',
      data: { assignment: at.assignment },
      meta: { ...systemCommandSource(), name: 'folder.paid' },
    },
  ])
  return at
}
const comparedIn = async (folder: string, who: TestUser = ana) => (await who.call('GET', `/api/folders/${folder}`)).body.session.compared

/** Deletes an account immediately, without waiting for its errand to be due. */
async function deleteAccount(person: string) {
  const due = s.deps.clock().toISOString()
  await handleCommand(s.deps.store, accountDecider, person, 'deleteAgain', { due }, systemCommandSource())
  const gateway = { ...s.deps.gateway, removeCard: async () => {}, removeAddress: async () => {} }
  const errands = accountDeletionErrandHandlers({ ...s.deps, gateway })
  // Tries again until the read models have caught up, as the outbox does.
  await vi.waitFor(() => errands['account.delete']({ person, due }, { id: randomUUID() }), { timeout: 20_000 })
}

test('an instructor adds a model clip, and the log records the confirmed rights', async () => {
  const clip = await modelClip(ray)
  const [added] = await library(ray)
  expect(added).toMatchObject({ ...details, reviews: 0, video: { id: clip, name: 'A good load', url: null } })
  expect(Date.parse(added.rightsConfirmed)).toBeGreaterThan(Date.now() - 60_000)
  const events = await s.deps.store.read(`library-${ray.id}`)
  expect(events.map(e => e.type)).toEqual(['ModelClipAdded', 'ModelClipRightsConfirmed'])
  expect(events[1]).toMatchObject({ data: { clip, statement: MODEL_CLIP_RIGHTS_STATEMENT }, meta: { actor: ray.id } })
  await expect.poll(() => s.sql`select 1 from media_work where video = ${clip} and player = ${ray.id}`).toHaveLength(1)
  const stored = await s.sql`select data from events where type = 'ModelClipAdded'`
  expect(stored).not.toHaveLength(0)
  expect(JSON.stringify(stored)).not.toContain('A good load')
})

test('a clip without details or without confirmed rights is not added', async () => {
  const { complete } = await startUploadAndSendParts(ray, ray.id)
  expectRefusal(await complete(probed), 422, 'invalid')
  const unconfirmed = await complete({ ...probed, modelClip: details })
  expectRefusal(unconfirmed, 422, 'invalid')
  const refused = await complete({ ...probed, modelClip: { ...details, rightsConfirmed: false } })
  expect(refused.body.errors).toEqual([
    { field: 'modelClip.rightsConfirmed', message: 'Confirm that you may show this clip to your players' },
  ])
  expect((await complete(completion)).status).toBe(200)
})

test('a library refuses the same files as a folder', async () => {
  const list = new TextEncoder().encode('This is a shopping list.\n'.repeat(200))
  expectRefusal(await (await startUploadAndSendParts(ray, ray.id, list)).complete(completion), 422, 'not-a-video')
  expect((await startUploadAndSendParts(ray, ray.id, minimalMp4File(), { type: 'video/x-msvideo' })).started.status).toBe(422)
})

test("another instructor's library cannot be used, nor a folder as a library", async () => {
  const clip = await modelClip(ray)
  const folder = await createFolder(ana)
  for (const [who, of] of [
    [eve, ray.id],
    [ray, folder],
    [ana, ray.id],
    [ana, ana.id],
  ] as const) {
    expect((await startUploadAndSendParts(who, of)).started.status).toBe(404)
    expect((await who.call('GET', `/api/uploads?folder=${of}`)).status).toBe(404)
  }
  expect((await eve.call('PUT', `/api/model-clips/${clip}`, details)).status).toBe(404)
  expect((await eve.call('DELETE', `/api/model-clips/${clip}`)).status).toBe(404)
  expect((await eve.call('GET', '/api/model-clips')).text).not.toContain(clip)
  for (const who of [ana, bea]) expect((await who.call('GET', '/api/model-clips')).status).toBe(403)
  // If a folder had the library's id, deleting its player would delete the library's files.
  expectRefusal(await ana.call('POST', '/api/folders', { id: ray.id, name: 'Mine' }), 409, 'exists')
})

test('a model clip in a review is visible only to people who may see that review', async () => {
  const clip = await modelClip(ray)
  const { folder, assignment } = await delivered(clip)
  for (const who of [ana, ray]) {
    const [shown] = await comparedIn(folder, who)
    expect(shown).toMatchObject({ id: clip, name: 'A good load', url: null, isModel: true, folder: { id: ray.id, name: 'A good load' } })
  }
  const link = { id: randomUUID(), name: 'Grandma' }
  const { token } = (await ana.call('POST', `/api/folders/${folder}/links?session=${assignment}`, link)).body
  const guest = (await s.browser().call('GET', `/api/shared/${token}`)).body.session
  expect(guest.compared).toMatchObject([{ id: clip, name: 'Model clip', url: null, isModel: true }])
  for (const who of [eve, bea]) expect((await who.call('GET', `/api/folders/${folder}`)).status).toBe(404)
  expect((await library(ray)).find((c: { video: { id: string } }) => c.video.id === clip).reviews).toBe(1)
})

test("another instructor's clip, or a deleted one, is refused in a review", async () => {
  const { folder, video } = await createAssignedFolder(ana, ray)
  const [theirs, gone] = [await modelClip(eve), await modelClip(ray)]
  expect((await ray.call('DELETE', `/api/model-clips/${gone}`)).status).toBe(204)
  for (const body of [comparing(folder, video, theirs), comparing(folder, video, theirs, eve), comparing(folder, video, gone)])
    expectRefusal(await ray.call('POST', `/api/folders/${folder}/feedback`, body), 409, 'comparison-clip')
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))).status).toBe(204)
})

test('a review refuses a model clip whose skill differs from that of the reviewed clip', async () => {
  const clip = await modelClip(ray, { skill: 'pitching' })
  const at = await createAssignedFolder(ana, ray)
  const body = { ...comparing(at.folder, at.video, clip), grades: [{ skill: 'hitting', grade: 50 }] }
  expectRefusal(await ray.call('POST', `/api/folders/${at.folder}/feedback`, body), 409, 'comparison-skills')
  expect((await library(ray)).find((c: { video: { id: string } }) => c.video.id === clip).reviews).toBe(0)
})

test('a renamed clip has its new name in the library and in reviews', async () => {
  const clip = await modelClip(ray)
  const { folder } = await delivered(clip)
  const renamed = { title: 'Late hands', skill: 'pitching', side: 'right', angle: 'behind' }
  expect((await ray.call('PUT', `/api/model-clips/${clip}`, renamed)).status).toBe(204)
  expect((await library(ray))[0]).toMatchObject({ ...renamed, video: { name: 'Late hands' } })
  expect(await comparedIn(folder)).toMatchObject([{ name: 'Late hands' }])
})

test('a deleted clip stays in delivered reviews, unless it is deleted everywhere', async () => {
  const [used, unused] = [await modelClip(ray), await modelClip(ray)]
  const { folder } = await delivered(used)
  const exists = async (clip: string) => (await s.deps.objects.head(`videos/${ray.id}/${clip}`)) !== null
  for (const clip of [used, unused]) expect((await ray.call('DELETE', `/api/model-clips/${clip}`)).status).toBe(204)
  await expect.poll(() => exists(unused)).toBe(false)
  expect((await library(ray)).map((c: { video: { id: string } }) => c.video.id)).not.toContain(used)
  expect(await exists(used)).toBe(true)
  expect(await comparedIn(folder)).toMatchObject([{ id: used }])
  // The library still lists the retained clip, so that the instructor can find it if the person in it no longer agrees.
  const retained = async () => (await ray.call('GET', '/api/model-clips')).body.retained.map((c: { video: { id: string } }) => c.video.id)
  expect(await retained()).toContain(used)
  expect(await retained()).not.toContain(unused)

  expect((await ray.call('DELETE', `/api/model-clips/${used}?everywhere=true`)).status).toBe(204)
  expect(await comparedIn(folder)).toEqual([])
  expect(await retained()).not.toContain(used)
  await expect.poll(() => exists(used)).toBe(false)
})

test('a deleted clip is kept only until the last player whose review shows it has left', async () => {
  const [clip, players] = [await modelClip(ray), [await s.player(), await s.player()]]
  for (const player of players) {
    await s.saveCard(player.id)
    await delivered(clip, player)
  }
  expect((await ray.call('DELETE', `/api/model-clips/${clip}`)).status).toBe(204)
  const traces = async () => [
    await s.deps.objects.head(`videos/${ray.id}/${clip}`),
    ...(await s.sql`select id from uploads where id = ${clip}`),
    ...(await s.sql`select video from media_work where video = ${clip}`),
  ]
  await deleteAccount(players[0]!.id)
  expect(await traces()).toEqual([expect.anything(), { id: clip }, { video: clip }])
  await deleteAccount(players[1]!.id)
  expect(await traces()).toEqual([null])
})

test("an instructor's data export contains the library with the original files", async () => {
  const owner = await s.instructor()
  const clip = await modelClip(owner)
  await expect.poll(() => library(owner)).toMatchObject([{ video: { id: clip } }])
  const names: string[] = []
  // No review is printed, so no fonts are needed.
  for await (const { name } of dataExportContents(s.deps, owner.id, {} as never)) names.push(name)
  expect(names.filter(name => name.startsWith('Model clips/'))).toEqual(['Model clips/clips.json', 'Model clips/swing.mp4'])
})

test('a full library accepts no more clips', async () => {
  const full = await s.instructor()
  await s.deps.store.append(
    `library-${full.id}`,
    -1n,
    Array.from({ length: MAX_MODEL_CLIPS_PER_LIBRARY }, () => ({
      id: randomUUID(),
      type: 'ModelClipAdded',
      data: { ...details, video: { id: randomUUID(), name: 'swing.mp4', type: 'video/mp4', bytes: 1000 } },
      meta: { ...systemCommandSource(), name: 'library.add' },
    })),
  )
  expectRefusal((await startUploadAndSendParts(full, full.id)).started, 409, 'too-many-model-clips')
})

test('when an instructor leaves, clips in reviews stay and all others are deleted', async () => {
  const leaving = await s.instructor()
  const [used, unused] = [await modelClip(leaving), await modelClip(leaving)]
  const at = await createAssignedFolder(ana, leaving)
  const review = comparing(at.folder, at.video, used, leaving)
  expect((await leaving.call('POST', `/api/folders/${at.folder}/feedback`, review)).status).toBe(204)
  await deleteAccount(leaving.id)
  await expect.poll(() => comparedIn(at.folder)).toMatchObject([{ id: used, name: 'Model clip' }])
  const exists = async (clip: string) => (await s.deps.objects.head(`videos/${leaving.id}/${clip}`)) !== null
  expect([await exists(used), await exists(unused)]).toEqual([true, false])
  expect(await s.sql`select video from media_work where player = ${leaving.id}`).toEqual([{ video: used }])
  // The sweeper calls this function, too. The clip is needed until the only player whose review shows it deletes their account.
  expect(await isModelClipNeeded(s.deps, leaving.id, used)).toBe(true)
  await deleteAccount(ana.id)
  expect(await isModelClipNeeded(s.deps, leaving.id, used)).toBe(false)
})
