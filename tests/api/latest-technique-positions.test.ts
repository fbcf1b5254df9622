import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { folders } from '../../projections/folders.ts'
import {
  createAssignedFolder,
  createFolderWithVideo,
  type FullServer,
  newReviewInput,
  startFullServer,
  type TestUser,
} from './full-server.ts'

let s: FullServer
let ana: TestUser
let cal: TestUser
let dee: TestUser
let eve: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, cal, dee, eve] = await Promise.all([s.player(), s.instructor(), s.instructor(), s.instructor()])
  await s.saveCard(ana.id)
})
afterAll(() => s.end())

const position = (video: string, skill: string, name: string, frame: number) => ({ video, skill, name, frame, by: 'hand' })
/** Creates a paid session of `player` in a new folder. Its review has `positions` on the folder's video. */
async function createReviewedSession(player: TestUser, by: TestUser, positions: [skill: string, name: string, frame: number][]) {
  const { folder, video, assignment } = await createAssignedFolder(player, by)
  const checkpoints = positions.map(([skill, name, frame]) => position(video, skill, name, frame))
  const review = { ...newReviewInput(video), ...(checkpoints.length && { checkpoints }) }
  expect((await by.call('POST', `/api/folders/${folder}/feedback`, review)).status).toBe(204)
  await handleCommand(s.deps.store, folderDecider, folder, 'paid', { assignment }, { command: crypto.randomUUID(), actor: 'system' })
  return { folder, video, assignment, checkpoints }
}
const earlierPositions = async (who: Pick<TestUser, 'call'>, folder: string) =>
  (await who.call('GET', `/api/folders/${folder}/technique`)).body.before

test('a session shows the latest positions; instructors see only those they set', async () => {
  const [ana, cal] = await s.playerAndInstructor()
  const first = await createReviewedSession(ana, cal, [
    ['hitting', 'load', 20],
    ['hitting', 'contact', 31],
    ['pitching', 'release', 9],
  ])
  const second = await createReviewedSession(ana, cal, [['hitting', 'contact', 44]])
  const third = await createReviewedSession(ana, dee, [['hitting', 'stance', 2]])
  await createReviewedSession(ana, cal, [])
  const { folder } = await createAssignedFolder(ana, cal)

  // For each skill, Cal gets the positions from his newest session with this player that has any, but not its clips' originals.
  const forCal = await earlierPositions(cal, folder)
  expect(forCal.map((e: { skill: string; session: string }) => [e.skill, e.session])).toEqual([
    ['hitting', second.assignment],
    ['pitching', first.assignment],
  ])
  expect(forCal[0]).toMatchObject({ folder: second.folder, instructor: { id: cal.id }, checkpoints: second.checkpoints })
  expect(forCal[0].clips.map((c: { id: string }) => c.id)).toEqual([second.video])
  expect(forCal[0].clips[0].url).toBeNull()

  const forAna = await earlierPositions(ana, folder)
  expect((await fetch(forAna[0].clips[0].url, { headers: { range: 'bytes=0-7' } })).status).toBe(206)
  expect(forAna[0]).toMatchObject({
    skill: 'hitting',
    session: third.assignment,
    instructor: { id: dee.id },
    checkpoints: third.checkpoints,
  })
  expect(forAna[1]).toMatchObject({ skill: 'pitching', session: first.assignment })

  // A session is compared neither with a later one nor with itself.
  expect(await earlierPositions(ana, first.folder)).toEqual([])
  expect((await earlierPositions(cal, second.folder)).map((e: { session: string }) => e.session)).toEqual([
    first.assignment,
    first.assignment,
  ])

  // A session is requested by its id; a session of another folder is not found.
  const at = (session: string) => ana.call('GET', `/api/folders/${second.folder}/technique?session=${session}`)
  expect((await at(second.assignment)).body.before).toEqual(await earlierPositions(ana, second.folder))
  expect((await at(first.assignment)).status).toBe(404)
  // A folder without a session has no positions.
  expect(await earlierPositions(ana, (await createFolderWithVideo(ana)).folder)).toEqual([])

  // The reply includes the video's media data. A session is left out while its folder is missing from the read model.
  const media = {
    container: 'mov',
    codec: 'avc',
    width: 640,
    height: 360,
    rotation: 0,
    milliseconds: 4000,
    frames: 240,
    rate: [60, 1],
    variable: false,
    hdr: false,
    sound: false,
    captureRate: null,
  }
  await s.sql`insert into media_work (video, kind, folder, key, type, bytes, state, media)
    values (${second.video}, 'rendition', ${second.folder}, 'k', 'video/mp4', 9, 'preparing', ${s.sql.json(media)})
    on conflict (video, kind) do update set media = excluded.media`
  expect((await earlierPositions(cal, folder))[0].clips).toMatchObject([
    { width: 640, height: 360, rendition: { state: expect.any(String) } },
  ])
  await s.sql`delete from ${s.sql(tableOf(folders))} where folder = ${second.folder}`
  expect((await earlierPositions(cal, folder)).map((e: { session: string }) => e.session)).toEqual([first.assignment])
})

test('positions of other people are not returned', async () => {
  const { folder } = await createReviewedSession(ana, cal, [['catching', 'receive', 5]])
  expect((await eve.call('GET', `/api/folders/${folder}/technique`)).status).toBe(404)
  const other = await createAssignedFolder(ana, eve)
  expect(await earlierPositions(eve, other.folder)).toEqual([])
  expect((await cal.call('GET', `/api/folders/${other.folder}/technique`)).status).toBe(404)
})
