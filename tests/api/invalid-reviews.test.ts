import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAssignedFolder, expectRefusal, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let coach: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, coach] = await s.playerAndInstructor()
})
afterAll(() => s.end())

const shape = (more: object = {}) => ({
  id: randomUUID(),
  tool: 'line',
  color: 0,
  width: 45,
  p: [100, 100, 200, 200],
  from: 10,
  hold: 30,
  fade: 0,
  ...more,
})
/** Creates an assigned folder whose video has 60 frames. The returned `good` is a valid review of that video. */
async function reviewing() {
  const it = await createAssignedFolder(ana, coach)
  const media = s.sql.json({
    container: 'mp4',
    codec: 'avc',
    width: 320,
    height: 240,
    rotation: 0,
    milliseconds: 2000,
    frames: 60,
    rate: [30, 1],
    variable: false,
    hdr: false,
    sound: false,
    captureRate: null,
  })
  await s.sql`insert into media_work (video, kind, folder, key, type, bytes, state, media)
    values (${it.video}, 'rendition', ${it.folder}, 'k', 'video/mp4', 9, 'ready', ${media})
    on conflict (video, kind) do update set state = excluded.state, media = excluded.media`
  const [note] = newReviewInput(it.video).notes
  const path = `/api/folders/${it.folder}`
  const review = (more: object) => newReviewInput(it.video, { notes: [note, { ...note, id: randomUUID(), ...more }] })
  const good = review({ frame: 59, until: 59, shapes: [shape({ from: 59 })] })
  const draft = async () => (await coach.call('GET', `${path}/draft`)).body
  return { ...it, path, review, good, draft }
}

test.each([
  ['past the edge of the picture', { p: [100, 100, 9901, 0] }, 'p', 'This drawing reaches past the edge of the picture'],
  ['left of the picture', { p: [100, 100, -101, 0] }, 'p', 'This drawing reaches past the edge of the picture'],
  ['with an incomplete point', { p: [100, 100, 200] }, 'p', 'This drawing has too few or too many points'],
  ['with too many points', { tool: 'pen', p: Array(1202).fill(0) }, 'p', 'A stroke has at most 600 points'],
  ['with a label that is too long', { tool: 'text', p: [1, 1], text: 'x'.repeat(81) }, 'text', 'At most 80 letters on the picture'],
])('a drawing %s is refused with its reason in drafts and reviews; no work is lost', async (_, wrong, field, message) => {
  const { path, review, good, draft } = await reviewing()
  expect((await coach.call('PUT', `${path}/draft`, { revision: 0, draft: good })).status).toBe(200)
  const bad = review({ shapes: [shape(), shape(wrong)] })
  for (const answer of [
    await coach.call('PUT', `${path}/draft`, { revision: 1, draft: bad }),
    await coach.call('POST', `${path}/feedback`, bad),
  ]) {
    expectRefusal(answer, 422, 'invalid')
    expect(answer.body.message).toBe(message)
    expect(answer.body.errors.map((e: { field: string }) => e.field.replace('draft.', ''))).toEqual([`notes.1.shapes.1.${field}`])
  }
  expect(await draft()).toEqual({ revision: 1, draft: good })
  expect((await coach.call('POST', `${path}/feedback`, good)).status).toBe(204)
})

test.each([
  ['a note', { frame: 60 }, 'notes.1.frame', 'Note 2 lies past the end of its video. Move it to a moment you can see.'],
  [
    'the end of a note',
    { frame: 1, until: 60 },
    'notes.1.until',
    'Note 2 lies past the end of its video. Move it to a moment you can see.',
  ],
  [
    'a drawing',
    { frame: 1, shapes: [shape(), shape({ from: 60 })] },
    'notes.1.shapes.1.from',
    'A drawing of note 2 lies past the end of its video. Move it to a moment you can see.',
  ],
])('%s past the last frame stays in the draft, and is delivered only once moved', async (_, wrong, field, message) => {
  const { folder, path, review, good, draft } = await reviewing()
  const bad = review(wrong)
  expect((await coach.call('PUT', `${path}/draft`, { revision: 0, draft: bad })).status).toBe(200)
  const answer = await coach.call('POST', `${path}/feedback`, bad)
  expectRefusal(answer, 409, 'note-time')
  expect([answer.body.field, answer.body.message]).toEqual([field, message])
  expect((await draft()).draft).toEqual(bad)
  expect((await coach.call('POST', `${path}/feedback`, good)).status).toBe(204)
  expect((await ana.call('GET', `/api/folders/${folder}`)).body.session.review).toEqual(good)
})

test('a review in the previous format is accepted and read unchanged by both sides', async () => {
  const { video, path } = await reviewing()
  const notes = [0, 1].map(n => ({ id: randomUUID(), video, at: 400 * n, kind: 'tip', text: `Note ${n}` }))
  const old = { notes, summary: 'Good.', grades: [{ skill: 'hitting', grade: 50 }] }
  expect((await coach.call('PUT', `${path}/draft`, { revision: 0, draft: old })).status).toBe(200)
  expect((await coach.call('POST', `${path}/feedback`, old)).status).toBe(204)
  for (const who of [ana, coach]) {
    const { session } = (await who.call('GET', path)).body
    expect(session.review).toEqual(old)
    expect(session).toMatchObject({ voices: [], compared: [] })
  }
})
