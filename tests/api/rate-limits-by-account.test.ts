import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rateLimits } from '../../src/api/rate-limits.ts'
import {
  createAssignedFolder,
  createFolder,
  createFolderWithVideo,
  expectRefusal,
  type FullServer,
  newReviewInput,
  startFullServer,
  type TestUser,
} from './full-server.ts'
import { newPlayerInput } from './test-server.ts'

let s: FullServer
let ana: TestUser
let ben: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ben, ray] = await Promise.all([s.player(), s.player(), s.instructor()])
  await Promise.all([s.saveCard(ana.id), s.saveCard(ben.id)])
  // A tenth of the normal limits.
  s.deps.limits = rateLimits(s.sql, 0.1)
})
afterAll(() => s.end())

test("repeated assigning and withdrawing does not flood an instructor's mailbox", async () => {
  const { folder } = await createFolderWithVideo(ana)
  const assign = (assignment: string) => ana.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: ray.id })
  for (let i = 0; i < 6; i++) {
    const assignment = randomUUID()
    // Repeating the same assignment does not count as another one.
    for (let twice = 0; twice < 2; twice++) expect((await assign(assignment)).status).toBe(204)
    expect((await ana.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  }
  const more = await assign(randomUUID())
  expectRefusal(more, 429, 'too-many')
  expect(Number(more.headers.get('retry-after'))).toBeGreaterThan(3000)
  const letters = () => s.sql`select 1 from errands where kind = 'letter.assigned'`
  await expect.poll(async () => (await letters()).length).toBe(6)
  // Other players are not affected.
  expect(await createAssignedFolder(ben, ray)).toMatchObject({ folder: expect.any(String) })
})

test("a stranger's failed logins do not keep the owner from changing their password", async () => {
  const { password } = newPlayerInput()
  const { username } = (await ben.call('GET', '/api/user')).body
  const login = () => s.browser().call('POST', '/api/login', { username, password: 'not the one' })
  for (let i = 0; i < 3; i++) expect((await login()).status).toBe(401)
  expectRefusal(await login(), 429, 'too-many')
  const change = (presentPassword: string) => ben.call('POST', '/api/account/password', { presentPassword, password: 'seven quiet foxes' })
  expect((await change(password)).status).toBe(204)
  for (let i = 0; i < 2; i++) expect((await change('not the one')).status).toBe(422)
  expectRefusal(await change('seven quiet foxes'), 429, 'too-many')
})

test('calls to the payment provider are limited by account', async () => {
  const { folder, video, assignment } = await createAssignedFolder(ben, ray)
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))).status).toBe(204)
  await expect.poll(async () => (await ben.call('GET', `/api/payments/${assignment}`)).status).toBe(200)
  const { total } = (await ben.call('GET', `/api/payments/${assignment}`)).body
  const pay = () => ben.call('POST', `/api/payments/${assignment}/pay`, { tip: 0, total })
  const calls = [
    [ana, '/api/cards/setup', { back: '/player/payment' }],
    [ana, '/api/cards/confirm', { session: 'cs_1' }],
    [ana, '/api/packages/checkout', { package: 'triple' }],
    [ana, '/api/packages/confirm', { session: 'cs_1' }],
    [ray, '/api/payouts/account', undefined],
    [ray, '/api/payouts/refresh', undefined],
  ] as const
  const ask = ([who, path, body]: (typeof calls)[number]) => who.call('POST', path, body)
  for (let i = 0; i < 10; i++) expect((await ask(calls[i % 4]!)).status).toBe(503)
  for (const call of calls.slice(0, 4)) expectRefusal(await ask(call), 429, 'too-many')
  for (let i = 0; i < 10; i++) expect((await ask(calls[4 + (i % 2)]!)).status).not.toBe(429)
  for (const call of calls.slice(4)) expectRefusal(await ask(call), 429, 'too-many')

  // The provider does not respond, so each attempt first asks for the outcome of the previous one.
  for (let i = 0; i < 10; i++) expect((await pay()).status).not.toBe(429)
  expectRefusal(await pay(), 429, 'too-many')
  expect((await ben.call('POST', `/api/payments/${randomUUID()}/pay`, { tip: 0, total })).status).toBe(404)
})

test('new uploads are limited by account', async () => {
  const { folder } = await createAssignedFolder(ben, ray)
  const voice = () => ray.call('POST', `/api/folders/${folder}/voices`, { id: randomUUID(), type: 'audio/webm', bytes: 9 })
  for (let i = 0; i < 40; i++) expect((await voice()).status).toBe(200)
  expectRefusal(await voice(), 429, 'too-many')

  const busy = await createFolder(ana)
  const start = () =>
    ana.call('POST', '/api/uploads', {
      id: randomUUID(),
      folder: busy,
      name: 'swing.mp4',
      type: 'video/mp4',
      bytes: 9,
      fingerprint: 'f',
    })
  let started = 0
  for (; started < 30; started++) {
    const { status, body } = await start()
    if (status === 429) break
    expect(status).toBe(201)
    expect((await ana.call('DELETE', `/api/uploads/${body.id}`)).status).toBe(204)
  }
  // The limit is 20, of which earlier tests have used some.
  expect(started).toBeGreaterThan(10)
  expect(started).toBeLessThanOrEqual(20)
})

test('commands that render pages or write read models are limited by account', async () => {
  const until429 = async (most: number, call: (i: number) => Promise<{ status: number }>) => {
    for (let i = 0; i < most; i++) {
      const { status } = await call(i)
      if (status === 429) return i
      expect([200, 201, 204]).toContain(status)
    }
    return most
  }
  const follow = (i: number) => ana.call(i % 2 ? 'DELETE' : 'PUT', `/api/instructors/${ray.id}/follow`)
  expect(await until429(40, follow)).toBe(30)
  const profile = { type: ['softball'], skills: ['pitching'], about: '', experience: '', slug: 'ray-of-light' }
  expect(await until429(40, i => ray.call('PUT', '/api/profile', { ...profile, about: `${i}` }))).toBe(30)

  const [card] = (await ana.call('GET', '/api/billing')).body.cards
  const one = await createFolder(ana)
  const path = `/api/folders/${one}`
  const changes = [
    (i: number) => ana.call('POST', '/api/folders', { id: randomUUID(), name: `Swings ${i}` }),
    (i: number) => ana.call('PATCH', path, { name: `Swings ${i}` }),
    () => ana.call('POST', `${path}/archive`),
    () => ana.call('POST', `${path}/restore`),
    () => ana.call('POST', `/api/cards/${card.id}/prefer`),
  ]
  const done = await until429(70, i => changes[i % changes.length]!(i))
  // The limit is 60, of which earlier tests have used some.
  expect(done).toBeGreaterThan(50)
  expect(done).toBeLessThan(60)
  for (const change of changes) expectRefusal(await change(1), 429, 'too-many')
  // Other players are not affected.
  expect(await createFolder(ben)).toEqual(expect.any(String))
})
