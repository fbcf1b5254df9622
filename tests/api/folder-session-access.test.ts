import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand } from '../../modules/kernel/decider.ts'
import {
  createAssignedFolder,
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
let cal: TestUser
let dee: TestUser
let eve: TestUser
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, cal, dee, eve, admin] = await Promise.all([s.player(), s.instructor(), s.instructor(), s.instructor(), s.admin()])
  await s.saveCard(ana.id)
})
afterAll(() => s.end())

type Asking = Pick<TestUser, 'call'>
const get = (who: Asking, folder: string, session = '') => who.call('GET', `/api/folders/${folder}${session && `?session=${session}`}`)
const paid = (folder: string, assignment: string) =>
  handleCommand(s.deps.store, folderDecider, folder, 'paid', { assignment }, { command: randomUUID(), actor: 'system' })
const assign = async (folder: string, to: TestUser, message: string) => {
  const assignment = randomUUID()
  const answer = await ana.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: to.id, message })
  expect(answer.status).toBe(204)
  return assignment
}
const added = async (folder: string) => {
  const { id, complete } = await startUploadAndSendParts(ana, folder)
  expect((await complete()).status).toBe(200)
  return id
}
const deliver = async (who: TestUser, folder: string, video: string, summary: string) => {
  const grades = [
    { skill: 'hitting', grade: 55 },
    { skill: 'fielding', grade: 40 },
  ]
  expect((await who.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, { summary, grades }))).status).toBe(204)
}

/** Creates a folder with two sessions: Cal's, about two videos, is delivered and paid; Dee's, about a third video, is only assigned. */
async function twoSessions() {
  const { folder, video: a } = await createFolderWithVideo(ana)
  const b = await added(folder)
  const first = await assign(folder, cal, 'For Cal')
  await deliver(cal, folder, b, 'Cal says')
  await paid(folder, first)
  const c = await added(folder)
  const second = await assign(folder, dee, 'For Dee')
  return { folder, first, second, a, b, c }
}
const ids = (of: { id: string }[]) => of.map(x => x.id)

test('each session stays readable for its player and its own instructor, and no other', async () => {
  const { folder, first, second, a, b, c } = await twoSessions()
  // While the folder is assigned to Dee, Cal can still read his own session.
  const before = (await get(cal, folder)).body
  expect(before).toMatchObject({ status: 'paid', assignment: first, instructor: { id: cal.id }, videos: 2, clips: [] })
  await deliver(dee, folder, c, 'Dee says')
  await paid(folder, second)
  const d = await added(folder)

  for (const who of [ana, admin]) {
    const newest = (await get(who, folder)).body
    expect(newest).toMatchObject({
      status: 'paid',
      videos: 4,
      session: { id: second, message: 'For Dee', review: { summary: 'Dee says' } },
    })
    expect(newest.sessions).toMatchObject([
      { id: second, status: 'paid', instructor: { id: dee.id }, videos: 1, clarification: 'none' },
      { id: first, status: 'paid', instructor: { id: cal.id }, videos: 2, grades: [{ grade: 55 }, { grade: 40 }] },
    ])
    expect([ids(newest.clips), ids(newest.session.clips)]).toEqual([[d], [c]])
    const old = (await get(who, folder, first)).body
    expect(old.session).toMatchObject({ id: first, message: 'For Cal', review: { summary: 'Cal says' }, instructor: { id: cal.id } })
    expect(ids(old.session.clips)).toEqual([a, b])
    expect((await fetch(old.session.clips[1].url, { headers: { range: 'bytes=0-7' } })).status).toBe(206)
  }

  for (const [who, mine, theirs, clips, words] of [
    [cal, first, second, [a, b], ['Cal says', 'For Cal']],
    [dee, second, first, [c], ['Dee says', 'For Dee']],
  ] as const) {
    for (const session of ['', mine]) {
      const { body, text } = await get(who, folder, session)
      expect(body).toMatchObject({
        status: 'paid',
        assignment: mine,
        instructor: { id: who.id },
        videos: clips.length,
        clips: [],
        declined: null,
      })
      expect(ids(body.sessions)).toEqual([mine])
      expect(body.session).toMatchObject({ id: mine, message: words[1], review: { summary: words[0] } })
      expect(ids(body.session.clips)).toEqual(clips)
      // The response contains neither the other instructor's texts, id, session or videos, nor the video added after both sessions.
      const hidden = [theirs, d, ...[a, b, c].filter(v => !(clips as readonly string[]).includes(v)), who === cal ? dee.id : cal.id]
      for (const secret of [...hidden, ...(who === cal ? ['Dee says', 'For Dee'] : ['Cal says', 'For Cal'])])
        expect(text).not.toContain(secret)
      expect(body.story.map((c: { type: string }) => c.type)).toEqual([
        'FolderCreated',
        ...clips.map(() => 'VideoAdded'),
        ...['FolderAssigned', 'ReviewStarted', 'FeedbackGiven'],
      ])
    }
    expect((await get(who, folder, theirs)).status).toBe(404)
  }
  expect((await get(eve, folder)).status).toBe(404)
  expect((await get(eve, folder, first)).status).toBe(404)
  expect((await get(ana, folder, randomUUID())).status).toBe(404)

  const [own] = (await ana.call('GET', '/api/folders')).body.folders.filter((f: { id: string }) => f.id === folder)
  expect(ids(own.sessions)).toEqual([second, first])
})

test("an instructor's queue has all of their sessions, and nobody else's", async () => {
  const { folder, first, second, c } = await twoSessions()
  const queue = async (who: TestUser) =>
    (await who.call('GET', '/api/queue')).body.folders
      .filter((f: { id: string }) => f.id === folder)
      .map((f: Record<string, unknown>) => [f.assignment, f.status, f.videos, f.message])
  expect(await queue(cal)).toEqual([[first, 'paid', 2, 'For Cal']])
  expect(await queue(dee)).toEqual([[second, 'assigned', 1, 'For Dee']])
  await deliver(dee, folder, c, 'Dee says')
  await paid(folder, second)
  const third = await assign(folder, cal, 'Again')
  expect(await queue(cal)).toEqual([
    [first, 'paid', 2, 'For Cal'],
    [third, 'assigned', 1, 'Again'],
  ])
})

test("an old session's question can be answered while another instructor works", async () => {
  const { folder, first, second } = await twoSessions()
  const ask = (question: string, session: string) => ana.call('POST', `/api/folders/${folder}/question?session=${session}`, { question })
  expectRefusal(await ask('Too early?', second), 409, 'no-feedback')
  expect((await ask('How late?', first)).status).toBe(204)
  expect((await get(cal, folder)).body).toMatchObject({ clarification: 'asked', session: { question: 'How late?', answer: null } })
  expect((await get(dee, folder)).text).not.toContain('How late?')
  const asked = async (who: TestUser) =>
    (await who.call('GET', '/api/queue')).body.folders
      .filter((f: { id: string }) => f.id === folder)
      .map((f: Record<string, unknown>) => [f.assignment, f.question])
  expect(await asked(cal)).toEqual([[first, 'How late?']])
  expect(await asked(dee)).toEqual([[second, null]])
  const answer = { answer: 'Two frames.' }
  expect((await dee.call('POST', `/api/folders/${folder}/answer?session=${first}`, answer)).status).toBe(404)
  expect((await cal.call('POST', `/api/folders/${folder}/answer?session=${first}`, answer)).status).toBe(204)
  expect(await asked(cal)).toEqual([[first, null]])
  expect((await get(ana, folder, first)).body.session).toMatchObject({
    question: 'How late?',
    answer: 'Two frames.',
    clarification: 'answered',
    answered: expect.any(String),
  })
  expect((await get(ana, folder)).body.session).toMatchObject({ id: second, question: null })
})

test("a former instructor cannot change the next instructor's draft with any key", async () => {
  const { folder, video } = await createAssignedFolder(ana, cal)
  const key = { 'idempotency-key': randomUUID() }
  const decline = () => cal.call('POST', `/api/folders/${folder}/decline`, { reason: 'Away' }, key)
  const draft = (summary: string) => ({ revision: 0, draft: { notes: [], summary, grades: [] } })
  const tries = () =>
    Promise.all([
      cal.call('GET', `/api/folders/${folder}/draft`, undefined, key),
      cal.call('PUT', `/api/folders/${folder}/draft`, draft('Mine'), key),
      cal.call('PUT', `/api/folders/${folder}/draft`, { ...draft('Mine'), revision: 1 }, key),
      cal.call('POST', `/api/folders/${folder}/review`, undefined, { 'idempotency-key': randomUUID() }),
      cal.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video), { 'idempotency-key': randomUUID() }),
      cal.call('POST', `/api/folders/${folder}/answer`, { answer: 'So' }, { 'idempotency-key': randomUUID() }),
    ])
  expect((await decline()).status).toBe(204)
  // The folder is assigned to nobody.
  expect((await tries()).map(a => a.status)).toEqual([404, 404, 404, 404, 404, 404])
  expectRefusal(await cal.call('POST', `/api/folders/${folder}/review`, undefined, key), 422, 'key-reused')
  expectRefusal(await cal.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video), key), 404, 'not-found')

  const next = await assign(folder, dee, 'For Dee')
  expect((await dee.call('PUT', `/api/folders/${folder}/draft`, draft('Dee writes'))).body).toEqual({ revision: 1 })
  expect((await tries()).map(a => a.status)).toEqual([404, 404, 404, 404, 404, 404])
  expectRefusal(await cal.call('POST', `/api/folders/${folder}/feedback?session=${next}`, newReviewInput(video), key), 404, 'not-found')
  // Repeating the command returns the first result and changes nothing.
  expect((await decline()).status).toBe(204)
  expect((await dee.call('GET', `/api/folders/${folder}/draft`)).body).toMatchObject({ revision: 1, draft: { summary: 'Dee writes' } })
  expect((await get(dee, folder)).body.status).toBe('in-review')
})

test('a draft belongs to one assignment and is deleted on decline or delivery', async () => {
  const { folder, video, assignment } = await createAssignedFolder(ana, cal)
  const at = (session: string) => `/api/folders/${folder}/draft?session=${session}`
  const save = (session: string, summary: string) =>
    cal.call('PUT', at(session), { revision: 0, draft: { notes: [], summary, grades: [] } })
  const kept = (id: string) =>
    expect.poll(async () =>
      (await s.sql`select summary from (select draft ->> 'summary' as summary from drafts where assignment = ${id}) d`).map(r => r.summary),
    )
  expect((await save(assignment, 'First')).status).toBe(200)
  const [row] = await s.sql`select instructor from drafts where assignment = ${assignment}`
  expect(row!.instructor).toBe(cal.id)
  // Saving the first draft starts the review, so the player can no longer withdraw the folder.
  expect((await ana.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(409)
  expect((await cal.call('POST', `/api/folders/${folder}/decline?session=${assignment}`, { reason: 'Away' })).status).toBe(204)
  await kept(assignment).toEqual([])

  const second = await assign(folder, cal, 'Again')
  // An old tab tries to save a draft for the declined assignment.
  expect((await save(assignment, 'Late')).status).toBe(404)
  expect((await cal.call('POST', `/api/folders/${folder}/feedback?session=${assignment}`, newReviewInput(video))).status).toBe(404)
  expect((await cal.call('GET', at(second))).body).toEqual({ revision: 0, draft: null })
  expect((await save(second, 'Second')).status).toBe(200)
  await cal.call('POST', `/api/folders/${folder}/decline?session=${second}`, { reason: 'Away' })
  await kept(second).toEqual([])

  const third = await assign(folder, dee, 'Yours')
  const body = { revision: 0, draft: { notes: [], summary: 'Third', grades: [] } }
  expect((await dee.call('PUT', at(third), body)).status).toBe(200)
  // A draft that another instructor left for this assignment is not shown to Dee.
  await s.sql`update drafts set instructor = ${cal.id} where assignment = ${third}`
  expect((await dee.call('GET', at(third))).body).toEqual({ revision: 0, draft: null })
  await s.sql`update drafts set instructor = null where assignment = ${third}`
  expect((await dee.call('GET', at(third))).body).toMatchObject({ draft: { summary: 'Third' } })
  await deliver(dee, folder, video, 'Done')
  await kept(third).toEqual([])
})

test("only the instructor sees the player's age and traits with the videos", async () => {
  await ana.call('PUT', '/api/account/traits', { bats: 'left', throws: 'right', level: null })
  const { folder } = await createAssignedFolder(ana, cal)
  const playerFor = async (who: Asking) => (await get(who, folder)).body.session.player
  expect(await playerFor(cal)).toEqual({ age: expect.any(Number), bats: 'left', throws: 'right', level: null })
  expect(await playerFor(ana)).toBeUndefined()
  expect(await playerFor(admin)).toBeUndefined()
})
