import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadState } from '../../modules/kernel/decider.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { expectRefusal } from './full-server.ts'
import { readFamilyMoney, type ServerWithFamilies, setMonthlyLimit, startServerWithFamilies } from './server-with-families.ts'

let t: ServerWithFamilies['t']
let coach: ServerWithFamilies['coach']
let families: ServerWithFamilies['families']
beforeAll(async () => {
  ;({ t, coach, families } = await startServerWithFamilies())
})
afterAll(() => t.end())

const seen = { total: 1550, atMost: 2500 }

test('an assigned session stays counted and its card held if a copy of the request fails', async () => {
  const { leo, maria, id } = await families.family()
  await setMonthlyLimit(maria, leo, 4000)
  const { folder, assignment } = await families.requestSession(leo)
  // No errand reads the folder from now on.
  await t.waitUntilIdle()
  // The first read of the folder by the copy, which has another message, does not show the assignment yet.
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
