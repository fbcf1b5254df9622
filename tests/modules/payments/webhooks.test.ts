import { afterAll, beforeAll, expect, test } from 'vitest'
import { handle } from '../../../modules/kernel/decider.ts'
import type { Errand } from '../../../modules/kernel/process.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import type { Till } from '../../../modules/payments/charge.ts'
import { payoutAccount } from '../../../modules/payments/payout-account.ts'
import { hear, note, schema } from '../../../modules/payments/webhooks.ts'
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

/** Each kind that we listen to, and what is asked of the provider first when it is heard. */
test.each([
  ['payment_intent.succeeded', 'paid'],
  ['charge.refunded', 'fetchCharge'],
  ['refund.updated', 'chargeOfRefund'],
  ['refund.failed', 'chargeOfRefund'],
  ['charge.dispute.created', 'fetchDispute'],
  ['charge.dispute.updated', 'fetchDispute'],
  ['charge.dispute.closed', 'fetchDispute'],
  ['checkout.session.completed', 'setupDone'],
  ['checkout.session.async_payment_succeeded', 'setupDone'],
  ['account.updated', 'accountStatus'],
])('%s is noted and looked up', async (type, first) => {
  const { asked, post } = outbox()
  await note(db.sql, post, { ...notice(`evt_${type}`, type), object: { id: 'obj_1', kind: 'any' } }, new Date())
  expect(asked.map(e => e.payload)).toEqual([{ type, object: 'obj_1' }])
  const calls: unknown[] = []
  const stop = new Error('as far as this test goes')
  const gateway = new Proxy({} as Till['gateway'], {
    get: (_, call) => async (id: string) => {
      calls.push([call, id])
      throw stop
    },
  })
  const store = memoryStore()
  await handle(store, payoutAccount, 'casey', 'open', { account: 'obj_1' }, { command: 'open', actor: 'casey' })
  const heard = hear({ store, gateway, clock: () => new Date() }, { type, object: 'obj_1' }, { instructorOf: async () => 'casey' })
  await expect(heard).rejects.toBe(stop)
  expect(calls).toEqual([[first, 'obj_1']])
})
