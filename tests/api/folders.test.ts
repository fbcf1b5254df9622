import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createAssignedFolder,
  createFolder,
  createFolderWithVideo,
  expectRefusal,
  type FullServer,
  newReviewInput,
  startFullServer,
  startUploadAndSendParts,
  type TestUser,
} from './full-server.ts'
import { birthDateForAge } from './test-server.ts'

let s: FullServer
let ana: TestUser
let ben: TestUser
let coach: TestUser
let other: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ben, coach, other] = await Promise.all([s.player(), s.player(), s.instructor(), s.instructor()])
  await Promise.all([s.saveCard(ana.id), s.saveCard(ben.id)])
})
afterAll(() => s.end())

const get = async (who: Pick<TestUser, 'call'>, folder: string) => (await who.call('GET', `/api/folders/${folder}`)).body

// @spec:3.17 @spec:4.24
test('a created, renamed, archived or restored folder shows immediately', async () => {
  const id = await createFolder(ana, 'Bunts')
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

test('an idempotency key cannot be reused for another command by the same person', async () => {
  const id = await createFolder(ana)
  const key = { 'idempotency-key': randomUUID() }
  const act = (what: string, by = ana) => by.call('POST', `/api/folders/${id}/${what}`, undefined, key)
  expect((await act('archive')).status).toBe(204)
  expectRefusal(await act('restore'), 422, 'key-reused')
  expect((await get(ana, id)).status).toBe('archived')
  expect((await ana.call('POST', `/api/folders/${id}/restore`)).status).toBe(204)
  // These requests repeat earlier commands: they get the original replies, and nothing changes.
  expect((await act('archive')).status).toBe(204)
  expect((await get(ana, id)).status).toBe('open')
  const rename = (name: string) => ana.call('PATCH', `/api/folders/${id}`, { name }, renaming)
  const renaming = { 'idempotency-key': randomUUID() }
  expect((await rename('Bunts')).status).toBe(204)
  expect((await rename('Bunts')).status).toBe(204)
  expectRefusal(await rename('Drag bunts'), 422, 'key-reused')
  const theirs = await createFolder(ben)
  expect((await ben.call('POST', `/api/folders/${theirs}/archive`, undefined, key)).status).toBe(204)
  expect((await get(ben, theirs)).status).toBe('archived')
  expectRefusal(await act('archive', ben), 404, 'not-found')
})

test('a price quote has the total and the maximum price', async () => {
  const { folder } = await createFolderWithVideo(ana)
  const { status, body } = await ana.call('GET', `/api/folders/${folder}/quote`)
  expect([status, body.total, body.atMost]).toEqual([200, 1550, 2500])
})

test("assigning is refused without card, video, instructor or the guardian's consent", async () => {
  const carol = await s.player()
  const { folder } = await createFolderWithVideo(carol)
  const assign = (who: TestUser, of: string, instructor = coach.id) =>
    who.call('POST', `/api/folders/${of}/assign`, { assignment: randomUUID(), instructor })
  expectRefusal(await assign(carol, folder), 409, 'card-needed')
  await s.saveCard(carol.id)
  const nobody = await assign(carol, folder, randomUUID())
  expectRefusal(nobody, 409, 'no-instructor')
  expect(nobody.body.field).toBe('instructor')
  expectRefusal(await assign(carol, folder, ana.id), 409, 'no-instructor')
  expectRefusal(await assign(carol, await createFolder(carol)), 409, 'no-videos')
  expect((await assign(carol, folder)).status).toBe(204)

  const minor = await s.player({
    dateOfBirth: birthDateForAge(14),
    guardianName: 'Rosa García',
    guardianEmail: `rosa${randomUUID()}@example.com`,
  })
  await s.saveCard(minor.id)
  expectRefusal(await assign(minor, (await createFolderWithVideo(minor)).folder), 409, 'guardian-needed')
})

test('an assignment id is bound to one folder', async () => {
  const { assignment } = await createAssignedFolder(ana, coach)
  const { folder } = await createFolderWithVideo(ben)
  expectRefusal(await ben.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id }), 409, 'assigned-before')
})

test('a removed video disappears from the folder and from the object store', async () => {
  const { folder, video } = await createFolderWithVideo(ana)
  const { url } = (await get(ana, folder)).clips[0]
  expect((await ana.call('DELETE', `/api/folders/${folder}/videos/${randomUUID()}`)).status).toBe(404)
  expect((await ana.call('DELETE', `/api/folders/${folder}/videos/${video}`)).status).toBe(204)
  expect((await ana.call('DELETE', `/api/folders/${folder}/videos/${video}`)).status).toBe(204)
  expect((await get(ana, folder)).clips).toEqual([])
  await expect.poll(async () => (await fetch(url)).status).toBe(404)
})

test('removing one of several videos keeps the others', async () => {
  const folder = await createFolder(ana)
  const ids = []
  for (let i = 0; i < 3; i++) {
    const { id, complete } = await startUploadAndSendParts(ana, folder)
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
  const slow = (who: Pick<TestUser, 'call'>, video: string) =>
    who.call('PUT', `/api/folders/${folder}/videos/${video}/capture-rate`, { rate: 240 })
  expect([(await slow(ana, third!)).status, (await slow(ana, second!)).status, (await slow(coach, third!)).status]).toEqual([204, 404, 404])
})

test('an empty message counts as no message', async () => {
  const { folder } = await createAssignedFolder(ana, coach, { message: '' })
  const [queued] = (await coach.call('GET', '/api/queue')).body.folders.filter((f: { id: string }) => f.id === folder)
  expect(queued.message).toBeNull()
})

test("somebody else's folder is not found", async () => {
  const { folder, video } = await createAssignedFolder(ana, coach)
  const mine = (await createFolderWithVideo(ben)).folder
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
    ['POST', '/feedback', newReviewInput(video)],
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
  expect((await startUploadAndSendParts(ben, folder)).started.status).toBe(404)
  expect((await ben.call('GET', `/api/uploads?folder=${folder}`)).status).toBe(404)
  expect((await ben.call('DELETE', `/api/folders/${mine}/videos/${video}`)).status).toBe(404)
  expect(await get(ana, folder)).toMatchObject({ name: 'Swings', status: 'assigned' })
})
