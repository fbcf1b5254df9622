import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPlayerInput } from '../api/test-server.ts'
import { DAY_MS, type ServerWithMovableClock, startServerWithMovableClock } from './server-with-movable-clock.ts'

let t: ServerWithMovableClock
beforeAll(async () => {
  t = await startServerWithMovableClock('2031-01-15T15:00:00Z')
})
afterAll(() => t.end())

test("a package's sessions do not expire, and a late webhook adds none", async () => {
  const [email, instructorEmail] = [newPlayerInput().email, newPlayerInput().email]
  const [player, instructor] = [await t.player({ email }), await t.instructor({ email: instructorEmail })]
  await t.saveCardOf(player)
  const { body } = await player.call('POST', '/api/packages/checkout', { package: 'triple' })
  const session = new URL(await t.enterCard(body.url)).searchParams.get('session')
  expect((await player.call('POST', '/api/packages/confirm', { session })).status).toBe(200)
  const credits = async () => (await player.call('GET', '/api/billing')).body.credits
  await t.deliverAll()
  expect(await credits()).toBe(3)

  // Webhook ids are deleted after 40 days; a webhook that is redelivered after that still takes effect only once.
  await t.advanceClock(45 * DAY_MS)
  expect(await t.sql`select 1 from stripe_notices`).toHaveLength(0)
  await t.signIn(player, email)
  await t.deliverAll()
  expect(await credits()).toBe(3)

  await t.advanceClock(2 * 365 * DAY_MS)
  await t.signIn(player, email)
  await t.signIn(instructor, instructorEmail)
  await t.deliverAll()
  expect(await credits()).toBe(3)
  await t.createDeliveredFolder(player, instructor)
  expect(await credits()).toBe(2)
})
