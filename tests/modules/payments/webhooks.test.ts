import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { derivedId, handleCommand } from '../../../modules/kernel/decider.ts'
import type { Errand } from '../../../modules/kernel/process.ts'
import type { EventStore, RecordedEvent } from '../../../modules/kernel/store.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { paymentDecider } from '../../../modules/payments/payment.ts'
import { payoutAccountAndDebtDecider } from '../../../modules/payments/payout-account-and-debt-decider.ts'
import type { PaymentDependencies } from '../../../modules/payments/perform-charge-attempts.ts'
import { processRecordedStripeWebhook, recordStripeWebhook } from '../../../modules/payments/webhooks.ts'
import { createTestDatabase } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

const notice = (id: string, type = 'payment_intent.succeeded') => ({
  id,
  type,
  object: { id: 'pi_1', kind: 'payment_intent' },
  created: '2026-03-01T12:00:00.000Z',
})
const noted = async (id: string) => (await db.sql`select 1 from stripe_notices where id = ${id}`).length
function outbox() {
  const asked: Errand[] = []
  return { asked, post: async (_: unknown, errands: Errand[]) => asked.push(...errands) }
}

test('a webhook is stored once with its errand, even if it arrives twice concurrently', async () => {
  const { asked, post } = outbox()
  await Promise.all([
    recordStripeWebhook(db.sql, post, notice('evt_1'), new Date()),
    recordStripeWebhook(db.sql, post, notice('evt_1'), new Date()),
  ])
  await recordStripeWebhook(db.sql, post, notice('evt_1'), new Date())
  expect(asked.map(e => [e.kind, e.payload])).toEqual([['stripe.notice', { type: 'payment_intent.succeeded', object: 'pi_1' }]])
})
test('a webhook whose errand cannot be stored is not stored either, so a retry works', async () => {
  const broken = async () => {
    throw new Error('gone')
  }
  await expect(recordStripeWebhook(db.sql, broken, notice('evt_2'), new Date())).rejects.toThrow('gone')
  expect(await noted('evt_2')).toBe(0)
  const { asked, post } = outbox()
  await recordStripeWebhook(db.sql, post, notice('evt_2'), new Date())
  expect(asked).toHaveLength(1)
})
test('an irrelevant webhook is stored and creates no errand', async () => {
  const { asked, post } = outbox()
  await recordStripeWebhook(db.sql, post, notice('evt_3', 'customer.created'), new Date())
  expect([await noted('evt_3'), asked]).toEqual([1, []])
})

/** Each handled kind of webhook, and the first query that handling it sends to the provider. */
test.each([
  ['payment_intent.succeeded', 'outcomeOfIntent'],
  ['charge.refunded', 'fetchCharge'],
  ['refund.updated', 'chargeOfRefund'],
  ['refund.failed', 'chargeOfRefund'],
  ['charge.dispute.created', 'fetchDispute'],
  ['charge.dispute.updated', 'fetchDispute'],
  ['charge.dispute.closed', 'fetchDispute'],
  ['checkout.session.completed', 'fetchSetupCard'],
  ['checkout.session.async_payment_succeeded', 'fetchSetupCard'],
  ['account.updated', 'accountStatus'],
])('%s is stored and looked up at the provider', async (type, first) => {
  const { asked, post } = outbox()
  await recordStripeWebhook(db.sql, post, { ...notice(`evt_${type}`, type), object: { id: 'obj_1', kind: 'any' } }, new Date())
  expect(asked.map(e => e.payload)).toEqual([{ type, object: 'obj_1' }])
  const calls: unknown[] = []
  const stop = new Error('as far as this test goes')
  const gateway = new Proxy({} as PaymentDependencies['gateway'], {
    get: (_, call) => async (id: string) => {
      calls.push([call, id])
      throw stop
    },
  })
  const store = memoryStore()
  await handleCommand(store, payoutAccountAndDebtDecider, 'casey', 'open', { account: 'obj_1' }, { command: 'open', actor: 'casey' })
  const heard = processRecordedStripeWebhook(
    { store, gateway, clock: () => new Date() },
    { type, object: 'obj_1' },
    { instructorOf: async () => 'casey' },
  )
  await expect(heard).rejects.toBe(stop)
  expect(calls).toEqual([[first, 'obj_1']])
})

describe("the handling of a webhook's object", () => {
  const charge = { id: 'ch_1', payment: null, attempt: null, intent: 'pi_1', paid: true, amount: 4200 }
  const sold = {
    payer: 'ana',
    paid: true,
    intent: 'pi_1',
    charge: 'ch_1',
    amount: 4200,
    metadata: { package: 'triple', folders: '3' },
    card: { brand: 'visa', last4: '4242' },
  }
  /** Handles the webhook twice with a provider that gives these answers. Returns the calls made the first time, and all events written. */
  async function hearing(
    type: string,
    object: string,
    answers: Record<string, unknown>,
    { instructor, before }: { instructor?: string; before?: (store: EventStore) => Promise<unknown> } = {},
  ) {
    const store = memoryStore()
    await before?.(store)
    const calls: string[] = []
    const gateway = new Proxy({} as PaymentDependencies['gateway'], {
      get: (_, call: string) => async () => {
        calls.push(call)
        if (!(call in answers)) throw new Error(`${call} was not to be asked`)
        return answers[call]
      },
    })
    const deps = { store, gateway, clock: () => new Date('2026-03-01T12:00:00.000Z') }
    const hears = () => processRecordedStripeWebhook(deps, { type, object }, { instructorOf: async () => instructor })
    await hears()
    await hears()
    const written: RecordedEvent[] = []
    for await (const batch of store.follow(-1n, AbortSignal.timeout(0))) written.push(...batch)
    return { calls: calls.slice(0, calls.length / 2), written: written.map(e => [e.stream.split('-')[0], e.type, e.meta.actor]) }
  }

  test('records a refund of a package once with the package', async () => {
    const refundsOf = [{ id: 're_1', ours: null, amount: 1400, status: 'succeeded' }]
    const { written } = await hearing('charge.refunded', 'ch_1', { fetchCharge: charge, saleOf: 'cs_1', fetchCheckout: sold, refundsOf })
    expect(written).toEqual([
      ['purchase', 'PackageBought', 'ana'],
      ['purchase', 'PackageRefundAsked', 'system'],
      ['purchase', 'PackageRefunded', 'system'],
    ])
  })
  test('records a dispute about a package once with the package', async () => {
    const fetchDispute = { charge: 'ch_1', amount: 4200, status: 'lost' }
    const answers = { fetchDispute, fetchCharge: charge, saleOf: 'cs_1', fetchCheckout: sold }
    expect((await hearing('charge.dispute.closed', 'dp_1', answers)).written).toEqual([
      ['purchase', 'PackageBought', 'ana'],
      ['purchase', 'PackageDisputed', 'system'],
      ['purchase', 'PackageDisputeClosed', 'system'],
    ])
  })
  test.each<[string, object, string[]]>([
    ['without an intent', { ...charge, intent: null }, ['fetchCharge']],
    ['not paid', { ...charge, paid: false }, ['fetchCharge']],
    ['of an unknown attempt', { ...charge, payment: 'p1' }, ['fetchCharge']],
    ['made by hand', { ...charge, attempt: 'a1' }, ['fetchCharge', 'saleOf']],
  ])('ignores a charge that is %s', async (_, fetchCharge, asked) => {
    const open = { charge: 'ch_1', amount: 1, status: 'open' }
    for (const [type, first] of [
      ['charge.refunded', []],
      ['charge.dispute.created', ['fetchDispute']],
    ] as const)
      expect(await hearing(type, 'x_1', { fetchDispute: open, fetchCharge, saleOf: null })).toEqual({
        calls: [...first, ...asked],
        written: [],
      })
  })
  test('ignores an intent that is not paid', async () => {
    const answers = { outcomeOfIntent: { outcome: 'failed', reason: 'declined', intent: 'pi_1' } }
    expect(await hearing('payment_intent.succeeded', 'pi_1', answers)).toEqual({ calls: ['outcomeOfIntent'], written: [] })
  })
  test('treats a hosted page either as a saved card or as a sale', async () => {
    const fetchSetupCard = { payer: 'ana', method: { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 1, expYear: 2040 } }
    expect((await hearing('checkout.session.completed', 'cs_1', { fetchSetupCard })).calls).toEqual(['fetchSetupCard'])
    const { calls, written } = await hearing('checkout.session.completed', 'cs_1', { fetchSetupCard: null, fetchCheckout: sold })
    expect([calls, written]).toEqual([['fetchSetupCard', 'fetchCheckout'], [['purchase', 'PackageBought', 'ana']]])
    expect(
      (await hearing('checkout.session.completed', 'cs_1', { fetchSetupCard: null, fetchCheckout: { ...sold, paid: false } })).written,
    ).toEqual([])
  })
  test('records an outcome once, whether webhook or request reports it first', async () => {
    const by = (command: string) => ({ command, actor: 'ana' })
    const bill = { folder: 'f1', player: 'ana', instructor: 'casey', items: [], total: 4200, share: 1200, opened: '', due: '' }
    const card = { id: 'pm_1', brand: 'visa', last4: '4242' }
    const chosen = { id: 'a1', customer: 'cus_1', card, tip: 0, by: 'player' as const, at: '2026-03-01T12:00:00.000Z', total: 4200 }
    const before = async (store: EventStore) => {
      await handleCommand(store, paymentDecider, 'p1', 'open', bill, by('open'))
      await handleCommand(store, paymentDecider, 'p1', 'attempt', chosen, by('attempt'))
    }
    const fetchCharge = { ...charge, payment: 'p1', attempt: 'a1' }
    const refundsOf = [{ id: 're_1', ours: null, amount: 500, status: 'succeeded' }]
    const fetchDispute = { charge: 'ch_1', amount: 4200, status: 'won' }
    const heard = async (type: string, answers: object) => {
      const { calls, written } = await hearing(type, 'x_1', { fetchCharge, ...answers }, { before })
      return [calls, written.slice(2)]
    }
    const paid = ['payment', 'PaymentSucceeded', 'system']
    expect(await heard('payment_intent.succeeded', { outcomeOfIntent: { outcome: 'succeeded', charge: 'ch_1' } })).toEqual([
      ['outcomeOfIntent', 'fetchCharge'],
      [paid],
    ])
    expect(await heard('refund.updated', { chargeOfRefund: 'ch_1', refundsOf })).toEqual([
      ['chargeOfRefund', 'fetchCharge', 'refundsOf'],
      [paid, ['payment', 'RefundAsked', 'system'], ['payment', 'PaymentRefunded', 'system']],
    ])
    expect(await heard('charge.dispute.closed', { fetchDispute })).toEqual([
      ['fetchDispute', 'fetchCharge'],
      [paid, ['payment', 'ChargebackOpened', 'system'], ['payment', 'ChargebackClosed', 'system']],
    ])
  })
  const hasAccount = { instructorIdOfPayoutAccount: 'casey', accountStatus: { takesTransfers: true, requirements: [] } }
  test('refreshes an account by its metadata if read models do not have it yet', async () => {
    const before = (store: EventStore) =>
      handleCommand(store, payoutAccountAndDebtDecider, 'casey', 'open', { account: 'acct_1' }, { command: 'open', actor: 'casey' })
    expect((await hearing('account.updated', 'acct_1', hasAccount, { before })).written).toEqual([
      ['payout', 'PayoutAccountOpened', 'casey'],
      ['payout', 'PayoutAccountChanged', 'system'],
    ])
  })
  test('fails if the account is not recorded yet, so that the webhook is retried', async () => {
    await expect(hearing('account.updated', 'acct_1', hasAccount)).rejects.toThrow('the payout account acct_1 of casey is not recorded yet')
  })
  test('ignores an account that does not belong to an instructor', async () => {
    expect(await hearing('account.updated', 'acct_9', { instructorIdOfPayoutAccount: null })).toEqual({
      calls: ['instructorIdOfPayoutAccount'],
      written: [],
    })
  })
})
test('each webhook has its own errand id, and a repeated webhook has the same id', async () => {
  const { asked, post } = outbox()
  await recordStripeWebhook(db.sql, post, notice('evt_10'), new Date())
  await recordStripeWebhook(db.sql, post, notice('evt_11'), new Date())
  await db.sql`delete from stripe_notices where id = 'evt_10'`
  await recordStripeWebhook(db.sql, post, notice('evt_10'), new Date())
  const [one, two, again] = asked.map(e => e.id)
  expect([again, one === two]).toEqual([one, false])
  expect(one).toBe(derivedId('stripe', 'evt_10'))
})
