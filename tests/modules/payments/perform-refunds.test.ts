import { beforeEach, describe, expect, test } from 'vitest'
import { PermanentErrandError } from '../../../modules/jobs/outbox.ts'
import { derivedId } from '../../../modules/kernel/decider.ts'
import { performRequestedRefund, reconcileRefunds, refundDuplicateCharge } from '../../../modules/payments/perform-refunds.ts'
import { resumeStuckPayment } from '../../../modules/payments/resume-charge-refunds-and-transfer.ts'
import { OutcomeUnknownError, RetryLaterError, StripeRejectedRequestError } from '../../../modules/payments/stripe/client.ts'
import { setUpPaymentTestbed, TEST_TIME, testParties } from './payment-testbed.ts'

const { context, sendCommand } = setUpPaymentTestbed()
const attempt = (id: string) => {
  const card = { id: 'pm_1', brand: 'visa', last4: '4242' }
  return sendCommand('attempt', { id, customer: 'cus_1', card, tip: 0, by: 'player', at: TEST_TIME, total: 1550 })
}
const succeed = (attempt: string, n: number) =>
  sendCommand('succeed', { attempt, intent: `pi_${n}`, charge: `ch_${n}`, amount: 1550, at: TEST_TIME })
/** Opens a bill, and pays it with the charge ch_1. */
async function paid() {
  await sendCommand('open', { ...testParties, items: [], total: 1550, share: 1200, opened: TEST_TIME, due: TEST_TIME })
  await attempt('a1')
  await succeed('a1', 1)
}
/** The events that the system wrote. */
const storedEvents = async () =>
  (await context.store.read('payment-p1')).flatMap(e =>
    e.meta.actor === 'system' ? [{ type: e.type, ...(e.data as object), by: e.meta.command }] : [],
  )
const given = (status: string, amount = 500) => ({ id: 're_1', charge: 'ch_1', amount, status })
const refused = new StripeRejectedRequestError('It was refunded already.', 'charge_already_refunded')

describe('a requested refund', () => {
  beforeEach(async () => {
    await paid()
    await sendCommand('refund', { refund: 'r0', amount: 300, reason: 'Cut off' })
    await sendCommand('refunded', { refund: 'r0' })
    await sendCommand('refund', { refund: 'r1', amount: 500, reason: 'Cut off' })
  })
  const done = {
    type: 'PaymentRefunded',
    ...testParties,
    refund: 'r1',
    amount: 500,
    reason: 'Cut off',
    by: derivedId('p1', 'refunded', 'r1'),
  }
  const failed = { type: 'RefundFailed', refund: 'r1', amount: 500, by: derivedId('p1', 'refundFailed', 'r1') }

  test('is made under its own key, recorded once, and not requested again', async () => {
    context.answers = { findRefund: [null], refund: [given('succeeded')] }
    await performRequestedRefund(context.deps, 'p1', 'r1')
    await performRequestedRefund(context.deps, 'p1', 'r1')
    expect(context.calls).toEqual([
      ['findRefund', 'ch_1', 'r1'],
      ['refund', { refund: 'r1', charge: 'ch_1', amount: 500, reason: 'requested_by_customer', key: derivedId('ch_1', 'refund', 'r1') }],
    ])
    expect(await storedEvents()).toEqual([done])
  })
  test('is looked up before a retry after a lost answer, so that it is made once', async () => {
    context.answers = { findRefund: [null, given('succeeded')], refund: [new OutcomeUnknownError('nobody answered')] }
    await expect(performRequestedRefund(context.deps, 'p1', 'r1')).rejects.toThrow('nobody answered')
    expect(await storedEvents()).toEqual([])
    await performRequestedRefund(context.deps, 'p1', 'r1')
    expect(context.calls.map(([call]) => call)).toEqual(['findRefund', 'refund', 'findRefund'])
    expect(await storedEvents()).toEqual([done])
  })
  test.each([
    ['succeeded', [done]],
    ['failed', [failed]],
    ['pending', []],
  ])("is recorded with the provider's status %s", async (status, expected) => {
    context.answers = { findRefund: [given(status)] }
    await performRequestedRefund(context.deps, 'p1', 'r1')
    expect(await storedEvents()).toEqual(expected)
  })
  test('fails if the provider refuses it permanently, but not if it may succeed later', async () => {
    context.answers = { findRefund: [null], refund: [new RetryLaterError('Too little balance.', 'balance_insufficient'), refused] }
    await expect(performRequestedRefund(context.deps, 'p1', 'r1')).rejects.toThrow(RetryLaterError)
    expect(await storedEvents()).toEqual([])
    await performRequestedRefund(context.deps, 'p1', 'r1')
    expect(await storedEvents()).toEqual([failed])
  })
  test('is not made if the log has no request for it', async () => {
    for (const other of ['r0', 'r9']) await performRequestedRefund(context.deps, 'p1', other)
    await performRequestedRefund(context.deps, 'p9', 'r1')
    expect([context.calls, await storedEvents()]).toEqual([[], []])
  })
  test('comes after the charge and before the share when a payment is resumed', async () => {
    context.answers = { findRefund: [null], refund: [given('succeeded')] }
    await resumeStuckPayment(context.deps, 'p1')
    expect(context.calls.map(([call, ...asked]) => [call, asked.length])).toEqual([
      ['findRefund', 2],
      ['refund', 1],
    ])
    expect(await storedEvents()).toEqual([done])
    // The share is held until the instructor has a payout account.
    expect((await context.store.read('payout-casey')).map(e => [e.type, e.data])).toEqual([['ShareHeld', { payment: 'p1' }]])
  })
})

test('an attempt of unknown outcome is completed before a refund is made', async () => {
  await sendCommand('open', { ...testParties, items: [], total: 1550, share: 1200, opened: TEST_TIME, due: TEST_TIME })
  await resumeStuckPayment(context.deps, 'p1')
  expect(context.calls).toEqual([])
  await attempt('a1')
  context.answers = { findCharge: [{ outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1550 }] }
  await resumeStuckPayment(context.deps, 'p1')
  expect(context.calls).toEqual([['findCharge', 'p1', 'a1']])
  expect((await storedEvents()).map(({ type }) => type)).toEqual(['PaymentSucceeded'])
})

describe('a second charge', () => {
  const ours = derivedId('p1', 'doubled', 'ch_2')
  const returning = ['refund', { refund: ours, charge: 'ch_2', amount: 1550, reason: 'duplicate', key: derivedId('ch_2', 'refund', ours) }]
  beforeEach(async () => {
    await sendCommand('open', { ...testParties, items: [], total: 1550, share: 1200, opened: TEST_TIME, due: TEST_TIME })
    await attempt('a1')
    await sendCommand('fail', { attempt: 'a1', reason: 'processing-error' })
    await attempt('a2')
    await succeed('a2', 1)
    await succeed('a1', 2)
  })
  test('is refunded once, as a duplicate', async () => {
    context.answers = { findRefund: [null], refund: [given('succeeded', 1550)] }
    await refundDuplicateCharge(context.deps, 'p1', 'ch_2', 1550)
    await refundDuplicateCharge(context.deps, 'p1', 'ch_2', 1550)
    expect(context.calls).toEqual([['findRefund', 'ch_2', ours], returning])
    expect(await storedEvents()).toEqual([{ type: 'DoubledChargeReturned', charge: 'ch_2', by: derivedId('p1', 'returned', 'ch_2') }])
  })
  test('is not recorded as refunded before a slow bank has decided', async () => {
    context.answers = { findRefund: [given('pending', 1550), given('succeeded', 1550)] }
    const waits = refundDuplicateCharge(context.deps, 'p1', 'ch_2', 1550)
    await expect(waits).rejects.toThrow(new RetryLaterError('The refund of the second charge ch_2 is pending.', 'pending'))
    await expect(waits).rejects.toMatchObject({ code: 'pending' })
    expect(await storedEvents()).toEqual([])
    await refundDuplicateCharge(context.deps, 'p1', 'ch_2', 1550)
    expect(await storedEvents()).toHaveLength(1)
  })
  test('is left to an administrator if its card accepts no refund', async () => {
    context.answers = { findRefund: [null], refund: [refused] }
    await expect(refundDuplicateCharge(context.deps, 'p1', 'ch_2', 1550)).rejects.toThrow(
      new PermanentErrandError('The refund of the second charge ch_2 was refused.'),
    )
    expect(await storedEvents()).toEqual([])
  })
  test('is refunded, but the charge that paid and unknown charges are not', async () => {
    for (const charge of ['ch_1', 'ch_9']) await refundDuplicateCharge(context.deps, 'p1', charge, 1550)
    expect([context.calls, await storedEvents()]).toEqual([[], []])
  })
})

test('the system records each new status of the refunds of a charge', async () => {
  await paid()
  const all = (status: string) => [{ id: 're_1', ours: null, amount: 500, status }]
  context.answers = { refundsOf: [all('pending'), all('succeeded'), all('succeeded'), all('failed')] }
  for (let n = 0; n < 4; n++) await reconcileRefunds(context.deps, 'p1', 'ch_1')
  expect(context.calls).toEqual(Array.from({ length: 4 }, () => ['refundsOf', 'ch_1']))
  expect((await storedEvents()).map(({ type }) => type)).toEqual(['RefundAsked', 'PaymentRefunded', 'RefundFailed'])
})
