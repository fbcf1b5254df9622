import { beforeEach, describe, expect, test } from 'vitest'
import { derivedId, handleCommand } from '../../../modules/kernel/decider.ts'
import { purchaseDecider } from '../../../modules/payments/package-purchase.ts'
import { performRequestedPackageRefund, recordPackageSale } from '../../../modules/payments/record-package-sale-and-perform-refund.ts'
import { StripeRejectedRequestError } from '../../../modules/payments/stripe/client.ts'
import { setUpPaymentTestbed } from './payment-testbed.ts'

const id = derivedId('purchase', 'cs_1')
const sold = {
  payer: 'ana',
  paid: true,
  intent: 'pi_1',
  charge: 'ch_1',
  amount: 4200,
  metadata: { package: 'triple', folders: '3' },
  card: { brand: 'visa', last4: '4242' },
}
const bought = {
  player: 'ana',
  package: 'triple',
  folders: 3,
  amount: 4200,
  session: 'cs_1',
  intent: 'pi_1',
  charge: 'ch_1',
  card: { brand: 'visa', last4: '4242' },
}

const { context } = setUpPaymentTestbed(() => ({ fetchCheckout: [sold] }))
const storedEvents = async () =>
  (await context.store.read(`purchase-${id}`)).map(e => ({ type: e.type, ...(e.data as object), by: [e.meta.command, e.meta.actor] }))

describe('a package', () => {
  test('is recorded once for its player after a sale on the hosted page', async () => {
    const answer = { player: 'ana', purchase: id, folders: 3 }
    expect([await recordPackageSale(context.deps, 'cs_1'), await recordPackageSale(context.deps, 'cs_1')]).toEqual([answer, answer])
    expect(context.calls).toEqual([
      ['fetchCheckout', 'cs_1'],
      ['fetchCheckout', 'cs_1'],
    ])
    expect(await storedEvents()).toEqual([{ type: 'PackageBought', ...bought, by: [derivedId('cs_1', 'complete'), 'ana'] }])
  })
  test('is recorded without a card if the provider names none', async () => {
    context.answers = { fetchCheckout: [{ ...sold, card: null }] }
    await recordPackageSale(context.deps, 'cs_1')
    const { card: _, ...rest } = bought
    expect(await storedEvents()).toEqual([{ type: 'PackageBought', ...rest, by: expect.anything() }])
  })
  test.each([
    ['a session that is not paid yet', { paid: false }],
    ['a session without an intent', { intent: null }],
    ['a session without a charge', { charge: null }],
    ['a session for an unknown package', { metadata: { package: 'dozen', folders: '12' } }],
  ])('is not recorded for %s', async (_, more) => {
    context.answers = { fetchCheckout: [{ ...sold, ...more }] }
    expect([await recordPackageSale(context.deps, 'cs_1'), await storedEvents()]).toEqual([null, []])
  })
})

describe('a refund of a package', () => {
  const by = (command: string) => ({ command, actor: 'admin' })
  const ask = (refund: string, whole: boolean, unused: number, cents: number) =>
    handleCommand(context.store, purchaseDecider, id, 'refund', { refund, whole, unused, cents, reason: 'Moved away' }, by(refund))
  /** How many folders each refund has revoked, as the rewards module would answer now. */
  let taken: Record<string, number>
  const give = (refund: string) => performRequestedPackageRefund(context.deps, id, refund, async of => (of === id ? taken : {}))
  const outcome = async () => (await storedEvents()).filter(({ by: [, actor] }) => actor === 'system')
  const answered = (status: string, amount: number) => ({ id: 're_1', charge: 'ch_1', status, amount })
  const giving = (amount: number) => [
    'refund',
    { refund: 'r1', charge: 'ch_1', amount, reason: 'requested_by_customer', key: derivedId('ch_1', 'refund', 'r1') },
  ]
  const done = (amount: number) => ({
    type: 'PackageRefunded',
    player: 'ana',
    refund: 'r1',
    amount,
    by: [derivedId(id, 'refunded', 'r1'), 'system'],
  })
  const failed = (amount: number) => ({
    type: 'PackageRefundFailed',
    player: 'ana',
    refund: 'r1',
    amount,
    by: [derivedId(id, 'refundFailed', 'r1'), 'system'],
  })
  beforeEach(async () => {
    await recordPackageSale(context.deps, 'cs_1')
    context.calls.length = 0
    taken = {}
    context.answers = { findRefund: [null] }
  })

  test('pays the value of the revoked folders, once', async () => {
    await ask('r1', false, 2, 2800)
    taken = { r1: 1, other: 2 }
    context.answers.refund = [answered('succeeded', 1400)]
    await give('r1')
    await give('r1')
    expect(context.calls).toEqual([['findRefund', 'ch_1', 'r1'], giving(1400)])
    expect(await outcome()).toEqual([done(1400)])
  })
  test('pays at most the requested amount, however many folders it revoked', async () => {
    await ask('r1', false, 1, 1400)
    taken = { r1: 3 }
    context.answers.refund = [answered('succeeded', 1400)]
    await give('r1')
    expect(context.calls.at(-1)).toEqual(giving(1400))
  })
  test('in full pays back the whole price, however many folders are left', async () => {
    await ask('r1', true, 1, 4200)
    taken = { r1: 1 }
    context.answers.refund = [answered('succeeded', 4200)]
    await give('r1')
    expect(context.calls.at(-1)).toEqual(giving(4200))
    expect(await outcome()).toEqual([done(4200)])
  })
  test('fails if the folders were used in the meantime and none could be revoked', async () => {
    await ask('r1', false, 2, 2800)
    await give('r1')
    expect(context.calls).toEqual([['findRefund', 'ch_1', 'r1']])
    expect(await outcome()).toEqual([failed(2800)])
  })
  test('waits while the bank is slow, and fails if the provider refuses it', async () => {
    await ask('r1', false, 1, 1400)
    taken = { r1: 1 }
    context.answers = { findRefund: [answered('pending', 1400), null], refund: [new StripeRejectedRequestError('No.', 'charge_disputed')] }
    await give('r1')
    expect(await outcome()).toEqual([])
    await give('r1')
    expect(await outcome()).toEqual([failed(1400)])
  })
  test('does nothing if nobody requested it', async () => {
    await give('r9')
    expect([context.calls, await outcome()]).toEqual([[], []])
  })
})
