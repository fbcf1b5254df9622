import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { audit } from '../../projections/audit.ts'
import { createAssignedFolder, expectRefusal, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let ben: TestUser
let coach: TestUser
let other: TestUser
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ben, coach, other, admin] = await Promise.all([s.player(), s.player(), s.instructor(), s.instructor(), s.admin()])
  await Promise.all([s.saveCard(ana.id), s.saveCard(ben.id)])
})
afterAll(() => s.end())

const get = async (who: Pick<TestUser, 'call'>, folder: string) => (await who.call('GET', `/api/folders/${folder}`)).body

// @spec:3.18 @spec:4.26
test('player and instructor see the right view from assignment to answered question', async () => {
  const { folder, video, assignment } = await createAssignedFolder(ana, coach, { message: 'Look at my hands' })
  const [queued] = (await coach.call('GET', '/api/queue')).body.folders.filter((f: { id: string }) => f.id === folder)
  const line = { message: 'Look at my hands', assignment, videos: 1, player: { id: ana.id } }
  expect(queued).toMatchObject({ ...line, status: 'assigned', given: null })
  expect((await coach.call('POST', `/api/folders/${folder}/review`)).status).toBe(204)
  expectRefusal(await ana.call('POST', `/api/folders/${folder}/withdraw`), 409, 'in-review')

  const review = newReviewInput(video)
  expect((await coach.call('POST', `/api/folders/${folder}/feedback`, review)).status).toBe(204)
  const seen = await get(ana, folder)
  expect(seen).toMatchObject({ status: 'feedback-given', instructor: { id: coach.id, slug: expect.any(String) }, session: { review } })
  const there = (await coach.call('GET', '/api/queue')).body.folders.find((f: { id: string }) => f.id === folder)
  expect(there).toMatchObject({ ...line, status: 'feedback-given', given: seen.session.given })
  const { clips } = seen.session
  expect(clips[0]).toMatchObject({ id: video, type: 'video/mp4', milliseconds: 2500, width: 320, height: 240 })
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
  const { folder, video } = await createAssignedFolder(ana, coach)
  const review = newReviewInput(video)
  const deliver = (body: object, key = randomUUID()) =>
    coach.call('POST', `/api/folders/${folder}/feedback`, body, { 'idempotency-key': key })
  const key = randomUUID()
  const both = await Promise.all([deliver(review, key), deliver(review, key)])
  expect(both.map(a => a.status)).toEqual([204, 204])
  expect((await deliver(review)).status).toBe(204)
  const changed = await deliver({ ...review, summary: 'On second thought.' })
  expectRefusal(changed, 409, 'delivered')
  expect(changed.body.message).toBe('This feedback was already delivered and is final. Your player has that version.')
  expect((await get(ana, folder)).session.review.summary).toBe(review.summary)
  expect(await s.sql`select type from ${s.sql(tableOf(audit))} where folder = ${folder} and type = 'FeedbackGiven'`).toHaveLength(1)
})

test('a declined folder returns with the reason, and its instructor loses access', async () => {
  const { folder } = await createAssignedFolder(ana, coach)
  const key = { 'idempotency-key': randomUUID() }
  const decline = () => coach.call('POST', `/api/folders/${folder}/decline`, { reason: 'I am away this week.' }, key)
  expect((await decline()).status).toBe(204)
  expect((await decline()).status).toBe(204)
  expect(await get(ana, folder)).toMatchObject({
    status: 'open',
    assignment: null,
    instructor: null,
    declined: { by: { id: coach.id }, reason: 'I am away this week.' },
  })
  expect((await coach.call('GET', `/api/folders/${folder}`)).status).toBe(404)
  expect((await coach.call('POST', `/api/folders/${folder}/review`)).status).toBe(404)
})

test('a declined follow-up names who declined it and who gave the earlier feedback', async () => {
  const { folder: id, video, assignment } = await createAssignedFolder(ana, coach)
  expect((await coach.call('POST', `/api/folders/${id}/feedback`, newReviewInput(video))).status).toBe(204)
  await handleCommand(s.deps.store, folderDecider, id, 'paid', { assignment }, { command: randomUUID(), actor: 'system' })
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

test('a folder withdrawn before the review starts can be assigned to another', async () => {
  const { folder, assignment: first } = await createAssignedFolder(ana, coach)
  expect((await ana.call('POST', `/api/folders/${folder}/withdraw?session=${first}`)).status).toBe(204)
  expect((await ana.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  expect((await coach.call('GET', `/api/folders/${folder}`)).status).toBe(404)
  const assignment = randomUUID()
  const again = { assignment, instructor: other.id }
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, again)).status).toBe(204)
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, again)).status).toBe(204)
  // A page that still shows the first session does not end the second.
  expectRefusal(await ana.call('POST', `/api/folders/${folder}/withdraw?session=${first}`), 409, 'sent-again')
  expectRefusal(await ana.call('POST', `/api/folders/${folder}/assign`, { ...again, assignment: randomUUID() }), 409, 'assigned')
})

test('a draft is saved only on top of its latest revision', async () => {
  const { folder, video } = await createAssignedFolder(ana, coach)
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
  expect((await coach.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))).status).toBe(204)
  expect((await coach.call('GET', path)).body).toEqual({ revision: 0, draft: null })
  expectRefusal(await save(2), 409, 'delivered')
})

test('an oversized review is refused and stays a draft; once smaller, it is delivered', async () => {
  const { folder, video } = await createAssignedFolder(ana, coach)
  await coach.call('POST', `/api/folders/${folder}/review`)
  const pen = () => ({
    id: randomUUID(),
    tool: 'pen',
    color: 0,
    width: 45,
    from: 0,
    hold: 30,
    fade: 0,
    p: Array.from({ length: 1200 }, (_, i) => (i % 4 < 2 ? 1111 : -1111)),
  })
  const [note] = newReviewInput(video).notes
  const draft = newReviewInput(video, { notes: [{ ...note, shapes: Array.from({ length: 60 }, pen) }] })
  expect((await coach.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft })).status).toBe(200)
  const answer = await coach.call('POST', `/api/folders/${folder}/feedback`, draft)
  expectRefusal(answer, 409, 'too-large')
  expect(answer.body.message).toMatch(/^This review is \d+ KB too large\. Delete some drawings/)
  expect((await coach.call('GET', `/api/folders/${folder}/draft`)).body.draft).toEqual(draft)
  expect(
    (await coach.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, { notes: [{ ...note, shapes: [pen()] }] }))).status,
  ).toBe(204)
})
