import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { RevisionConflict } from '../../modules/kernel/store.ts'
import { creditsAndPointsDecider, unusedPackageCredits } from '../../modules/rewards/credits-and-points-decider.ts'
import { createFolderWithVideo, type FullServer, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ray] = await s.playerAndInstructor()
})
afterAll(() => s.end())

const credits = async () => unusedPackageCredits(await loadState(s.deps.store, creditsAndPointsDecider, ana.id))
const reservationChecks = (folder: string) => s.sql`select 1 from errands where kind = 'rewards.check' and payload ->> 'folder' = ${folder}`
const doneReservationChecks = (folder: string) =>
  s.sql`select 1 from errands where kind = 'rewards.check' and payload ->> 'folder' = ${folder} and done is not null`
/** A lost connection, after which it is unknown whether the event was appended. */
const connectionLostError = () => Object.assign(new Error('gone'), { code: 'ECONNRESET' })
/** Schedules the reservation check to run now. Normally it runs an hour after an attempt to assign. */
const makeReservationCheckDue = (folder: string) =>
  s.sql`update errands set due = now() where kind = 'rewards.check' and payload ->> 'folder' = ${folder} and done is null`.then(
    () => s.sql`select pg_notify('errands', '')`,
  )

test("a refused assignment's reserved credit is available to the next price quote", async () => {
  const [eve, cal] = await s.playerAndInstructor()
  await handleCommand(
    s.deps.store,
    creditsAndPointsDecider,
    eve.id,
    'credit',
    { purchase: 'p2', folders: 1 },
    { command: randomUUID(), actor: 'system' },
  )
  const { folder } = await createFolderWithVideo(eve)
  const price = async () => (await eve.call('GET', `/api/folders/${folder}/quote`)).body.total
  const assignment = randomUUID()
  const assign = () => eve.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: cal.id })
  expect(await price()).toBe(50)
  const { store } = s.deps
  const { append } = store
  for (let i = 0; i < 2; i++) {
    store.append = async (stream, expected, events) => {
      if (stream === `folder-${folder}`) throw new RevisionConflict(stream, expected, expected + 1n)
      return append(stream, expected, events)
    }
    expect((await assign()).status).toBe(409)
    store.append = append
    expect(await price()).toBe(50)
  }
  expect((await assign()).status).toBe(204)
  expect(await price()).toBe(1550)
  // The client repeats the assignment with a different message, and the first read of the folder does not return the first assignment yet.
  // The server refuses the repeated request, and the credit stays reserved.
  const { read } = store
  const before = (await read(`folder-${folder}`)).slice(0, -1)
  let once = true
  store.read = async stream => {
    if (stream !== `folder-${folder}` || !once) return read(stream)
    once = false
    return before
  }
  const seen = { total: 50, atMost: 1000 }
  const late = await eve.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: cal.id, message: 'Hi', seen })
  store.read = read
  expect([late.status, late.body.code]).toEqual([409, 'assigned-before'])
  expect(await price()).toBe(1550)
})

test('a reserved credit is not returned while its assignment may still succeed', async () => {
  await handleCommand(
    s.deps.store,
    creditsAndPointsDecider,
    ana.id,
    'credit',
    { purchase: 'p1', folders: 1 },
    { command: randomUUID(), actor: 'system' },
  )
  const { folder } = await createFolderWithVideo(ana)
  const assignment = randomUUID()
  const { total, atMost } = (await ana.call('GET', `/api/folders/${folder}/quote`)).body
  const seen = { total, atMost }
  const assign = () => ana.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: ray.id, seen })
  const { store } = s.deps
  const { append, read } = store
  // The credit is reserved, but then the connection is lost, so the server does not know whether the assignment was appended.
  store.append = async (stream, expected, events) => {
    if (stream === `folder-${folder}`) throw connectionLostError()
    return append(stream, expected, events)
  }
  expect((await assign()).status).toBe(503)
  store.append = append
  expect(await credits()).toBe(0)

  // The reservation check reads the folder while it has no assignment; right after that, the folder is assigned.
  await expect.poll(async () => (await reservationChecks(folder)).length).toBe(1)
  let again: Promise<number> | undefined
  store.read = async stream => {
    const events = await read(stream)
    if (stream === `folder-${folder}` && !again) {
      again = assign().then(({ status }) => status)
      await again
    }
    return events
  }
  await makeReservationCheckDue(folder)
  await expect.poll(async () => (await doneReservationChecks(folder)).length).toBeGreaterThan(0)
  store.read = read
  expect(await again).toBe(204)
  expect(await credits()).toBe(0)

  // The credit is returned when the player withdraws the session, and after an assignment that failed even when retried.
  expect((await ana.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  await expect.poll(credits).toBe(1)
  const other = await createFolderWithVideo(ana)
  const next = randomUUID()
  const assignWhileUnavailable = () =>
    ana.call('POST', `/api/folders/${other.folder}/assign`, { assignment: next, instructor: ray.id, seen })
  store.append = async (stream, expected, events) => {
    if (stream === `folder-${other.folder}`) throw connectionLostError()
    return append(stream, expected, events)
  }
  expect([(await assignWhileUnavailable()).status, (await assignWhileUnavailable()).status]).toEqual([503, 503])
  store.append = append
  expect(await credits()).toBe(0)
  await expect.poll(async () => (await reservationChecks(other.folder)).length).toBe(2)
  await makeReservationCheckDue(other.folder)
  await expect.poll(credits).toBe(1)
})

test('a repeated request reserves a returned credit again, so none is used twice', async () => {
  const [eve, cal] = await s.playerAndInstructor()
  await handleCommand(
    s.deps.store,
    creditsAndPointsDecider,
    eve.id,
    'credit',
    { purchase: 'p3', folders: 1 },
    { command: randomUUID(), actor: 'system' },
  )
  const left = async () => unusedPackageCredits(await loadState(s.deps.store, creditsAndPointsDecider, eve.id))
  const { folder } = await createFolderWithVideo(eve)
  const { total, atMost } = (await eve.call('GET', `/api/folders/${folder}/quote`)).body
  const body = { assignment: randomUUID(), instructor: cal.id, seen: { total, atMost } }
  const key = { 'idempotency-key': randomUUID() }
  const assign = () => eve.call('POST', `/api/folders/${folder}/assign`, body, key)
  const { store } = s.deps
  const { append } = store
  store.append = async (stream, expected, events) => {
    if (stream === `folder-${folder}`) throw new RevisionConflict(stream, expected, expected + 1n)
    return append(stream, expected, events)
  }
  expect([(await assign()).status, await left()]).toEqual([409, 1])
  store.append = append
  expect([(await assign()).status, await left()]).toEqual([204, 0])
  expect([(await assign()).status, await left()]).toEqual([204, 0])
  expect((await eve.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  await expect.poll(left).toBe(1)
})
