import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folder as folderStream } from '../../modules/folders/folder.ts'
import { handle } from '../../modules/kernel/decider.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { audit } from '../../projections/audit.ts'
import {
  assignedFolder,
  expectRefusal,
  type FullServer,
  newFolder,
  type Person,
  readyFolder,
  reviewOf,
  startFullServer,
  upload,
} from './full-server.ts'
import { birthDateOf } from './test-server.ts'

let s: FullServer
let ana: Person
let ben: Person
let coach: Person
let other: Person
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ben, coach, other, admin] = await Promise.all([s.player(), s.player(), s.instructor(), s.instructor(), s.admin()])
  await Promise.all([s.saveCard(ana.id), s.saveCard(ben.id)])
})
afterAll(() => s.end())

const get = async (who: Pick<Person, 'call'>, folder: string) => (await who.call('GET', `/api/folders/${folder}`)).body

// @spec:3.17 @spec:4.24
test('create, rename, archive, restore; the list shows it at once', async () => {
  const id = await newFolder(ana, 'Bunts')
  expect((await ana.call('POST', '/api/folders', { id, name: 'Bunts' })).status).toBe(201)
  expectRefusal(await ben.call('POST', '/api/folders', { id, name: 'Bunts' }), 409, 'exists')
  expect((await ana.call('PATCH', `/api/folders/${id}`, { name: '  Drag bunts ' })).status).toBe(204)
  const listed = (await ana.call('GET', '/api/folders')).body.folders.find((f: { id: string }) => f.id === id)
  expect(listed).toMatchObject({ name: 'Drag bunts', status: 'open', videos: 0, poster: null, instructor: null, clarification: 'none' })
  expect(listed.player).toMatchObject({ id: ana.id, name: 'Ana García' })
  expect((await ana.call('POST', `/api/folders/${id}/archive`)).status).toBe(204)
  expect((await get(ana, id)).status).toBe('archived')
  expectRefusal(await ana.call('PATCH', `/api/folders/${id}`, { name: 'x' }), 409, 'archived')
  expect((await ana.call('POST', `/api/folders/${id}/restore`)).status).toBe(204)
  expect((await get(ana, id)).status).toBe('open')
  const empty = await ana.call('POST', '/api/folders', { id: randomUUID(), name: '   ' })
  expect([empty.status, empty.body.message]).toEqual([422, 'Give the folder a name'])
})

// @spec:3.18 @spec:4.26
test('assign, review, deliver, ask, answer: player and instructor see their parts', async () => {
  const { folder, video, assignment } = await assignedFolder(ana, coach, { message: 'Look at my hands' })
  const [queued] = (await coach.call('GET', '/api/queue')).body.folders.filter((f: { id: string }) => f.id === folder)
  const line = { message: 'Look at my hands', assignment, videos: 1, player: { id: ana.id } }
  expect(queued).toMatchObject({ ...line, status: 'assigned', given: null })
  expect((await coach.call('POST', `/api/folders/${folder}/review`)).status).toBe(204)
  expectRefusal(await ana.call('POST', `/api/folders/${folder}/withdraw`), 409, 'in-review')

  const review = reviewOf(video)
  expect((await coach.call('POST', `/api/folders/${folder}/feedback`, review)).status).toBe(204)
  const seen = await get(ana, folder)
  expect(seen).toMatchObject({ status: 'feedback-given', instructor: { id: coach.id, slug: expect.any(String) }, session: { review } })
  const there = (await coach.call('GET', '/api/queue')).body.folders.find((f: { id: string }) => f.id === folder)
  expect(there).toMatchObject({ ...line, status: 'feedback-given', given: seen.session.given })
  const { clips } = seen.session
  expect(clips[0]).toMatchObject({ id: video, type: 'video/mp4', milliseconds: 2500, width: 320, height: 240, poster: null })
  expect((await fetch(clips[0].url, { headers: { range: 'bytes=0-7' } })).status).toBe(206)
  expect(clips[0]).not.toHaveProperty('key')

  expect((await ana.call('POST', `/api/folders/${folder}/question`, { question: 'How late?' })).status).toBe(204)
  expect(await get(coach, folder)).toMatchObject({ clarification: 'asked', session: { question: 'How late?' } })
  expectRefusal(await ana.call('POST', `/api/folders/${folder}/question`, { question: 'And?' }), 409, 'asked')
  expect((await coach.call('POST', `/api/folders/${folder}/answer`, { answer: 'Two frames.' })).status).toBe(204)
  const told = await get(admin, folder)
  expect(told).toMatchObject({ clarification: 'answered', session: { answer: 'Two frames.' } })
  expect(told.story.map((c: { type: string; by: { id: string } }) => [c.type, c.by?.id])).toEqual([
    ['FolderCreated', ana.id],
    ['VideoAdded', ana.id],
    ['FolderAssigned', ana.id],
    ['ReviewStarted', coach.id],
    ['FeedbackGiven', coach.id],
    ['ClarificationAsked', ana.id],
    ['ClarificationAnswered', coach.id],
  ])
  expect(told.story[2].detail).toMatchObject({ instructor: 'Ana García' })
})

test('an identical second delivery changes nothing; a different one is refused', async () => {
  const { folder, video } = await assignedFolder(ana, coach)
  const review = reviewOf(video)
  const deliver = (body: object, key = randomUUID()) =>
    coach.call('POST', `/api/folders/${folder}/feedback`, body, { 'idempotency-key': key })
  const key = randomUUID()
  const both = await Promise.all([deliver(review, key), deliver(review, key)])
  expect(both.map(a => a.status)).toEqual([204, 204])
  expect((await deliver(review)).status).toBe(204)
  const changed = await deliver({ ...review, summary: 'On second thought.' })
  expectRefusal(changed, 409, 'delivered')
  expect(changed.body.message).toBe('This feedback was delivered before and is final. Your player has the version you sent then.')
  expect((await get(ana, folder)).session.review.summary).toBe(review.summary)
  expect(await s.sql`select type from ${s.sql(tableOf(audit))} where folder = ${folder} and type = 'FeedbackGiven'`).toHaveLength(1)
})

test('a key belongs to one command of one person; reusing it for another is refused', async () => {
  const id = await newFolder(ana)
  const key = { 'idempotency-key': randomUUID() }
  const act = (what: string, by = ana) => by.call('POST', `/api/folders/${id}/${what}`, undefined, key)
  expect((await act('archive')).status).toBe(204)
  expectRefusal(await act('restore'), 422, 'key-reused')
  expect((await get(ana, id)).status).toBe('archived')
  expect((await ana.call('POST', `/api/folders/${id}/restore`)).status).toBe(204)
  // Late, and done before: the old answer, and nothing happens.
  expect((await act('archive')).status).toBe(204)
  expect((await get(ana, id)).status).toBe('open')
  const rename = (name: string) => ana.call('PATCH', `/api/folders/${id}`, { name }, renaming)
  const renaming = { 'idempotency-key': randomUUID() }
  expect((await rename('Bunts')).status).toBe(204)
  expect((await rename('Bunts')).status).toBe(204)
  expectRefusal(await rename('Drag bunts'), 422, 'key-reused')
  const theirs = await newFolder(ben)
  expect((await ben.call('POST', `/api/folders/${theirs}/archive`, undefined, key)).status).toBe(204)
  expect((await get(ben, theirs)).status).toBe('archived')
  expectRefusal(await act('archive', ben), 404, 'not-found')
})

test('a declined folder returns with the reason, and its instructor loses access', async () => {
  const { folder } = await assignedFolder(ana, coach)
  const key = { 'idempotency-key': randomUUID() }
  const decline = () => coach.call('POST', `/api/folders/${folder}/decline`, { reason: 'I am away this week.' }, key)
  expect((await decline()).status).toBe(204)
  expect((await decline()).status).toBe(204)
  expect(await get(ana, folder)).toMatchObject({
    ...{ status: 'open', assignment: null, instructor: null },
    declined: { by: { id: coach.id }, reason: 'I am away this week.' },
  })
  expect((await coach.call('GET', `/api/folders/${folder}`)).status).toBe(404)
  expect((await coach.call('POST', `/api/folders/${folder}/review`)).status).toBe(404)
})

test('a declined follow-up names who declined it, and who gave the feedback before', async () => {
  const { folder: id, video, assignment } = await assignedFolder(ana, coach)
  expect((await coach.call('POST', `/api/folders/${id}/feedback`, reviewOf(video))).status).toBe(204)
  await handle(s.deps.store, folderStream, id, 'paid', { assignment }, { command: randomUUID(), actor: 'system' })
  const followUp = randomUUID()
  const again = { assignment: followUp, instructor: other.id }
  expect((await ana.call('POST', `/api/folders/${id}/assign`, again)).status).toBe(204)
  expect(await get(ana, id)).toMatchObject({
    status: 'assigned',
    instructor: { id: other.id },
    session: { id: followUp, review: null },
    sessions: [{ id: followUp }, { id: assignment, instructor: { id: coach.id }, status: 'paid' }],
  })
  expect((await other.call('POST', `/api/folders/${id}/decline`, { reason: 'Booked until June.' })).status).toBe(204)
  const declined = { assignment: followUp, by: { id: other.id }, reason: 'Booked until June.' }
  expect(await get(ana, id)).toMatchObject({
    status: 'paid',
    instructor: { id: coach.id },
    assignment,
    declined,
    session: { id: assignment, instructor: { id: coach.id } },
    sessions: [{ id: assignment }],
  })
  const { folders } = (await ana.call('GET', '/api/folders')).body
  expect(folders.find((f: { id: string }) => f.id === id)).toMatchObject({ status: 'paid', instructor: { id: coach.id }, declined })
})

test('withdrawn before the review starts, then assigned to another', async () => {
  const { folder } = await assignedFolder(ana, coach)
  expect((await ana.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  expect((await ana.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  expect((await coach.call('GET', `/api/folders/${folder}`)).status).toBe(404)
  const assignment = randomUUID()
  const again = { assignment, instructor: other.id }
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, again)).status).toBe(204)
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, again)).status).toBe(204)
  expectRefusal(await ana.call('POST', `/api/folders/${folder}/assign`, { ...again, assignment: randomUUID() }), 409, 'assigned')
})

test('a quote has the known items and the maximum price', async () => {
  const { folder } = await readyFolder(ana)
  const { status, body } = await ana.call('GET', `/api/folders/${folder}/quote`)
  expect([status, body.total, body.atMost]).toEqual([200, 1550, 2500])
})

test('refuses to assign without card, video or instructor, or before a guardian agrees', async () => {
  const carol = await s.player()
  const { folder } = await readyFolder(carol)
  const assign = (who: Person, of: string, instructor = coach.id) =>
    who.call('POST', `/api/folders/${of}/assign`, { assignment: randomUUID(), instructor })
  expectRefusal(await assign(carol, folder), 409, 'card-needed')
  await s.saveCard(carol.id)
  const nobody = await assign(carol, folder, randomUUID())
  expectRefusal(nobody, 409, 'no-instructor')
  expect(nobody.body.field).toBe('instructor')
  expectRefusal(await assign(carol, folder, ana.id), 409, 'no-instructor')
  expectRefusal(await assign(carol, await newFolder(carol)), 409, 'no-videos')
  expect((await assign(carol, folder)).status).toBe(204)

  const kid = await s.player({
    dateOfBirth: birthDateOf(14),
    guardianName: 'Rosa García',
    guardianEmail: `rosa${randomUUID()}@example.com`,
  })
  await s.saveCard(kid.id)
  expectRefusal(await assign(kid, (await readyFolder(kid)).folder), 409, 'guardian-needed')
})

test('an assignment id is bound to one folder', async () => {
  const { assignment } = await assignedFolder(ana, coach)
  const { folder } = await readyFolder(ben)
  expectRefusal(await ben.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id }), 409, 'assigned-before')
})

test('a removed video is gone from the folder and from the store', async () => {
  const { folder, video } = await readyFolder(ana)
  const { url } = (await get(ana, folder)).clips[0]
  expect((await ana.call('DELETE', `/api/folders/${folder}/videos/${randomUUID()}`)).status).toBe(404)
  expect((await ana.call('DELETE', `/api/folders/${folder}/videos/${video}`)).status).toBe(204)
  expect((await ana.call('DELETE', `/api/folders/${folder}/videos/${video}`)).status).toBe(204)
  expect((await get(ana, folder)).clips).toEqual([])
  await expect.poll(async () => (await fetch(url)).status).toBe(404)
})

test('removing one of several videos keeps the others', async () => {
  const folder = await newFolder(ana)
  const ids = []
  for (let i = 0; i < 3; i++) {
    const { id, complete } = await upload(ana, folder)
    expect((await complete()).status).toBe(200)
    ids.push(id)
  }
  const [first, second, third] = ids
  const left = async () => (await get(ana, folder)).clips.map((c: { id: string }) => c.id)
  const remove = async (video: string) => (await ana.call('DELETE', `/api/folders/${folder}/videos/${video}`)).status
  expect([await remove(second!), await left()]).toEqual([204, [first, third]])
  expect([await remove(randomUUID()), await remove(second!), await left()]).toEqual([404, 204, [first, third]])
  const { body } = await ana.call('GET', `/api/folders/${folder}/videos/${third}/original`)
  expect(body.url).toContain(third)
  for (const gone of [second!, randomUUID()])
    expectRefusal(await ana.call('GET', `/api/folders/${folder}/videos/${gone}/original`), 404, 'not-found')
  const slow = (who: Pick<Person, 'call'>, video: string) =>
    who.call('PUT', `/api/folders/${folder}/videos/${video}/capture-rate`, { rate: 240 })
  expect([(await slow(ana, third!)).status, (await slow(ana, second!)).status, (await slow(coach, third!)).status]).toEqual([204, 404, 404])
})

test('an empty message counts as no message', async () => {
  const { folder } = await assignedFolder(ana, coach, { message: '' })
  const [queued] = (await coach.call('GET', '/api/queue')).body.folders.filter((f: { id: string }) => f.id === folder)
  expect(queued.message).toBeNull()
})

test('a draft is saved by the revision it changes', async () => {
  const { folder, video } = await assignedFolder(ana, coach)
  const path = `/api/folders/${folder}/draft`
  const draft = { notes: [{ id: randomUUID(), video, at: 10, kind: 'tip', text: '' }], summary: '', grades: [] }
  const save = (revision: number, summary = '') => coach.call('PUT', path, { revision, draft: { ...draft, summary } })
  expect((await coach.call('GET', path)).body).toEqual({ revision: 0, draft: null })
  expect((await save(0)).body).toEqual({ revision: 1 })
  expect((await save(0)).body).toEqual({ revision: 1 })
  expect((await save(1, 'More')).body).toEqual({ revision: 2 })
  expectRefusal(await save(1, 'From another tab'), 409, 'draft-changed')
  expect((await coach.call('GET', path)).body).toEqual({ revision: 2, draft: { ...draft, summary: 'More' } })
  expect((await other.call('GET', path)).status).toBe(404)
  const missing = await coach.call('POST', `/api/folders/${folder}/feedback`, { ...draft, summary: '' })
  expect(missing.status).toBe(422)
  expect(missing.body.errors.map((e: { field: string }) => e.field)).toEqual(['notes.0.text', 'summary'])
  expect((await coach.call('POST', `/api/folders/${folder}/feedback`, reviewOf(video))).status).toBe(204)
  expect((await coach.call('GET', path)).body).toEqual({ revision: 0, draft: null })
  expectRefusal(await save(2), 409, 'delivered')
})

test('an oversized review stays a draft, is refused with its size, and later delivered', async () => {
  const { folder, video } = await assignedFolder(ana, coach)
  await coach.call('POST', `/api/folders/${folder}/review`)
  const pen = () => ({
    ...{ id: randomUUID(), tool: 'pen', color: 0, width: 45, from: 0, hold: 30, fade: 0 },
    p: Array.from({ length: 1200 }, (_, i) => (i % 4 < 2 ? 1111 : -1111)),
  })
  const [note] = reviewOf(video).notes
  const draft = reviewOf(video, { notes: [{ ...note, shapes: Array.from({ length: 60 }, pen) }] })
  expect((await coach.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft })).status).toBe(200)
  const answer = await coach.call('POST', `/api/folders/${folder}/feedback`, draft)
  expectRefusal(answer, 409, 'too-large')
  expect(answer.body.message).toMatch(/^This review is \d+ KB too large\. Delete some drawings/)
  expect((await coach.call('GET', `/api/folders/${folder}/draft`)).body.draft).toEqual(draft)
  expect(
    (await coach.call('POST', `/api/folders/${folder}/feedback`, reviewOf(video, { notes: [{ ...note, shapes: [pen()] }] }))).status,
  ).toBe(204)
})

test("somebody else's folder is not found", async () => {
  const { folder, video } = await assignedFolder(ana, coach)
  const mine = (await readyFolder(ben)).folder
  const asPlayer: [string, string, object?][] = [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine now' }],
    ['POST', '/archive'],
    ['POST', '/restore'],
    ['DELETE', `/videos/${video}`],
    ['GET', '/quote'],
    ['POST', '/assign', { assignment: randomUUID(), instructor: other.id }],
    ['POST', '/withdraw'],
    ['POST', '/question', { question: 'Why?' }],
  ]
  const asInstructor: [string, string, object?][] = [
    ['GET', ''],
    ['POST', '/review'],
    ['POST', '/decline', { reason: 'No' }],
    ['GET', '/draft'],
    ['PUT', '/draft', { revision: 0, draft: { notes: [], summary: '', grades: [] } }],
    ['POST', '/feedback', reviewOf(video)],
    ['POST', '/answer', { answer: 'So' }],
  ]
  for (const [who, calls] of [
    [ben, asPlayer],
    [other, asInstructor],
  ] as const) {
    for (const [method, path, body] of calls) {
      const theirs = await who.call(method, `/api/folders/${folder}${path}`, body)
      const nobodys = await who.call(method, `/api/folders/${randomUUID()}${path}`, body)
      expect([path, theirs.status, nobodys.status]).toEqual([path, 404, 404])
      expect(theirs.body.message).toBe(nobodys.body.message)
    }
  }
  expect((await upload(ben, folder)).started.status).toBe(404)
  expect((await ben.call('GET', `/api/uploads?folder=${folder}`)).status).toBe(404)
  expect((await ben.call('DELETE', `/api/folders/${mine}/videos/${video}`)).status).toBe(404)
  expect(await get(ana, folder)).toMatchObject({ name: 'Swings', status: 'assigned' })
})
