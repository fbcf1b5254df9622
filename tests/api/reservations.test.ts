import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fold, handle } from '../../modules/kernel/decider.ts'
import { Conflict } from '../../modules/kernel/store.ts'
import { creditsOf, perks } from '../../modules/rewards/perks.ts'
import { type Person, readyFolder, type Stage, stage } from './stage.ts'

let s: Stage
let ana: Person
let ray: Person
beforeAll(async () => {
  s = await stage()
  ;[ana, ray] = await Promise.all([s.player(), s.instructor()])
  await s.saveCard(ana.id)
})
afterAll(() => s.end())

const credits = async () => creditsOf(fold(perks, await s.deps.store.read(`perks-${ana.id}`)))
const checked = (folder: string) =>
  s.sql`select 1 from errands where kind = 'rewards.check' and payload ->> 'folder' = ${folder} and done is not null`
/** The hour is over. */
const due = (folder: string) =>
  s.sql`update errands set due = now() where kind = 'rewards.check' and payload ->> 'folder' = ${folder} and done is null`.then(
    () => s.sql`select pg_notify('errands', '')`,
  )

test('a credit that was set aside is not given back while the assignment that it is for comes about after all', async () => {
  await handle(s.deps.store, perks, ana.id, 'credit', { purchase: 'p1', folders: 1 }, { command: randomUUID(), actor: 'system' })
  const { folder } = await readyFolder(ana)
  const assignment = randomUUID()
  const { total, atMost } = (await ana.call('GET', `/api/folders/${folder}/quote`)).body
  const seen = { total, atMost }
  const assign = () => ana.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: ray.id, seen })
  const { store } = s.deps
  const { append, read } = store
  // Set aside, and then it did not come about.
  store.append = async (stream, expected, events) => {
    if (stream === `folder-${folder}`) throw new Conflict(stream, expected, expected + 1n)
    return append(stream, expected, events)
  }
  expect((await assign()).status).toBe(409)
  store.append = append
  expect(await credits()).toBe(0)

  // Who looks whether to give it back sees a folder that nobody has assigned; then it is assigned.
  await expect.poll(async () => (await s.sql`select 1 from errands where kind = 'rewards.check'`).length).toBe(1)
  let again: Promise<number> | undefined
  store.read = async stream => {
    const events = await read(stream)
    if (stream === `folder-${folder}` && !again) {
      again = assign().then(({ status }) => status)
      await again
    }
    return events
  }
  await due(folder)
  await expect.poll(async () => (await checked(folder)).length, { timeout: 10_000 }).toBeGreaterThan(0)
  store.read = read
  expect(await again).toBe(204)
  expect(await credits()).toBe(0)

  // It comes back with the folder, and where it was tried again in vain.
  expect((await ana.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  await expect.poll(credits).toBe(1)
  const other = await readyFolder(ana)
  const next = randomUUID()
  const inVain = () => ana.call('POST', `/api/folders/${other.folder}/assign`, { assignment: next, instructor: ray.id, seen })
  store.append = async (stream, expected, events) => {
    if (stream === `folder-${other.folder}`) throw new Conflict(stream, expected, expected + 1n)
    return append(stream, expected, events)
  }
  expect([(await inVain()).status, (await inVain()).status]).toEqual([409, 409])
  store.append = append
  expect(await credits()).toBe(0)
  await expect
    .poll(async () => (await s.sql`select 1 from errands where kind = 'rewards.check' and payload ->> 'folder' = ${other.folder}`).length)
    .toBe(2)
  await due(other.folder)
  await expect.poll(credits).toBe(1)
})
