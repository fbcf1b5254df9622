import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { filmstripKey, frameTableKey, posterKey, renditionKey, videoKey } from '../../modules/media/object-keys.ts'
import { folders } from '../../projections/folders.ts'
import { fillerBytes, ftypBox, joinBytes, mp4Box } from '../modules/media/container-builders.ts'
import {
  createAssignedFolder,
  createFolder,
  type FullServer,
  newReviewInput,
  startFullServer,
  startUploadAndSendParts,
  type TestUser,
} from './full-server.ts'

// These tests check what each person sees of a folder while its videos are being prepared. No worker runs; the tests set the states.

let s: FullServer
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  admin = await s.admin()
})
afterAll(() => s.end())

const get = async (who: Pick<TestUser, 'call'>, folder: string) => (await who.call('GET', `/api/folders/${folder}`)).body
const folderInList = async (who: TestUser, folder: string) =>
  (await who.call('GET', '/api/folders')).body.folders.find((f: { id: string }) => f.id === folder)
const pathOf = (url: string | null) => url && decodeURIComponent(new URL(url).pathname).split('/').slice(2).join('/')

async function addVideo(player: TestUser, folder: string) {
  const { id, complete } = await startUploadAndSendParts(player, folder)
  expect((await complete()).status).toBe(200)
  return id
}
/** Adds a video whose header declares no length, and which the uploading browser could not play. */
async function addVideoWithoutLength(player: TestUser, folder: string) {
  const file = joinBytes(ftypBox('isom'), mp4Box('moov', mp4Box('mvex')), mp4Box('mdat', fillerBytes())) as Uint8Array<ArrayBuffer>
  const { id, complete } = await startUploadAndSendParts(player, folder, file)
  expect((await complete({ milliseconds: 0, width: 0, height: 0, poster: false })).status).toBe(200)
  return id
}
const media = {
  ...{ container: 'mp4', codec: 'avc', width: 640, height: 360, rotation: 0, milliseconds: 2000, frames: 60, rate: [30, 1] },
  ...{ variable: false, hdr: false, sound: false, captureRate: null },
}
const preparedFiles = {
  rendition: { bytes: 1000, width: 640, height: 360 },
  poster: { bytes: 200 },
  filmstrip: { bytes: 30, count: 60, columns: 10, width: 160, height: 90 },
}
/** Waits until the server has queued a video for preparation, and sets its row in `media_work` as a worker would. */
async function setPreparationResult(video: string, state: string, more: { media?: object; made?: object; code?: string } = {}) {
  const { sql } = s
  const json = (its?: object) => its && sql.json(its as never)
  const set = { state, code: more.code ?? null, media: json(more.media) ?? null, made: json(more.made) ?? null }
  await expect.poll(async () => (await sql`update media_work set ${sql(set)} where video = ${video} returning 1`).length).toBe(1)
}
const removeFromMediaQueue = async (video: string) => {
  await setPreparationResult(video, 'waiting')
  await s.sql`delete from media_work where video = ${video}`
}
/** Sets the key of the still that the uploading browser sent with the clip at index `at` of the folder. */
const setBrowserStill = (folder: string, at: number, key: string) =>
  s.sql`update ${s.sql(tableOf(folders))} set clips = jsonb_set(clips, ${`{${at},poster}`}::text[], ${s.sql.json(key)}) where folder = ${folder}`

test('the folder list counts preparing and unplayable videos, and has the newest still', async () => {
  const ana = await s.player()
  const [begun, folder] = [await createFolder(ana), await createFolder(ana)]
  const videos = []
  for (const its of [begun, begun, begun, folder, folder, folder]) videos.push(await addVideo(ana, its))
  const [first, waiting, preparing, ready, refused, never] = videos as [string, string, string, string, string, string]
  await setPreparationResult(first, 'refused', { code: 'damaged' })
  await setPreparationResult(waiting, 'waiting')
  await setPreparationResult(preparing, 'preparing')
  expect(await folderInList(ana, begun)).toMatchObject({ videos: 3, preparing: 2, unseen: 1, poster: null })
  await setPreparationResult(ready, 'ready', { media, made: preparedFiles })
  await setPreparationResult(refused, 'refused', { code: 'damaged' })
  await removeFromMediaQueue(never)
  expect(await folderInList(ana, folder)).toMatchObject({
    videos: 3,
    preparing: 0,
    unseen: 1,
    clarification: 'none',
    sessions: [],
    declined: null,
  })
  expect(pathOf((await folderInList(ana, folder)).poster)).toBe(posterKey(folder, ready))
  // A still that the browser sent can be the folder's poster, too, but for a prepared video, the worker's still is used.
  await setBrowserStill(folder, 1, 'posters/sent')
  expect(pathOf((await folderInList(ana, folder)).poster)).toBe('posters/sent')
  await setBrowserStill(folder, 2, 'posters/other')
  await s.sql`insert into media_work (video, kind, folder, key, type, bytes, state, media, made)
    values (${never}, 'rendition', ${folder}, ${videoKey(folder, never)}, 'video/mp4', 9, 'ready', ${s.sql.json(media as never)}, ${s.sql.json(preparedFiles)})`
  expect(pathOf((await folderInList(ana, folder)).poster)).toBe(posterKey(folder, never))
  expect(await folderInList(ana, await createFolder(ana))).toMatchObject({ videos: 0, preparing: 0, unseen: 0, poster: null })
})

test('a video whose length was unknown at upload gets the length that the worker read', async () => {
  const ana = await s.player()
  const folder = await createFolder(ana)
  const video = await addVideoWithoutLength(ana, folder)
  expect((await get(ana, folder)).clips).toMatchObject([{ milliseconds: 0 }])
  await setPreparationResult(video, 'ready', { media, made: preparedFiles })
  expect((await get(ana, folder)).clips).toMatchObject([{ milliseconds: media.milliseconds }])
})

test('a video shows what the browser measured until the worker has read the file', async () => {
  const ana = await s.player()
  const folder = await createFolder(ana)
  const [ready, looked, never] = [await addVideo(ana, folder), await addVideo(ana, folder), await addVideo(ana, folder)]
  await setPreparationResult(ready, 'ready', { media, made: preparedFiles })
  await setPreparationResult(looked, 'preparing', { media: { ...media, width: 360, height: 640, captureRate: { rate: 120, by: 'file' } } })
  await removeFromMediaQueue(never)
  await ana.call('PUT', `/api/folders/${folder}/videos/${ready}/capture-rate`, { rate: 240 })
  const { clips } = await get(ana, folder)
  const [one, two, three] = clips
  expect(one).toMatchObject({
    id: ready,
    width: 640,
    height: 360,
    media: { ...media, captureRate: { rate: 240, by: 'person' } },
    rendition: { state: 'ready', width: 640, bytes: 1000 },
  })
  expect([one.url, one.poster, one.rendition.url, one.rendition.table, one.rendition.filmstrip.url].map(pathOf)).toEqual(
    [videoKey, posterKey, renditionKey, frameTableKey, filmstripKey].map(key => key(folder, ready)),
  )
  expect(two).toMatchObject({ width: 360, height: 640, media: { captureRate: { rate: 120, by: 'file' } }, poster: null })
  expect(two.rendition).toMatchObject({ state: 'preparing', url: null })
  expect(three).toMatchObject({ id: never, width: 320, height: 240, poster: null })
  for (const key of ['media', 'rendition']) expect(three).not.toHaveProperty(key)
  for (const clip of clips) for (const key of ['key', 'captureRate', 'replaces']) expect(clip).not.toHaveProperty(key)
})

const given = async (who: TestUser, { folder, video, assignment }: Awaited<ReturnType<typeof createAssignedFolder>>, more: object = {}) => {
  expect((await who.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, more))).status).toBe(204)
  await handleCommand(s.deps.store, folderDecider, folder, 'paid', { assignment }, { command: randomUUID(), actor: 'system' })
}

test('an instructor sees the folder as of their session; the player sees all of it', async () => {
  const [ana, cal, dee] = await Promise.all([s.player(), s.instructor(), s.instructor()])
  await s.saveCard(ana.id)
  const first = await createAssignedFolder(ana, cal, { message: 'First' })
  const { folder } = first
  const checkpoints = [{ video: first.video, skill: 'hitting', name: 'load', frame: 3, by: 'hand' }]
  await given(cal, first, { checkpoints })
  const second = await addVideo(ana, folder)
  const third = await addVideo(ana, folder)
  const assignment = randomUUID()
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: dee.id, message: 'Second' })).status).toBe(204)

  const [cals, dees, all] = [await get(cal, folder), await get(dee, folder), await get(ana, folder)]
  const ids = (its: { clips: { id: string }[] }) => its.clips.map(c => c.id)
  expect(cals).toMatchObject({
    status: 'paid',
    assignment: first.assignment,
    instructor: { id: cal.id },
    videos: 1,
    declined: null,
    clips: [],
    session: { id: first.assignment, message: 'First', videos: 1, compared: [] },
  })
  expect([ids(cals.session), cals.updated]).toEqual([[first.video], cals.session.given])
  expect(dees).toMatchObject({ status: 'assigned', assignment, instructor: { id: dee.id }, videos: 2, clips: [] })
  expect([ids(dees.session), dees.updated, dees.session.given]).toEqual([[second, third], dees.session.assigned, null])
  expect(all).toMatchObject({ status: 'assigned', videos: 3, sessions: [{ id: assignment, videos: 2 }, { id: first.assignment }] })
  for (const hidden of ['folder', 'message']) expect(all.sessions[0]).not.toHaveProperty(hidden)
  const { folders } = (await dee.call('GET', '/api/queue')).body
  expect(folders).toMatchObject([{ id: folder, videos: 2, message: 'Second', assigned: dees.session.assigned }])

  // In the next session with this player, the instructor can compare clips with the earlier session's, whose positions are included.
  const next = await createAssignedFolder(ana, cal)
  const { sessions } = (await cal.call('GET', `/api/folders/${next.folder}/comparable`)).body
  expect(sessions).toMatchObject([
    { id: next.assignment, checkpoints: [] },
    { id: first.assignment, folder: { id: folder, name: 'Swings' }, checkpoints },
  ])
})

test('a refused video of a delivered session no longer counts', async () => {
  const [ana, cal] = await s.playerAndInstructor()
  const folder = await createFolder(ana)
  const [good, refused] = [await addVideo(ana, folder), await addVideo(ana, folder)]
  const assignment = randomUUID()
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: cal.id, message: 'Both' })).status).toBe(204)
  await setPreparationResult(good, 'ready', { media, made: preparedFiles })
  await setPreparationResult(refused, 'refused', { code: 'damaged' })
  expect([(await get(ana, folder)).unseen, (await folderInList(ana, folder)).unseen]).toEqual([1, 1])
  await given(cal, { folder, video: good, assignment })
  expect([(await get(ana, folder)).unseen, (await folderInList(ana, folder)).unseen]).toEqual([0, 0])
})

test('listing comparable clips takes a fixed number of queries and reads no reviews', async () => {
  const [ana, cal] = await s.playerAndInstructor()
  const asks = async () => {
    const { folder } = await createAssignedFolder(ana, cal)
    const { sql } = s.deps
    const statements: string[] = []
    s.deps.sql = new Proxy(sql, {
      apply: (of, self, args) => {
        if (Array.isArray(args[0]) && 'raw' in args[0]) statements.push(args[0].join('…'))
        return Reflect.apply(of, self, args)
      },
    })
    const { body } = await cal.call('GET', `/api/folders/${folder}/comparable`).finally(() => {
      s.deps.sql = sql
    })
    return { sessions: body.sessions.length, statements }
  }
  const [one, two] = [await asks(), await asks()]
  expect([one.sessions, two.sessions]).toEqual([1, 2])
  expect(two.statements).toEqual(one.statements)
  expect(two.statements.filter(s => /\breview,/.test(s))).toEqual([])
})

test("a replacement video belongs to the session, and the folder's history mentions it", async () => {
  const [ana, cal] = await s.playerAndInstructor()
  const { folder, video } = await createAssignedFolder(ana, cal)
  const { clips } = (await get(ana, folder)).session
  const by = { ...clips[0], id: randomUUID(), key: videoKey(folder, randomUUID()), poster: null }
  for (const its of ['url', 'rendition', 'media', 'added']) delete by[its]
  const about = { command: randomUUID(), actor: ana.id }
  await handleCommand(s.deps.store, folderDecider, folder, 'replaceVideo', { video, by, isRefused: true }, about)
  await expect.poll(async () => (await get(cal, folder)).session.clips).toMatchObject([{ id: by.id }])
  const its = await get(cal, folder)
  expect(its).toMatchObject({ videos: 1, clips: [] })
  expect(its.story.map((c: { type: string }) => c.type)).toEqual(['FolderCreated', 'VideoAdded', 'FolderAssigned', 'VideoReplaced'])
  expect((await get(ana, folder)).clips).toEqual([])
})

test('a review lists each compared clip of another folder once, with that folder', async () => {
  const [ana, cal] = await s.playerAndInstructor()
  const [june, july] = [await createFolder(ana, 'June'), await createFolder(ana, 'July')]
  const [one, other] = [await addVideo(ana, june), await addVideo(ana, june)]
  const own = [await addVideo(ana, july), await addVideo(ana, july)] as [string, string]
  for (const folder of [june, july]) {
    const assigned = await ana.call('POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: cal.id })
    expect(assigned.status).toBe(204)
  }
  const side = (folder: string, video: string) => ({ folder, video, origin: 4, offset: 0, scale: 1 })
  const comparing = (...sides: object[]) => ({ id: randomUUID(), title: 'Then and now', sides, mode: 'side', stretch: false })
  expect((await get(cal, july)).session.compared).toEqual([])
  const comparisons = [comparing(side(july, own[0]), side(june, one)), comparing(side(june, one), side(july, own[1]))]
  expect((await cal.call('POST', `/api/folders/${july}/feedback`, newReviewInput(own[0], { comparisons }))).status).toBe(204)
  for (const who of [ana, cal]) {
    const { session } = await get(who, july)
    expect(session.clips.map((c: { id: string }) => c.id)).toEqual(own)
    expect(session.compared).toMatchObject([{ id: one, folder: { id: june, name: 'June' } }])
    // Only the player gets the original.
    expect(pathOf(session.compared[0].url)).toBe(who === ana ? videoKey(june, one) : null)
  }
  expect((await ana.call('GET', `/api/folders/${july}`)).text).not.toContain(other)
})

test('a review names the model clips that it compares with, and a guest sees no rating', async () => {
  const [ana, cal] = await s.playerAndInstructor()
  const details = { title: 'A good load', skill: 'hitting', side: 'left', angle: 'side', rightsConfirmed: true }
  const [clip] = await Promise.all(
    ['used', 'unused'].map(async () => {
      const { id, complete } = await startUploadAndSendParts(cal, cal.id)
      expect((await complete({ milliseconds: 2500, width: 320, height: 240, poster: false, modelClip: details })).status).toBe(200)
      return id
    }),
  )
  const made = await createAssignedFolder(ana, cal)
  const side = (folder: string, video: string) => ({ folder, video, origin: 0, offset: 0, scale: 1 })
  const sides = [side(made.folder, made.video), side(cal.id, clip!)]
  await given(cal, made, { comparisons: [{ id: randomUUID(), title: '', sides, mode: 'side', stretch: false }] })
  const session = `?session=${made.assignment}`
  expect((await ana.call('PUT', `/api/folders/${made.folder}/rating${session}`, { stars: 4 })).status).toBe(204)
  for (const who of [ana, cal]) {
    const shown = (await get(who, made.folder)).session
    expect(shown.rating).toMatchObject({ stars: 4 })
    const library = { id: cal.id, name: 'A good load' }
    expect(shown.compared).toMatchObject([{ id: clip, name: 'A good load', url: null, isModel: true, folder: library }])
  }
  const links = `/api/folders/${made.folder}/links${session}`
  const { token } = (await ana.call('POST', links, { id: randomUUID(), name: 'Grandma' })).body
  const guest = (await s.browser().call('GET', `/api/shared/${token}`)).body.session
  expect(guest).toMatchObject({ id: made.assignment, rating: null, compared: [{ id: clip, isModel: true }] })
})

test("a draft's voice-overs can be heard only by its author", async () => {
  const [ana, cal] = await s.playerAndInstructor()
  const { folder, video } = await createAssignedFolder(ana, cal)
  const heard = (who: Pick<TestUser, 'call'>) => get(who, folder).then(its => its.session.voices.map((v: { id: string }) => v.id))
  expect(await heard(cal)).toEqual([])
  const voice = { id: randomUUID(), video, frame: 0, milliseconds: 3300, bytes: 5000, type: 'audio/webm', actions: [] }
  const draft = { notes: [], summary: '', grades: [], voices: [voice] }
  expect((await cal.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft })).status).toBe(200)
  expect([await heard(cal), await heard(ana), await heard(admin)]).toEqual([[voice.id], [], []])
})
