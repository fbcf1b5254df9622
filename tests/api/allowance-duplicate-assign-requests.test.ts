import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadState } from '../../modules/kernel/decider.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { createFolderWithVideo, expectRefusal } from './full-server.ts'
import { readFamilyMoney, type ServerWithFamilies, setMonthlyLimit, startServerWithFamilyHelpers } from './server-with-families.ts'

let t: ServerWithFamilies['t']
let coach: ServerWithFamilies['coach']
let families: ServerWithFamilies['families']
beforeAll(async () => {
  ;({ t, coach, families } = await startServerWithFamilyHelpers())
})
afterAll(() => t.end())

const seen = { total: 1550, atMost: 2500 }

test('if a duplicate assign request fails, the session stays counted and the card held', async () => {
  const { leo, maria, id } = await families.family()
  await setMonthlyLimit(maria, leo, 4000)
  const { folder, assignment } = await families.requestSession(leo)
  // Waits for the errands, so that the next read of the folder is that of the duplicate below.
  await t.waitUntilIdle()
  // The duplicate has a different message. Its first read of the folder does not return the assignment yet.
  const { store } = t.deps
  const { read } = store
  const before = (await read(`folder-${folder}`)).slice(0, -1)
  store.read = async stream => {
    if (stream !== `folder-${folder}`) return read(stream)
    store.read = read
    return before
  }
  const late = await leo.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id, message: 'Hi', seen })
  expectRefusal(late, 409, 'assigned-before')
  expect((await readFamilyMoney(maria)).children).toMatchObject([{ spent: 2500 }])
  expect(Object.keys((await loadState(store, walletDecider, id)).held)).toEqual([assignment])
})

test('a session stays counted if it is retried while its first attempt is checked', async () => {
  const { leo, maria } = await families.family()
  await setMonthlyLimit(maria, leo, 4000)
  const { folder } = await createFolderWithVideo(leo)
  const body = { assignment: randomUUID(), instructor: coach.id, seen }
  const assign = async () => (await leo.call('POST', `/api/folders/${folder}/assign`, body)).status
  const spent = async () => (await readFamilyMoney(maria)).children[0].spent
  const { store } = t.deps
  const { append, read } = store
  // The session counts against the limit, but then the connection is lost, so the server does not know whether the assignment was appended.
  store.append = async (stream, ...rest) => {
    if (stream === `folder-${folder}`) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' })
    return append(stream, ...rest)
  }
  expect(await assign()).toBe(503)
  store.append = append
  await t.waitUntilIdle()
  expect(await spent()).toBe(2500)

  // The allowance check reads the folder while it has no assignment; right after that, the folder is assigned.
  store.read = async stream => {
    const events = await read(stream)
    if (stream === `folder-${folder}`) {
      store.read = read
      expect(await assign()).toBe(204)
    }
    return events
  }
  await t.makeDue('allowance.check')
  expect(await spent()).toBe(2500)
})
