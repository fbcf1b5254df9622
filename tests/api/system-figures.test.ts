import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordLetterDelivery } from '../../modules/letters/letter-delivery-status.ts'
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

  // No worker here performs this kind of errand, so they stay.
  await s.sql`insert into errands (id, kind, payload, due, tried, error, asked) values
    (${randomUUID()}, 'letter.unknown', '{}', now() + interval '1 hour', now() - interval '10 minutes', 'API key is invalid', now() + interval '1 day'),
    (${randomUUID()}, 'odd.errand', '{}', now() + interval '1 hour', null, null, now())`
  const at = new Date().toISOString()
  await recordLetterDelivery(s.sql, { letter: 'l1', to: 'pat@example.com', fate: 'bounced', reason: null, at })
  await recordLetterDelivery(s.sql, { letter: 'l2', to: 'mo@example.com', fate: 'delivered', reason: null, at })
  const after = await figures()
  expect(after.letters).toMatchObject({ error: 'API key is invalid', returned: before.letters.returned + 1 })
  // Letters of the registrations fail too, because no mail provider answers here.
  expect(after.letters.failing).toBeGreaterThan(before.letters.failing)
  expect(after.outbox.waiting).toBeGreaterThanOrEqual(1)
  expect(after.outbox.oldestSeconds).toBeGreaterThan(599)
  expect(after.logLagSeconds).toBeLessThan(60)
})
