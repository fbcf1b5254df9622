import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Errand } from '../../../modules/kernel/process.ts'
import { note, schema } from '../../../modules/payments/webhooks.ts'
import { database } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof database>>
beforeAll(async () => {
  db = await database()
  await db.sql.unsafe(schema)
})
afterAll(() => db.end())

const notice = (id: string, type = 'payment_intent.succeeded') => ({
  ...{ id, type, object: { id: 'pi_1', kind: 'payment_intent' } },
  created: '2026-03-01T12:00:00.000Z',
})
const noted = async (id: string) => (await db.sql`select 1 from stripe_notices where id = ${id}`).length
function outbox() {
  const asked: Errand[] = []
  return { asked, post: async (_: unknown, errands: Errand[]) => asked.push(...errands) }
}

test('a webhook is noted with what it asks for, once, also when it comes twice at the same time', async () => {
  const { asked, post } = outbox()
  await Promise.all([note(db.sql, post, notice('evt_1'), new Date()), note(db.sql, post, notice('evt_1'), new Date())])
  await note(db.sql, post, notice('evt_1'), new Date())
  expect(asked.map(e => [e.kind, e.payload])).toEqual([['stripe.notice', { type: 'payment_intent.succeeded', object: 'pi_1' }]])
})
test('where the outbox does not take it, it was not noted, so that the next delivery counts', async () => {
  const broken = async () => {
    throw new Error('gone')
  }
  await expect(note(db.sql, broken, notice('evt_2'), new Date())).rejects.toThrow('gone')
  expect(await noted('evt_2')).toBe(0)
  const { asked, post } = outbox()
  await note(db.sql, post, notice('evt_2'), new Date())
  expect(asked).toHaveLength(1)
})
test('one that means nothing to us is noted and asks for nothing', async () => {
  const { asked, post } = outbox()
  await note(db.sql, post, notice('evt_3', 'customer.created'), new Date())
  expect([await noted('evt_3'), asked]).toEqual([1, []])
})
