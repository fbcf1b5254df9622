import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPlayerInput } from '../api/test-server.ts'
import { DAY_MS, HOUR_MS, type ServerWithMovableClock, startServerWithMovableClock } from './server-with-movable-clock.ts'

let t: ServerWithMovableClock
beforeAll(async () => {
  t = await startServerWithMovableClock('2031-01-15T15:00:00Z')
})
afterAll(() => t.end())

test('a private link to a review shows it for 30 days', async () => {
  const [player, instructor] = [await t.player(), await t.instructor()]
  await t.saveCardOf(player)
  const { folder, assignment } = await t.createDeliveredFolder(player, instructor)
  const { body } = await player.call('POST', `/api/folders/${folder}/links?session=${assignment}`, { id: randomUUID(), name: 'Grandma' })
  const open = async () => (await t.browser().call('GET', `/api/shared/${body.token}`)).status
  await t.advanceClock(30 * DAY_MS - HOUR_MS)
  expect(await open()).toBe(200)
  await t.advanceClock(2 * HOUR_MS)
  expect(await open()).toBe(404)
  expect(await t.sql`select 1 from review_links`).toHaveLength(0)
})

test('the link in a password letter works for an hour', async () => {
  const { email } = newPlayerInput()
  await t.player({ email })
  const nobody = t.browser()
  const asked = async () => {
    await nobody.call('POST', '/api/recovery/password', { email })
    await t.waitUntilIdle()
    return /token=([\w-]{43})/.exec((await t.letters(email)).at(-1)!.text)![1]!
  }
  const late = await asked()
  await t.advanceClock(HOUR_MS)
  expect((await nobody.call('POST', '/api/recovery/reset', { token: late, password: 'a new long one' })).status).toBe(410)
  const early = await asked()
  await t.advanceClock(HOUR_MS / 2)
  expect((await nobody.call('POST', '/api/recovery/reset', { token: early, password: 'a new long one' })).status).toBe(204)
})

test('a login session ends after 30 days without use', async () => {
  const player = await t.player()
  const isSignedIn = async () => (await player.call('GET', '/api/user')).status === 200
  await t.advanceClock(29 * DAY_MS)
  expect(await isSignedIn()).toBe(true)
  await t.advanceClock(29 * DAY_MS)
  expect(await isSignedIn()).toBe(true)
  await t.advanceClock(31 * DAY_MS)
  expect(await isSignedIn()).toBe(false)
})
