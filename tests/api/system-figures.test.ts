import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordLetterDelivery } from '../../modules/letters/letter-delivery-table.ts'
import { systemFigures } from '../../src/api/system-figures.ts'
import { expectRefusal, type FullServer, startFullServer } from './full-server.ts'

let s: FullServer
beforeAll(async () => {
  s = await startFullServer()
})
afterAll(() => s.end())

test('an administrator sees four figures about waiting and failed work', async () => {
  const [admin, player] = [await s.admin(), await s.player()]
  expectRefusal(await player.call('GET', '/api/admin/system'), 403, 'forbidden')
  const figures = async () => (await admin.call('GET', '/api/admin/system')).body
  const before = await figures()

  // These errands stay in the outbox, because they are not due for an hour.
  await s.sql`insert into errands (id, kind, payload, due, tried, error, asked) values
    (${randomUUID()}, 'letter.unknown', '{}', now() + interval '1 hour', now() - interval '10 minutes', 'API key is invalid', now() + interval '1 day'),
    (${randomUUID()}, 'odd.errand', '{}', now() + interval '1 hour', null, null, now())`
  const at = new Date().toISOString()
  await recordLetterDelivery(s.sql, { letter: 'l1', to: 'pat@example.com', fate: 'bounced', reason: null, at })
  await recordLetterDelivery(s.sql, { letter: 'l2', to: 'mo@example.com', fate: 'delivered', reason: null, at })
  const after = await figures()
  expect(after.letters).toMatchObject({ error: 'API key is invalid', returned: before.letters.returned + 1 })
  expect(after.letters.failing).toBeGreaterThan(before.letters.failing)
  expect(after.outbox.waiting).toBeGreaterThanOrEqual(1)
  expect(after.outbox.oldestSeconds).toBeGreaterThan(599)
  expect(after.logLagSeconds).toBeLessThan(60)
})

test('a video that waits for its preparation counts, with how long it has waited', async () => {
  const { media: before } = await systemFigures(s.deps)
  expect(before).toEqual({ waiting: 0, oldestSeconds: 0 })
  await s.sql`insert into media_work (video, kind, folder, key, type, bytes, state, asked)
    values (${randomUUID()}, 'video', ${randomUUID()}, 'k', 'video/mp4', 1, 'waiting', now() - interval '10 minutes')`
  const { media } = await systemFigures(s.deps)
  expect(media.waiting).toBe(1)
  expect(media.oldestSeconds).toBeGreaterThan(599)
  expect(media.oldestSeconds).toBeLessThan(660)
})

test('the lag is the age of the oldest unread event, unless the log was truncated', async () => {
  await s.player()
  const [reader] = await s.deps.readModels.status()
  const lagOf = async (change: object) => {
    const status = async () => [{ ...reader!, position: -1n, ...change }]
    const readModels = { ...s.deps.readModels, status, companionStatuses: async () => [] }
    const processes = { ...s.deps.processes, status: async () => [] }
    const clock = () => new Date(Date.now() + 600_000)
    return (await systemFigures({ ...s.deps, readModels, processes, clock })).logLagSeconds
  }
  const lag = await lagOf({})
  expect(lag).toBeGreaterThan(599)
  expect(lag).toBeLessThan(1200)
  expect(await lagOf({ logEnd: 5n })).toBe(0)
})
