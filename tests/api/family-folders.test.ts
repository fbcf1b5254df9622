import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { consentTokenFor } from './consent-token.ts'
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
import { birthDateForAge, newPlayerInput } from './test-server.ts'

const DAY_MS = 24 * 3600_000

let t: FullServer
let coach: TestUser
beforeAll(async () => {
  t = await startFullServer()
  coach = await t.instructor()
})
afterAll(() => t.end())

/** Creates a minor, and their guardian, who has given or refused consent. */
async function family(answer: 'yes' | 'no' = 'yes', dateOfBirth = birthDateForAge(15)) {
  const leo = await t.player({ dateOfBirth, guardianName: 'Maria García', guardianEmail: newPlayerInput().email })
  const token = await consentTokenFor(t.sql, leo.id)
  const maria = t.browser()
  expect((await maria.call('POST', `/api/guardian/${token}`, { answer })).status).toBe(204)
  return { leo, maria }
}
const read = (who: Pick<TestUser, 'call'>, folder: string, query = '') => who.call('GET', `/api/family/folders/${folder}${query}`)
const progress = (who: Pick<TestUser, 'call'>, child: string) => who.call('GET', `/api/family/children/${child}/progress`)
const list = (who: Pick<TestUser, 'call'>, child: string) => who.call('GET', `/api/family/children/${child}/folders`)

test("a guardian reads a delivered review like the child, with the child's message", async () => {
  const { leo, maria } = await family()
  const { folder, video } = await createFolderWithVideo(leo)
  const asked = { assignment: randomUUID(), instructor: coach.id, message: 'Is my elbow too high?' }
  expect((await leo.call('POST', `/api/folders/${folder}/assign`, asked)).status).toBe(204)
  await t.saveCard((await maria.call('GET', '/api/family')).body.guardian.id)
  expect((await maria.call('POST', `/api/family/approvals/${asked.assignment}/approve`)).status).toBe(204)
  expect((await coach.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))).status).toBe(204)
  await leo.call('GET', `/api/folders/${folder}`)
  const [theirs, own] = [await read(maria, folder, ''), await leo.call('GET', `/api/folders/${folder}`)]
  expect([theirs.status, own.status]).toEqual([200, 200])
  const { session } = theirs.body
  expect(session).toMatchObject({ message: 'Is my elbow too high?', review: { summary: 'Good load, late hands.' } })
  expect(session.review).toEqual(own.body.session.review)
  expect(session.clips.map((clip: { id: string }) => clip.id)).toEqual([video])
  expect(theirs.body.story.map((event: { type: string }) => event.type)).toContain('FeedbackGiven')
  const admin = await t.admin()
  const check = { check: 'background', checked: '2026-05-02', reference: 'Report 20931', expires: null }
  expect((await admin.call('POST', `/api/admin/instructors/${coach.id}/checks`, check)).status).toBe(204)
  expect((await list(maria, leo.id)).body).toMatchObject({
    reviewers: [{ id: coach.id, name: 'Ana García', checks: [{ kind: 'background', checked: '2026-05-02' }] }],
    instructors: ['Ana García'],
  })
  expect((await list(maria, leo.id)).body.folders).toMatchObject([{ id: folder, sessions: [{ instructor: { id: coach.id } }] }])
  expect((await progress(maria, leo.id)).body.sessions).toMatchObject([{ folder, grades: [{ skill: 'hitting', grade: 55 }] }])
  // Only the guardian sees the instructor's checks in the session, and only the family sees whether the instructor can still answer.
  const asReader = async (who: Pick<TestUser, 'call'>) => (await who.call('GET', `/api/folders/${folder}`)).body.session
  expect((await read(maria, folder)).body.session).toMatchObject({ instructorStatus: 'active', checks: [{ kind: 'background' }] })
  expect(await asReader(leo)).toMatchObject({ id: asked.assignment, instructorStatus: 'active' })
  expect(await asReader(leo)).not.toHaveProperty('checks')
  for (const key of ['instructorStatus', 'checks']) expect(await asReader(coach)).not.toHaveProperty(key)
})

test("a folder's last approval request is shown to the family, not the instructor", async () => {
  const { leo, maria } = await family()
  await t.saveCard((await maria.call('GET', '/api/family')).body.guardian.id)
  const [other, { folder, video }] = [await createFolder(leo), await createFolderWithVideo(leo)]
  const ask = async () => {
    const assignment = randomUUID()
    expect((await leo.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id })).status).toBe(204)
    return assignment
  }
  const first = await ask()
  const approvals = async () =>
    Object.fromEntries(
      (await leo.call('GET', '/api/folders')).body.folders.map((f: { id: string; approval: unknown }) => [f.id, f.approval]),
    )
  expect(await approvals()).toMatchObject({ [folder]: { id: first, status: 'pending' }, [other]: null })
  expect((await maria.call('POST', `/api/family/approvals/${first}/approve`)).status).toBe(204)
  expect(await approvals()).toEqual({ [folder]: null, [other]: null })
  expect((await coach.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))).status).toBe(204)
  await handleCommand(t.deps.store, folderDecider, folder, 'paid', { assignment: first }, systemCommandSource())
  expect((await (await startUploadAndSendParts(leo, folder)).complete()).status).toBe(200)
  const second = await ask()
  expect(await approvals()).toMatchObject({ [folder]: { id: second, status: 'pending' } })
  expect((await coach.call('GET', `/api/folders/${folder}`)).body).toMatchObject({ assignment: first, approval: null })
})

test('a guardian can take a folder back until its review starts', async () => {
  const [{ leo, maria }, other] = [await family(), await family()]
  await t.saveCard((await maria.call('GET', '/api/family')).body.guardian.id)
  const { folder } = await createFolderWithVideo(leo)
  const ask = async () => {
    const assignment = randomUUID()
    expect((await leo.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id })).status).toBe(204)
    return assignment
  }
  const takeBack = (who: Pick<TestUser, 'call'>, query = '') => who.call('POST', `/api/family/folders/${folder}/withdraw${query}`)
  const approve = async (assignment: string) =>
    expect((await maria.call('POST', `/api/family/approvals/${assignment}/approve`)).status).toBe(204)
  const first = await ask()
  expectRefusal(await takeBack(maria), 409, 'request-open')
  await approve(first)
  expect((await takeBack(other.maria)).status).toBe(404)
  expect((await takeBack(maria, `?session=${first}`)).status).toBe(204)
  const { status, story } = (await leo.call('GET', `/api/folders/${folder}`)).body
  expect(status).toBe('open')
  expect(story.at(-1)).toMatchObject({ type: 'AssignmentWithdrawn', detail: { byGuardian: true } })
  await approve(await ask())
  // A page that still shows the first session does not end the second.
  expectRefusal(await takeBack(maria, `?session=${first}`), 409, 'sent-again')
  expect((await coach.call('POST', `/api/folders/${folder}/review`)).status).toBe(204)
  expectRefusal(await takeBack(maria), 409, 'in-review', /^The instructor has started the review/)
})

test("a letter's link to a session that was taken back or returned opens the folder", async () => {
  const { leo, maria } = await family()
  await t.saveCard((await maria.call('GET', '/api/family')).body.guardian.id)
  const { folder, video } = await createFolderWithVideo(leo)
  const assign = async () => {
    const assignment = randomUUID()
    expect((await leo.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id })).status).toBe(204)
    expect((await maria.call('POST', `/api/family/approvals/${assignment}/approve`)).status).toBe(204)
    return assignment
  }
  const shown = async (session: string) => {
    const { status, body } = await read(maria, folder, `?session=${session}`)
    return { status, session: body.session?.id ?? null, clips: body.clips?.map((clip: { id: string }) => clip.id) }
  }
  const takenBack = await assign()
  expect(await shown(takenBack)).toEqual({ status: 200, session: takenBack, clips: [] })
  expect((await maria.call('POST', `/api/family/folders/${folder}/withdraw`)).status).toBe(204)
  expect(await shown(takenBack)).toEqual({ status: 200, session: null, clips: [video] })
  const returned = await assign()
  expect((await coach.call('POST', `/api/folders/${folder}/decline`, { reason: 'Too dark.' })).status).toBe(204)
  await maria.call('GET', '/api/family')
  const newest = await assign()
  for (const ended of [takenBack, returned]) expect(await shown(ended)).toEqual({ status: 200, session: newest, clips: [] })
  expect((await read(maria, folder, `?session=${randomUUID()}`)).status).toBe(404)
})

test('a guardian cannot read folders of other children or of adults', async () => {
  const [{ maria }, { leo: other }, adult] = [await family(), await family(), await t.player()]
  for (const player of [other, adult]) {
    const folder = await createFolder(player)
    await player.call('GET', '/api/folders')
    expect((await read(maria, folder)).status).toBe(404)
    expect((await list(maria, player.id)).status).toBe(404)
    expect((await progress(maria, player.id)).status).toBe(404)
  }
  expect((await read(maria, randomUUID())).status).toBe(404)
})

test('a guardian who refused cannot read folders, and a child cannot use family pages', async () => {
  const { leo, maria } = await family('no')
  const folder = await createFolder(leo)
  await leo.call('GET', '/api/folders')
  expect((await read(maria, folder)).status).toBe(404)
  expect((await list(maria, leo.id)).status).toBe(404)
  expect((await read(leo, folder)).status).toBe(401)
})

test('a guardian loses access when the player turns 18', async () => {
  const day = new Date(t.deps.clock().getTime() + 5 * DAY_MS)
  const { leo, maria } = await family('yes', `${day.getUTCFullYear() - 18}${day.toISOString().slice(4, 10)}`)
  const folder = await createFolder(leo)
  await leo.call('GET', '/api/folders')
  expect((await read(maria, folder)).status).toBe(200)
  t.advanceClock(6 * DAY_MS)
  expect((await read(maria, folder)).status).toBe(404)
  t.advanceClock(-6 * DAY_MS)
})
