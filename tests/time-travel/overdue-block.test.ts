import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderWithVideo, expectRefusal } from '../api/full-server.ts'
import { DAY_MS, HOUR_MS, type ServerWithMovableClock, startServerWithMovableClock } from './server-with-movable-clock.ts'

let t: ServerWithMovableClock
beforeAll(async () => {
  t = await startServerWithMovableClock('2031-01-15T15:00:00Z')
})
afterAll(() => t.end())

test('a player with an overdue bill can assign nothing until it is paid', async () => {
  const [player, instructor] = [await t.player(), await t.instructor()]
  // This test card can be saved, but every charge is declined.
  await t.saveCardOf(player, '4000000000000341')
  const { payment } = await t.createDeliveredFolder(player, instructor)
  const { folder } = await createFolderWithVideo(player)
  const assign = () => player.call('POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: instructor.id })
  const bill = async () => {
    const { body } = await player.call('GET', '/api/billing')
    return body.payments.find((p: { id: string }) => p.id === payment)
  }

  await t.advanceClock(7 * DAY_MS - HOUR_MS)
  expect(await bill()).toMatchObject({ status: 'due', overdue: false })
  expect((await assign()).status).toBe(204)
  expect((await player.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)

  await t.advanceClock(HOUR_MS)
  expect(await bill()).toMatchObject({ status: 'failed', overdue: true, failure: { reason: 'declined' } })
  expectRefusal(await assign(), 409, 'overdue')
  await t.advanceClock(10 * DAY_MS)
  expectRefusal(await assign(), 409, 'overdue')

  const { id: card } = await t.saveCardOf(player)
  expectRefusal(await assign(), 409, 'overdue')
  expect((await player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: 1550, card })).body.status).toBe('paid')
  await t.waitUntilIdle()
  expect((await assign()).status).toBe(204)
})
