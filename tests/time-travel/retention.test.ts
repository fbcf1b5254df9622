import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import { createFolderWithVideo } from '../api/full-server.ts'
import { newPlayerInput } from '../api/test-server.ts'
import { DAY_MS, type ServerWithMovableClock, startServerWithMovableClock } from './server-with-movable-clock.ts'

let t: ServerWithMovableClock
beforeAll(async () => {
  t = await startServerWithMovableClock('2031-03-10T15:00:00Z')
})
afterAll(() => t.end())

test('a video that was never assigned is deleted after 12 months, and no sooner', async () => {
  const player = await t.player()
  const { folder: of } = await createFolderWithVideo(player)
  const files = async () => {
    const keys: string[] = []
    for await (const { key } of t.deps.objects.list('')) if (key.includes(of)) keys.push(key)
    return keys.length
  }
  const videos = async () => (await loadState(t.deps.store, folderDecider, of)).videos.length
  const [{ expires }] = (await player.call('GET', '/api/account/retention')).body.videos
  expect(expires.slice(0, 10)).toBe('2032-03-10')

  await t.advanceClockTo('2032-03-09T15:00:00Z')
  expect([await videos(), await files()]).toEqual([1, 1])
  await t.advanceClockTo('2032-03-11T15:00:00Z')
  expect([await videos(), await files()]).toEqual([0, 0])
})

test('a support request and its answer are deleted after three years, and no sooner', async () => {
  const [player, admin] = [await t.player(), await t.admin()]
  const asked = { requestType: 'issue', content: 'A persimmon stopped my video.' }
  const { id } = (await player.call('POST', '/api/support/request', asked)).body
  expect((await admin.call('POST', `/api/admin/support/${id}/answer`, { answer: 'Try a fig.' })).status).toBe(204)
  const askedAt = t.now()
  const words = async () => JSON.stringify((await t.deps.store.read(`request-${id}`)).map(e => e.data))

  askedAt.setUTCFullYear(askedAt.getUTCFullYear() + 3)
  await t.advanceClockTo(new Date(askedAt.getTime() - DAY_MS))
  expect(await words()).toMatch(/persimmon.*fig/)
  await t.advanceClockTo(new Date(askedAt.getTime() + DAY_MS))
  expect(await words()).not.toMatch(/persimmon|fig/)
})

test('an account is deleted 14 days after its owner requested it, unless they cancel', async () => {
  const emails = [newPlayerInput().email, newPlayerInput().email]
  const [leaver, stayer] = [await t.player({ email: emails[0] }), await t.player({ email: emails[1] })]
  const { password } = newPlayerInput()
  for (const who of [leaver, stayer]) expect((await who.call('POST', '/api/account/deletion', { password })).status).toBe(204)
  const exists = async (id: string) => (await t.sql`select 1 from users where id = ${id}`).length === 1

  await t.advanceClock(13 * DAY_MS)
  expect([await exists(leaver.id), await exists(stayer.id)]).toEqual([true, true])
  expect((await stayer.call('POST', '/api/account/deletion/cancel')).status).toBe(204)
  await t.advanceClock(DAY_MS)
  expect([await exists(leaver.id), await exists(stayer.id)]).toEqual([false, true])
})
