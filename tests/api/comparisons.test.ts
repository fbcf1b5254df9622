import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { modelLibraryDecider } from '../../modules/model-clips/model-library.ts'
import { MODEL_CLIP_RIGHTS_STATEMENT } from '../../modules/model-clips/policy.ts'
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
let bea: TestUser
let cal: TestUser
let dee: TestUser
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, bea, cal, dee, admin] = await Promise.all([s.player(), s.player(), s.instructor(), s.instructor(), s.admin()])
  await Promise.all([s.saveCard(ana.id), s.saveCard(bea.id)])
})
afterAll(() => s.end())

interface Clip {
  folder: string
  video: string
}
const side = ({ folder, video }: Clip, more: object = {}) => ({ folder, video, origin: 4, offset: 0, scale: 1, ...more })
const comparing = (a: Clip, b: Clip, more: object = {}) => ({
  ...newReviewInput(a.video),
  comparisons: [{ id: randomUUID(), title: 'June and now', sides: [side(a), side(b)], mode: 'side', stretch: false, ...more }],
})
const deliver = (who: TestUser, at: Clip, body: object) => who.call('POST', `/api/folders/${at.folder}/feedback`, body)
const given = async (who: TestUser, at: Clip & { assignment: string }, more: object = {}) => {
  expect((await deliver(who, at, newReviewInput(at.video, more))).status).toBe(204)
  await handleCommand(
    s.deps.store,
    folderDecider,
    at.folder,
    'paid',
    { assignment: at.assignment },
    { command: randomUUID(), actor: 'system' },
  )
}
const get = (who: Pick<TestUser, 'call'>, folder: string) => who.call('GET', `/api/folders/${folder}`)
const remove = ({ folder, video }: Clip) => ana.call('DELETE', `/api/folders/${folder}/videos/${video}`)

test('an instructor can compare only clips of their own sessions with this player', async () => {
  const [ana, cal] = await s.playerAndInstructor()
  const june = await createAssignedFolder(ana, cal)
  await given(cal, june)
  const now = await createAssignedFolder(ana, cal)
  const others = [await createAssignedFolder(ana, dee), await createAssignedFolder(bea, cal), await createFolderWithVideo(ana)]
  const answer = await cal.call('GET', `/api/folders/${now.folder}/comparable`)
  expect(answer.body.sessions).toMatchObject([
    { id: now.assignment, folder: { id: now.folder, name: 'Swings' }, given: null, clips: [{ id: now.video }] },
    { id: june.assignment, folder: { id: june.folder }, given: expect.any(String), clips: [{ id: june.video }] },
  ])
  for (const { folder, video } of others) expect([answer.text.includes(folder), answer.text.includes(video)]).toEqual([false, false])
  for (const [who, status] of [
    [dee, 404],
    [ana, 403],
    [admin, 403],
  ] as const)
    expect((await who.call('GET', `/api/folders/${now.folder}/comparable`)).status).toBe(status)
})

test('everybody who reads a delivered comparison may see both of its clips', async () => {
  const june = await createAssignedFolder(ana, cal)
  const now = await createAssignedFolder(ana, cal)
  const body = comparing(now, june, { title: 'Now and June', mode: 'ghost', stretch: true })
  const key = { 'idempotency-key': randomUUID() }
  // The clip has not been probed, and is not even queued for probing.
  await s.sql`delete from media_work where video = ${june.video}`
  for (const _ of [1, 2]) expect((await cal.call('POST', `/api/folders/${now.folder}/feedback`, body, key)).status).toBe(204)
  const held = async ({ folder }: Clip) => (await s.deps.store.read(`folder-${folder}`)).filter(e => e.type === 'VideoCompared')
  expect(await held(june)).toMatchObject([
    { data: { video: june.video, assignment: now.assignment }, meta: { actor: cal.id, name: 'folder.compare' } },
  ])
  expect(await held(now)).toEqual([])
  for (const who of [ana, cal, admin]) {
    const { session } = (await get(who, now.folder)).body
    expect(session.review.comparisons).toEqual(body.comparisons)
    expect(session.clips).toMatchObject([{ id: now.video }])
    expect(session.compared).toMatchObject([{ id: june.video, folder: { id: june.folder, name: 'Swings' } }])
    // Only the clip's player and administrators, who may have to investigate a complaint, get the original.
    if (who === cal) expect(session.compared[0].url).toBeNull()
    else expect((await fetch(session.compared[0].url, { headers: { range: 'bytes=0-7' } })).status).toBe(206)
  }
  expect((await get(dee, now.folder)).status).toBe(404)
})

test('a compared clip cannot be removed, even after its own session was withdrawn', async () => {
  const june = await createAssignedFolder(ana, cal)
  const now = await createAssignedFolder(ana, cal)
  expect((await deliver(cal, now, comparing(now, june))).status).toBe(204)
  expect((await ana.call('POST', `/api/folders/${june.folder}/withdraw`)).status).toBe(204)
  expectRefusal(await remove(june), 409, 'compared')
  expect((await get(ana, now.folder)).body.session.compared).toMatchObject([{ id: june.video }])
  // The comparison is not part of the history of the clip's folder.
  expect((await get(ana, june.folder)).body.story.map((c: { type: string }) => c.type)).toEqual([
    ...['FolderCreated', 'VideoAdded', 'FolderAssigned', 'AssignmentWithdrawn'],
  ])
})

test('every clip that may not be compared gets the same refusal, whoever owns it', async () => {
  const now = await createAssignedFolder(ana, cal)
  const mine = await createAssignedFolder(ana, cal)
  const withdrawn = await createAssignedFolder(ana, cal)
  await ana.call('POST', `/api/folders/${withdrawn.folder}/withdraw`)
  const removed = await createAssignedFolder(ana, cal)
  await ana.call('POST', `/api/folders/${removed.folder}/withdraw`)
  expect((await remove(removed)).status).toBe(204)
  const strangers: [string, Clip][] = [
    ['another instructor’s session', await createAssignedFolder(ana, dee)],
    ['another player’s, though assigned to the same instructor', await createAssignedFolder(bea, cal)],
    ['assigned to nobody', await createFolderWithVideo(ana)],
    ['withdrawn', withdrawn],
    ['removed', removed],
    ['never there', { folder: randomUUID(), video: randomUUID() }],
    ['under another folder’s name', { folder: mine.folder, video: now.video }],
  ]
  const draft = { revision: 0, draft: comparing(now, mine) }
  expect((await cal.call('PUT', `/api/folders/${now.folder}/draft`, draft)).status).toBe(200)
  const said = new Set<string>()
  for (const [why, clip] of strangers) {
    // The valid side comes first, to prove that a refused review does not mark its clip as compared: the clip can be removed below.
    const body = comparing(mine, clip)
    const answer = await deliver(cal, now, { ...body, notes: newReviewInput(now.video).notes })
    expect([why, answer.status, answer.body.code]).toEqual([why, 409, 'comparison-clip'])
    said.add(answer.body.message)
  }
  expect([...said]).toEqual(['The second clip of comparison 1 is not available for comparison. Choose another clip for it.'])
  expect((await get(ana, now.folder)).body).toMatchObject({ status: 'in-review', session: { review: null } })
  expect((await cal.call('GET', `/api/folders/${now.folder}/draft`)).body.draft).toEqual(draft.draft)
  expect((await ana.call('POST', `/api/folders/${mine.folder}/withdraw`)).status).toBe(204)
  expect((await remove(mine)).status).toBe(204)
})

test('a sync point past the last counted frame of a clip is refused', async () => {
  const june = await createAssignedFolder(ana, cal)
  const now = await createAssignedFolder(ana, cal)
  const media = { frames: 60, codec: 'avc' }
  await s.sql`insert into media_work (video, kind, folder, key, type, bytes, state, media)
    values (${june.video}, 'rendition', ${june.folder}, 'k', 'video/mp4', 9, 'ready', ${s.sql.json(media)})
    on conflict (video, kind) do update set state = excluded.state, media = excluded.media`
  const at = (origin: number) => deliver(cal, now, comparing(now, june, { sides: [side(now), side(june, { origin })] }))
  const answer = await at(60)
  expectRefusal(answer, 409, 'note-time')
  expect(answer.body.errors?.[0]?.field ?? answer.body.field).toBe('comparisons.0.sides.1.origin')
  expect((await at(59)).status).toBe(204)
})

test('comparing a swing with a pitch is refused and does not mark the clip as compared', async () => {
  const pitch = await createAssignedFolder(ana, cal)
  await given(cal, pitch, { grades: [{ skill: 'pitching', grade: 55 }] })
  const swing = await createAssignedFolder(ana, cal)
  const body = { ...comparing(swing, pitch), grades: [{ skill: 'hitting', grade: 50 }] }
  const answer = await deliver(cal, swing, body)
  expectRefusal(answer, 409, 'comparison-skills')
  expect((await s.deps.store.read(`folder-${pitch.folder}`)).map(e => e.type)).not.toContain('VideoCompared')
  expect((await deliver(cal, swing, { ...body, grades: [{ skill: 'pitching', grade: 50 }] })).status).toBe(204)
})

test('the skill of a clip is that of the same instructor’s last review of it', async () => {
  const [swing, at] = [await createAssignedFolder(ana, cal), await createFolderWithVideo(ana)]
  const { id: pitch, complete } = await startUploadAndSendParts(ana, at.folder)
  await complete()
  const review = async (who: TestUser, video: string, more: object) => {
    const assignment = randomUUID()
    expect((await ana.call('POST', `/api/folders/${at.folder}/assign`, { assignment, instructor: who.id })).status).toBe(204)
    await given(who, { ...at, video, assignment }, more)
  }
  const checkpoints = [{ video: pitch, skill: 'pitching', name: 'leg lift', frame: 3, by: 'hand' }]
  const grades = ['pitching', 'hitting'].map(skill => ({ skill, grade: 50 }))
  await review(cal, pitch, { checkpoints, grades })
  // Dee reviews the same clip as a swing, and Cal's next review is of another clip.
  await review(dee, pitch, {})
  const { id: other, complete: completeOther } = await startUploadAndSendParts(ana, at.folder)
  await completeOther()
  await review(cal, other, {})
  expectRefusal(await deliver(cal, swing, comparing(swing, { folder: at.folder, video: pitch })), 409, 'comparison-skills')
  expect((await deliver(cal, swing, comparing(swing, { folder: at.folder, video: other }))).status).toBe(204)
})

test('a compared model clip is marked as shown once, and only if its skill fits', async () => {
  const [cal, clip] = [await s.instructor(), randomUUID()]
  const now = await createAssignedFolder(ana, cal)
  const video = {
    id: clip,
    name: 'swing.mp4',
    type: 'video/mp4',
    bytes: 1000,
    milliseconds: 2500,
    width: 320,
    height: 240,
    key: clip,
    poster: null,
  }
  const details = { title: 'A good load', skill: 'hitting', side: 'left', angle: 'side', statement: MODEL_CLIP_RIGHTS_STATEMENT } as const
  await handleCommand(s.deps.store, modelLibraryDecider, cal.id, 'add', { ...details, video }, { command: randomUUID(), actor: cal.id })
  const shown = async () => (await s.deps.store.read(`library-${cal.id}`)).filter(e => e.type === 'ModelClipShown').map(e => e.data)
  const body = comparing(now, { folder: cal.id, video: clip })
  expectRefusal(await deliver(cal, now, { ...body, grades: [{ skill: 'pitching', grade: 50 }] }), 409, 'comparison-skills')
  expect(await shown()).toEqual([])
  for (const _ of [1, 2]) expect((await deliver(cal, now, body)).status).toBe(204)
  expect(await shown()).toEqual([{ clip, assignment: now.assignment, player: ana.id }])
})

const drawn = (more: object = {}) => ({
  id: randomUUID(),
  tool: 'line',
  color: 1,
  width: 45,
  p: [1000, 1000, 3000, 2000],
  from: 9,
  hold: 30,
  fade: 8,
  ...more,
})

test('drawings on both clips are delivered unchanged; older comparisons stay readable', async () => {
  const june = await createAssignedFolder(ana, cal)
  const now = await createAssignedFolder(ana, cal)
  const body = comparing(now, june, {
    sides: [
      side(now, { shapes: [drawn(), drawn({ tool: 'text', p: [10, 20], text: 'Hips' })] }),
      side(june, { shapes: [drawn({ from: 0 })] }),
    ],
  })
  const plain = comparing(june, now).comparisons
  const both = { ...body, comparisons: [...body.comparisons, ...plain] }
  const saved = await cal.call('PUT', `/api/folders/${now.folder}/draft`, { revision: 0, draft: both })
  expect(saved.status).toBe(200)
  expect((await cal.call('GET', `/api/folders/${now.folder}/draft`)).body.draft.comparisons).toEqual(both.comparisons)
  expect((await deliver(cal, now, both)).status).toBe(204)
  for (const who of [ana, cal, admin]) {
    const { comparisons } = (await get(who, now.folder)).body.session.review
    expect(comparisons).toEqual(both.comparisons)
    expect(comparisons[1].sides.map((s: object) => 'shapes' in s)).toEqual([false, false])
  }
})

test('an invalid comparison drawing is refused, with its field and what to do', async () => {
  const june = await createAssignedFolder(ana, cal)
  const now = await createAssignedFolder(ana, cal)
  const media = { frames: 60, codec: 'avc' }
  await s.sql`insert into media_work (video, kind, folder, key, type, bytes, state, media)
    values (${june.video}, 'rendition', ${june.folder}, 'k', 'video/mp4', 9, 'ready', ${s.sql.json(media)})
    on conflict (video, kind) do update set state = excluded.state, media = excluded.media`
  const twice = drawn()
  const body = (shapes: object[]) => comparing(now, june, { sides: [side(now), side(june, { shapes })] })
  const where = 'comparisons.0.sides.1.shapes'
  const cases: [object[], number, string, string][] = [
    [[drawn({ p: [9000, 9000, 2000, 0] })], 422, `${where}.0.p`, 'This drawing reaches past the edge of the picture'],
    [[drawn(), drawn({ p: [9000, 9000] })], 422, `${where}.1.p`, 'This drawing has too few or too many points'],
    [[drawn({ tool: 'text', p: [1, 1] })], 422, `${where}.0.text`, 'Enter the text for the picture'],
    [
      [drawn({ from: 60 })],
      409,
      `${where}.0.from`,
      'A drawing of comparison 1 lies past the end of its video. Move it to a moment you can see.',
    ],
    [
      Array.from({ length: 200 }, () => drawn()),
      409,
      'notes',
      'A review can have up to 200 drawings; this one has 201. Delete some of them.',
    ],
    [[twice, twice], 409, 'notes', 'Something is in this review twice. Reload the page and deliver again.'],
  ]
  for (const [shapes, status, field, message] of cases) {
    const review = body(shapes)
    if (shapes.length === 200) Object.assign(review.comparisons[0]!.sides[0]!, { shapes: [drawn()] })
    const answer = await deliver(cal, now, review)
    expect([
      answer.status,
      answer.body.errors?.[0]?.field ?? answer.body.field,
      answer.body.errors?.[0]?.message ?? answer.body.message,
    ]).toEqual([status, field, message])
  }
  expect((await get(ana, now.folder)).body).toMatchObject({ status: 'assigned', session: { review: null } })
  expect((await deliver(cal, now, body([drawn({ from: 59 })]))).status).toBe(204)
})
