import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { frameTableKey, posterKey } from '../../modules/media/object-keys.ts'
import { ObjectStoreUnavailableError } from '../../modules/media/object-store-errors.ts'
import type { Progress } from '../../modules/progress/contract.ts'
import { folders } from '../../projections/folders.ts'
import { createAssignedFolder, expectRefusal, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let [ana, ben, cal, dee]: TestUser[] = []
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ben, cal, dee] = await Promise.all([s.player(), s.player(), s.instructor(), s.instructor()])
  admin = await s.admin()
  await Promise.all([s.saveCard(ana!.id), s.saveCard(ben!.id)])
})
afterAll(() => s.end())

type Goal = { id: string; text: string; state: string; from?: string }
const goal = (text: string, state = 'given', from?: string): Goal => ({ id: randomUUID(), text, state, ...(from && { from }) })
const deliver = (who: TestUser, folder: string, review: object) => who.call('POST', `/api/folders/${folder}/feedback`, review)
/** Creates a session and delivers a review with the additional fields that `more` returns. */
async function session(player: TestUser, instructor: TestUser, more: (video: string) => object) {
  const made = await createAssignedFolder(player, instructor)
  expect((await deliver(instructor, made.folder, newReviewInput(made.video, more(made.video)))).status).toBe(204)
  return made
}
const own = async (who: TestUser): Promise<Progress> => (await who.call('GET', '/api/progress')).body
const ofPlayer = (who: Pick<TestUser, 'call'>, player: string) => who.call('GET', `/api/players/${player}/progress`)
const draft = async (who: TestUser, folder: string) => (await who.call('GET', `/api/folders/${folder}/draft`)).body

test('players see their progress, instructors their own part, admins all, others none', async () => {
  const [ana, ben, cal, dee, eve] = await Promise.all([s.player(), s.player(), s.instructor(), s.instructor(), s.instructor()])
  await Promise.all([s.saveCard(ana.id), s.saveCard(ben.id)])
  const first = await session(ana, cal, () => ({ grades: [{ skill: 'hitting', grade: 45 }], goals: [goal('Stay back')] }))
  const second = await session(ana, dee, () => ({ grades: [{ skill: 'pitching', grade: 60 }], goals: [goal('Finish tall')] }))
  const third = await session(ana, cal, () => ({ grades: [{ skill: 'hitting', grade: 50 }], goals: [] }))
  await session(ben, cal, () => ({ grades: [{ skill: 'hitting', grade: 75 }] }))
  const waiting = await createAssignedFolder(ana, eve)

  const all = await own(ana)
  expect(all.sessions).toMatchObject([
    { id: first.assignment, folder: first.folder, name: 'Swings', instructor: { id: cal.id }, grades: [{ skill: 'hitting', grade: 45 }] },
    { id: second.assignment, instructor: { id: dee.id }, grades: [{ skill: 'pitching', grade: 60 }], video: second.video },
    { id: third.assignment, instructor: { id: cal.id }, grades: [{ skill: 'hitting', grade: 50 }] },
  ])
  expect(all.goals).toMatchObject([
    { text: 'Finish tall', open: true, instructor: { id: dee.id } },
    // The next review by the same instructor left this goal out.
    { text: 'Stay back', state: 'given', open: false, words: [{ session: first.assignment, folder: first.folder }] },
  ])
  expect((await ofPlayer(admin, ana.id)).body).toEqual(all)

  const { body: cals, text } = await ofPlayer(cal, ana.id)
  expect(cals.sessions.map((x: { id: string }) => x.id)).toEqual([first.assignment, third.assignment])
  expect(cals.goals.map((g: { text: string }) => g.text)).toEqual(['Stay back'])
  for (const secret of [dee.id, second.assignment, second.folder, second.video, 'Finish tall']) expect(text).not.toContain(secret)
  // Eve has an open session and no delivered one.
  expect((await ofPlayer(eve, ana.id)).body).toEqual({ sessions: [], goals: [] })
  expect((await eve.call('POST', `/api/folders/${waiting.folder}/decline`, { reason: 'Away' })).status).toBe(204)
  for (const [who, player] of [
    [eve, ana.id],
    [dee, ben.id],
    [cal, randomUUID()],
    [admin, cal.id],
  ] as const)
    expect((await ofPlayer(who, player)).status).toBe(404)
  expect((await ofPlayer(ana, ana.id)).status).toBe(403)
})

test("a review begins with the player's open goals from this instructor's last review", async () => {
  const [player, other] = await Promise.all([s.player(), s.player()])
  await Promise.all([s.saveCard(player.id), s.saveCard(other.id)])
  const given = [goal('Front foot first'), goal('Knee bend'), goal('Eyes level', 'fixed')]
  await session(player, cal!, () => ({ goals: given }))
  const strange = goal('Of somebody else')
  await session(other, cal!, () => ({ goals: [strange] }))
  const dees = goal('Of Dee')
  await session(player, dee!, () => ({ goals: [dees] }))

  const { folder, video } = await createAssignedFolder(player, cal!)
  const begun = await draft(cal!, folder)
  expect(begun).toMatchObject({
    revision: 0,
    draft: {
      notes: [],
      summary: '',
      grades: [],
      goals: [
        { text: 'Front foot first', from: given[0]!.id, state: 'given' },
        { text: 'Knee bend', from: given[1]!.id, state: 'given' },
      ],
    },
  })
  expect(await draft(cal!, folder)).toEqual(begun)
  // A goal that the instructor removed from the draft is not added again.
  const [foot, knee] = begun.draft.goals as Goal[]
  await cal!.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft: { ...begun.draft, goals: undefined } })
  expect((await draft(cal!, folder)).draft).not.toHaveProperty('goals')

  const carrying = (...goals: Goal[]) => deliver(cal!, folder, newReviewInput(video, { goals }))
  for (const of of [strange, dees, { id: randomUUID() }])
    expectRefusal(await carrying({ ...foot!, state: 'tried' }, { ...goal('Mine', 'given', of.id) }), 409, 'goal-from')
  const review = newReviewInput(video, { goals: [{ ...foot!, state: 'tried' }, { ...knee!, state: 'fixed' }, goal('Hands late')] })
  expect((await deliver(cal!, folder, review)).status).toBe(204)
  // Repeating the delivery succeeds without a change.
  expect((await deliver(cal!, folder, review)).status).toBe(204)

  const { goals } = await own(player)
  expect(goals.map(g => [g.text, g.state, g.open, g.words.map(w => w.state)])).toEqual([
    ['Front foot first', 'tried', true, ['given', 'tried']],
    ['Hands late', 'given', true, ['given']],
    ['Of Dee', 'given', true, ['given']],
    ['Knee bend', 'fixed', false, ['given', 'fixed']],
    ['Eyes level', 'fixed', false, ['fixed']],
  ])
  expect((await draft(dee!, (await createAssignedFolder(player, dee!)).folder)).draft.goals).toMatchObject([{ from: dees.id }])
})

test('positions get their time from the frame rate, else the frame table, else none', async () => {
  const player = await s.player()
  await s.saveCard(player.id)
  const points = (video: string, ...frames: [string, number][]) => ({
    checkpoints: frames.map(([name, frame]) => ({ video, skill: 'hitting', name, frame, by: 'hand' })),
  })
  const steady = await session(player, cal!, v => points(v, ['contact', 102], ['load', 30], ['stride', 60]))
  const slow = await session(player, cal!, v => points(v, ['load', 30], ['contact', 102]))
  const varying = await session(player, cal!, v => points(v, ['load', 2], ['contact', 12]))
  const unknown = await session(player, cal!, v => points(v, ['load', 2], ['contact', 12]))

  const media = (over: object) => ({
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
    ...over,
  })
  const looked = (video: string, over: object) =>
    expect
      .poll(async () => (await s.sql`update media_work set media = ${s.sql.json(media(over))} where video = ${video} returning 1`).length)
      .toBe(1)
  await looked(steady.video, {})
  await looked(slow.video, { captureRate: { rate: 120, by: 'file' } })
  await looked(varying.video, { rate: null, variable: true })
  const table = { version: 1, scale: 100, first: 0, runs: [[10, 1], [10, 5]] } // biome-ignore format: one row a run
  await s.deps.objects.put(
    frameTableKey(varying.folder, varying.video),
    'application/json',
    new TextEncoder().encode(JSON.stringify(table)),
  )

  const times = async () => (await own(player)).sessions.map(x => x.swings[0]!.positions.map(p => [p.name, p.after]))
  expect(await times()).toEqual([
    [
      ['load', 0],
      ['stride', 500],
      ['contact', 1200],
    ],
    [
      ['load', 0],
      ['contact', 600],
    ],
    [
      ['load', 0],
      ['contact', 180],
    ],
    [
      ['load', null],
      ['contact', null],
    ],
  ])
  // A capture rate that a person entered replaces the file's, also for reviews that were delivered before.
  const rate = `/api/folders/${slow.folder}/videos/${slow.video}/capture-rate`
  expect((await player.call('PUT', rate, { rate: 240 })).status).toBe(204)
  expect((await times())[1]).toEqual([
    ['load', 0],
    ['contact', 300],
  ])
  expect(unknown.folder).not.toBe(slow.folder)
})

test('positions are grouped by video and discipline, and the session has a poster', async () => {
  const player = await s.player()
  await s.saveCard(player.id)
  const point = (video: string, skill: string, name: string, frame: number) => ({ video, skill, name, frame, by: 'hand' })
  const { folder, video } = await session(player, cal!, v => ({
    checkpoints: [point(v, 'hitting', 'load', 30), point(v, 'hitting', 'contact', 90), point(v, 'pitching', 'release', 120)],
  }))
  await expect.poll(async () => (await s.sql`update media_work set state = 'ready' where video = ${video} returning 1`).length).toBe(1)
  const [its] = (await own(player)).sessions
  expect(its!.swings.map(({ video, skill, positions }) => [video, skill, positions.map(p => p.name)])).toEqual([
    [video, 'hitting', ['load', 'contact']],
    [video, 'pitching', ['release']],
  ])
  expect([its!.video, new URL(its!.poster!).pathname]).toEqual([video, expect.stringContaining(posterKey(folder, video))])
})

test('only the first and the newest session of a discipline have a poster', async () => {
  const player = await s.player()
  await s.saveCard(player.id)
  const graded = () => session(player, cal!, () => ({ grades: [{ skill: 'hitting', grade: 50 }] }))
  const made = [await graded(), await graded(), await graded()]
  for (const { video } of made)
    await expect.poll(async () => (await s.sql`update media_work set state = 'ready' where video = ${video} returning 1`).length).toBe(1)
  const { sessions } = await own(player)
  expect(sessions.map(x => [x.video, x.poster !== null])).toEqual(made.map(({ video }, i) => [video, i !== 1]))
})

test('sessions without a folder are left out, and unknown videos and times are null', async () => {
  const player = await s.player()
  await s.saveCard(player.id)
  const points = (video: string) => ({
    checkpoints: ['load', 'contact'].map((name, i) => ({ video, skill: 'hitting', name, frame: 10 * i, by: 'hand' })),
  })
  const made = []
  for (let n = 0; n < 3; n++) made.push(await session(player, cal!, points))
  const [late, bare, varying] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]]
  const work = (video: string) =>
    expect
      .poll(
        async () => (await s.sql`update media_work set media = ${s.sql.json({ rate: null })} where video = ${video} returning 1`).length,
      )
      .toBe(1)
  await Promise.all(made.map(({ video }) => work(video)))
  await own(player)
  await s.sql`delete from ${s.sql(tableOf(folders))} where folder = ${late.folder}`
  await s.sql`update ${s.sql(tableOf(folders))} set clips = '[]' where folder = ${bare.folder}`
  await s.sql`delete from media_work where video = ${bare.video}`
  const { read } = s.deps.objects
  s.deps.objects.read = (key, ...more) =>
    key.includes(varying.video) ? Promise.reject(new ObjectStoreUnavailableError('not now')) : read(key, ...more)
  try {
    const { sessions } = await own(player)
    expect(sessions.map(x => [x.id, x.video, x.poster, x.swings[0]!.positions.map(p => p.after)])).toEqual([
      [bare.assignment, null, null, [null, null]],
      [varying.assignment, varying.video, expect.any(String), [null, null]],
    ])
  } finally {
    s.deps.objects.read = read
  }
})

test('a question about a moment reaches the instructor with that moment', async () => {
  const { folder, video } = await session(ana!, dee!, () => ({}))
  const ask = (about: object) => ana!.call('POST', `/api/folders/${folder}/question`, { question: 'Here?', about })
  const other = await createAssignedFolder(ben!, dee!)
  expectRefusal(await ask({ video: other.video, at: 10, frame: 1 }), 409, 'question-moment')
  // A question's frame is checked against the server's frame count, not the duration that the browser measured.
  const media = {
    container: 'mp4',
    codec: 'avc',
    width: 320,
    height: 240,
    rotation: 0,
    milliseconds: 2500,
    frames: 150,
    rate: [60, 1],
    variable: false,
    hdr: false,
    sound: false,
    captureRate: null,
  }
  const counted = () => s.sql`update media_work set state = 'ready', media = ${s.sql.json(media)} where video = ${video} returning 1`
  await expect.poll(async () => (await counted()).length).toBe(1)
  expectRefusal(await ask({ video, at: 1200, frame: 150 }), 409, 'question-moment')
  expect((await ask({ video, at: 1200, frame: 72, zoom: 2 })).status).toBe(422)
  expect((await ask({ video, at: 1200, frame: 72 })).status).toBe(204)
  const { body } = await dee!.call('GET', `/api/folders/${folder}`)
  expect(body.session).toMatchObject({ question: 'Here?', about: { video, at: 1200, frame: 72 } })
})
