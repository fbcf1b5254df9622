import { beforeEach, describe, expect, test } from 'vitest'
import { stripeCards } from '../../modules/payments/stripe/stripe-cards.ts'
import { stripePayouts } from '../../modules/payments/stripe/stripe-payouts.ts'
import { stripeRefundsAndDisputes } from '../../modules/payments/stripe/stripe-refunds-and-disputes.ts'
import { type ScriptedAnswers, scriptedStripe } from './scripted-stripe.ts'

// These tests script responses that Stripe rarely sends; the other tests use the sandbox.

let answers: ScriptedAnswers
let calls: unknown[][]
beforeEach(() => {
  answers = {}
  calls = []
})
const calledMethods = () => calls.map(([call]) => call)
const scripted = scriptedStripe(
  () => answers,
  call => calls.push(call),
)

describe('refunds and disputes', () => {
  const { findRefund, refundsOf, chargeOfRefund, fetchDispute } = stripeRefundsAndDisputes(scripted)
  const refund = (id: string, status: string | null, ours?: string) => ({
    id,
    charge: { id: 'ch_1' },
    amount: 500,
    status,
    metadata: ours ? { refund: ours } : null,
  })
  test("a refund is found among several by our id or by Stripe's id", async () => {
    answers = { 'refunds.list': [{ data: [refund('re_2', 'succeeded'), refund('re_1', 'pending', 'r1')] }] }
    const found = { charge: 'ch_1', amount: 500 }
    expect([await findRefund('ch_1', 'r1'), await findRefund('ch_1', 're_2'), await findRefund('ch_1', 'r9')]).toEqual([
      { id: 're_1', ...found, status: 'pending' },
      { id: 're_2', ...found, status: 'succeeded' },
      null,
    ])
    expect(calls[0]).toEqual(['refunds.list', { charge: 'ch_1', limit: 100 }])
  })
  test('the refunds of a charge are listed oldest first, each with its status', async () => {
    const data = ['succeeded', 'failed', 'canceled', 'pending', 'requires_action', null].map((status, n) =>
      refund(`re_${n}`, status, n ? undefined : 'r1'),
    )
    answers = { 'refunds.list': [{ data }], 'refunds.retrieve': [data[0]] }
    expect((await refundsOf('ch_1')).map(r => [r.id, r.ours, r.amount, r.status])).toEqual([
      ['re_5', null, 500, 'pending'],
      ['re_4', null, 500, 'pending'],
      ['re_3', null, 500, 'pending'],
      ['re_2', null, 500, 'failed'],
      ['re_1', null, 500, 'failed'],
      ['re_0', 'r1', 500, 'succeeded'],
    ])
    expect(calls[0]).toEqual(['refunds.list', { charge: 'ch_1', limit: 100 }])
    expect(await chargeOfRefund('re_0')).toBe('ch_1')
  })
  test.each([
    ['won', 'won'],
    ['warning_closed', 'won'],
    ['prevented', 'won'],
    ['prevented', 'lost', [{ amount: -500 }]],
    ['lost', 'lost'],
    ['needs_response', 'open'],
    ['warning_under_review', 'open'],
  ])('a dispute with status %s counts as %s', async (status, state, balance_transactions: { amount: number }[] = []) => {
    const dispute = { id: 'dp_1', charge: 'ch_1', payment_intent: null, amount: 500, status, reason: 'fraudulent', balance_transactions }
    answers = { 'disputes.retrieve': [dispute] }
    expect(await fetchDispute('dp_1')).toEqual({
      id: 'dp_1',
      charge: 'ch_1',
      intent: null,
      amount: 500,
      status: state,
      reason: 'fraudulent',
    })
  })
})

describe('a transfer', () => {
  const { findTransfer, transfer, accountStatus, availableCents, instructorIdOfPayoutAccount } = stripePayouts(scripted)
  const made = (id: string, metadata: object) => ({ id, destination: { id: 'acct_1' }, amount: 1200, amount_reversed: 0, metadata })
  const found = (id: string) => ({ id, payment: 'p1', destination: 'acct_1', amount: 1200, reversed: 0 })
  test('is found by its number, or without one if it is the first', async () => {
    const data = [made('tr_0', { payment: 'p2', nth: '1' }), made('tr_2', { payment: 'p1', nth: '2' }), made('tr_1', { payment: 'p1' })]
    answers = { 'transfers.list': [{ data }] }
    const find = (nth: number) => findTransfer({ payment: 'p1', nth })
    expect([await find(1), await find(2), await find(3)]).toEqual([found('tr_1'), found('tr_2'), null])
    expect(calls[0]).toEqual(['transfers.list', { transfer_group: 'p1', limit: 100 }])
    expect(calls).toHaveLength(3)
  })
  test('is also looked up in the transfer group of the charge that may have funded it', async () => {
    answers = {
      'transfers.list': [{ data: [] }, { data: [made('tr_1', { payment: 'p1', nth: '1' })] }],
      'charges.retrieve': [{ transfer_group: 'group_2' }],
    }
    const find = () => findTransfer({ payment: 'p1', nth: 1, charge: 'ch_2' })
    expect(await find()).toEqual(found('tr_1'))
    expect(
      calls.filter(([call]) => call === 'transfers.list').map(([, asked]) => (asked as { transfer_group: string }).transfer_group),
    ).toEqual(['p1', 'group_2'])
    calls = []
    answers = { 'transfers.list': [{ data: [] }], 'charges.retrieve': [{ transfer_group: null }] }
    expect(await find()).toBeNull()
    expect(calledMethods().filter(call => call === 'transfers.list')).toHaveLength(1)
  })
  test("comes from a charge in its group, or from the balance in the payment's group", async () => {
    answers = { 'transfers.create': [{ id: 'tr_1' }] }
    const share = { payment: 'p1', nth: 2, amount: 1200, destination: 'acct_1', key: 'k' }
    expect([await transfer({ ...share, source: 'ch_1' }), await transfer(share)]).toEqual(['tr_1', 'tr_1'])
    const sent = { amount: 1200, currency: 'usd', destination: 'acct_1', metadata: { payment: 'p1', nth: 2 } }
    expect(calls).toEqual([
      ['transfers.create', { ...sent, source_transaction: 'ch_1' }, { idempotencyKey: 'k' }],
      ['transfers.create', { ...sent, transfer_group: 'p1' }, { idempotencyKey: 'k' }],
    ])
  })
  test('requires an account, whose missing requirements are listed once each', async () => {
    const entry = (description: string, status: string, awaiting_action_from = 'user') => ({
      description,
      awaiting_action_from,
      minimum_deadline: { status },
    })
    const entries = [
      ...[entry('a', 'past_due'), entry('b', 'currently_due'), entry('b', 'past_due')],
      ...[entry('c', 'eventually_due'), entry('d', 'currently_due', 'stripe')],
    ]
    answers = { 'v2.core.accounts.retrieve': [{ requirements: { entries } }, { requirements: {} }, {}] }
    const status = async () => (await accountStatus('acct_1')).requirements
    expect([await status(), await status(), await status()]).toEqual([['a', 'b'], [], []])
  })
  test.each([
    ['active', true],
    ['pending', false],
    ['restricted', false],
  ])('must wait for an account that accepts transfers: %s', async (status, takesTransfers) => {
    const capabilities = { stripe_balance: { stripe_transfers: { status } } }
    answers = { 'v2.core.accounts.retrieve': [{ configuration: { recipient: { capabilities } } }] }
    expect(await accountStatus('acct_1')).toEqual({ takesTransfers, requirements: [] })
    expect(calls).toEqual([['v2.core.accounts.retrieve', 'acct_1', { include: ['configuration.recipient', 'requirements'] }]])
  })
  test.each([{}, { recipient: {} }, { recipient: { capabilities: {} } }, { recipient: { capabilities: { stripe_balance: {} } } }])(
    'is not possible while Stripe reports no transfer capability: %j',
    async configuration => {
      answers = { 'v2.core.accounts.retrieve': [{ configuration }] }
      expect((await accountStatus('acct_1')).takesTransfers).toBe(false)
    },
  )
  test('can be reversed only up to the dollars that its account has', async () => {
    const dollars = (amount: number) => ({
      available: [
        { currency: 'cad', amount: 700 },
        { currency: 'usd', amount },
      ],
    })
    answers = { 'balance.retrieve': [dollars(300), dollars(-300), { available: [] }] }
    const available = () => availableCents('acct_1')
    expect([await available(), await available(), await available()]).toEqual([300, 0, 0])
    expect(calls[0]).toEqual(['balance.retrieve', {}, { stripeAccount: 'acct_1' }])
  })
  test('goes to an account that belongs to an instructor only if we created it', async () => {
    answers = { 'v2.core.accounts.retrieve': [{ metadata: { instructor: 'casey' } }, { metadata: {} }, {}] }
    const instructor = () => instructorIdOfPayoutAccount('acct_1')
    expect([await instructor(), await instructor(), await instructor()]).toEqual(['casey', null, null])
  })
})

test('every call that moves money has an idempotency key', async () => {
  const made = { id: 'x_1', charge: 'ch_1', amount: 500, status: 'succeeded' }
  answers = { 'refunds.create': [made], 'transfers.createReversal': [made], 'v2.core.accounts.create': [made], 'customers.create': [made] }
  const asked = { refund: 'r1', charge: 'ch_1', amount: 500, reason: 'duplicate' as const, key: 'k1' }
  await stripeRefundsAndDisputes(scripted).refund(asked)
  expect(await stripePayouts(scripted).reverse('tr_1', 500, 'k2')).toBe('x_1')
  expect(await stripePayouts(scripted).payoutAccount('casey', 'casey@example.com', 'k3')).toBe('x_1')
  expect(await stripeCards(scripted).customer('ana', 'k4')).toBe('x_1')
  expect(calls).toEqual([
    ['refunds.create', { charge: 'ch_1', amount: 500, reason: 'duplicate', metadata: { refund: 'r1' } }, { idempotencyKey: 'k1' }],
    ['transfers.createReversal', 'tr_1', { amount: 500 }, { idempotencyKey: 'k2' }],
    [
      'v2.core.accounts.create',
      expect.objectContaining({ contact_email: 'casey@example.com', metadata: { instructor: 'casey' } }),
      { idempotencyKey: 'k3' },
    ],
    ['customers.create', { metadata: { player: 'ana' } }, { idempotencyKey: 'k4' }],
  ])
})
