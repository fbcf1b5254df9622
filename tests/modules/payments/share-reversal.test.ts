import { beforeEach, describe, expect, test } from 'vitest'
import { derivedId } from '../../../modules/kernel/decider.ts'
import { settleInstructorShare } from '../../../modules/payments/share.ts'
import { OutcomeUnknownError, RetryLaterError, StripeRejectedRequestError } from '../../../modules/payments/stripe/client.ts'
import { TEST_TIME } from './payment-testbed.ts'
import { setUpShareTestbed } from './share-testbed.ts'

const { context, debtEvents, lookup, openPayoutAccount, pay, recordTransfer, refund, shareRefused, systemEvents, transferMade } =
  setUpShareTestbed()

describe('a share that an instructor must return', () => {
  beforeEach(async () => {
    await pay()
    await openPayoutAccount()
  })
  test.each([
    ['all of it', { amount: 1500, reversed: 0 }, 1500],
    ['the rest of it', { amount: 1500, reversed: 600 }, 900],
  ])('is reversed once: %s', async (_, there, left) => {
    await recordTransfer()
    await refund('r1', 1850)
    context.answers = { fetchTransfer: [there], reverse: ['trr_1'], findTransfer: [null] }
    await settleInstructorShare(context.deps, 'p1')
    expect(context.calls).toEqual([
      ['fetchTransfer', 'tr_1'],
      ['reverse', 'tr_1', left, derivedId('p1', 'reverse', 'tr_1', 0)],
    ])
    const reversed = { transfer: 'tr_1', reversal: 'trr_1', amount: 1500 }
    expect(await systemEvents()).toEqual([['TransferReversed', reversed, derivedId('p1', 'reversed', 'tr_1')]])
    await settleInstructorShare(context.deps, 'p1')
    expect(context.calls.slice(2)).toEqual([['findTransfer', lookup(2)]])
  })
  test('is only recorded as reversed if the provider has already reversed it', async () => {
    await recordTransfer()
    await refund('r1', 1850)
    context.answers = { fetchTransfer: [{ amount: 1500, reversed: 1500 }] }
    await settleInstructorShare(context.deps, 'p1')
    const [reversed] = await systemEvents()
    expect(reversed!.slice(0, 2)).toEqual(['TransferReversed', { transfer: 'tr_1', reversal: 'tr_1', amount: 1500 }])
  })
  test('first has its missing transfer recorded, and is not reversed yet', async () => {
    await refund('r1', 1850)
    context.answers = { findTransfer: [{ id: 'tr_9', destination: 'acct_1', amount: 1500 }] }
    await settleInstructorShare(context.deps, 'p1')
    expect(await systemEvents()).toEqual([transferMade('tr_9')])
  })
  test('stays after a partial refund', async () => {
    await recordTransfer()
    await refund('r1', 1849)
    await settleInstructorShare(context.deps, 'p1')
    expect([context.calls, await systemEvents()]).toEqual([[], []])
  })
  test('becomes a debt if the account is empty, and is not requested again', async () => {
    await recordTransfer()
    await refund('r1', 1850)
    const empty = new RetryLaterError('The account is empty', 'balance_insufficient')
    const there = { amount: 1500, reversed: 300, destination: 'acct_1' }
    context.answers = { fetchTransfer: [there], reverse: [empty], availableCents: [0], findTransfer: [null] }
    await settleInstructorShare(context.deps, 'p1')
    await settleInstructorShare(context.deps, 'p1')
    expect(context.calls.filter(([call]) => call === 'reverse')).toHaveLength(1)
    expect(await systemEvents()).toEqual([
      shareRefused('reversal', null, 'balance_insufficient', 0, { shortfall: 1200 }),
      ['TransferOwed', { transfer: 'tr_1', amount: 1200, at: TEST_TIME }, derivedId('p1', 'owed', 'tr_1')],
    ])
    expect(await debtEvents()).toEqual([['DebtIncurred', { payment: 'p1', nth: 1, amount: 1200 }]])
  })
  test("is reversed up to the account's balance, and the rest becomes a debt", async () => {
    await recordTransfer()
    await refund('r1', 1850)
    const empty = new RetryLaterError('The account is empty', 'balance_insufficient')
    const crash = new Error('killed')
    const [whole, rest] = [0, 1000].map(reversed => ({ amount: 1500, reversed, destination: 'acct_1' }))
    context.answers = { fetchTransfer: [whole, whole, rest], reverse: [empty, crash], availableCents: [1000], findTransfer: [null] }
    await expect(settleInstructorShare(context.deps, 'p1')).rejects.toBe(crash)
    // The available part was reversed before the crash. It is not reversed again, no matter how much the account holds by now.
    await settleInstructorShare(context.deps, 'p1')
    await settleInstructorShare(context.deps, 'p1')
    expect(context.calls.filter(([call]) => call === 'reverse').map(([, , cents, key]) => [cents, key])).toEqual([
      [1500, derivedId('p1', 'reverse', 'tr_1', 0)],
      [1000, derivedId('p1', 'reverse', 'tr_1', 1)],
    ])
    expect(context.calls).toContainEqual(['availableCents', 'acct_1'])
    expect(await debtEvents()).toEqual([['DebtIncurred', { payment: 'p1', nth: 1, amount: 500 }]])
  })
  test('becomes a debt in full if the balance is gone in the meantime', async () => {
    await recordTransfer()
    await refund('r1', 1850)
    const empty = new RetryLaterError('The account is empty', 'balance_insufficient')
    const there = { amount: 1500, reversed: 0, destination: 'acct_1' }
    context.answers = { fetchTransfer: [there], reverse: [empty], availableCents: [1000], findTransfer: [null] }
    await settleInstructorShare(context.deps, 'p1')
    await settleInstructorShare(context.deps, 'p1')
    expect(await debtEvents()).toEqual([['DebtIncurred', { payment: 'p1', nth: 1, amount: 1500 }]])
  })
  test('is retried under a new key after a refusal, under the same one after no answer', async () => {
    await recordTransfer()
    await refund('r1', 1850)
    const [no, silence] = [new StripeRejectedRequestError('The account has nothing', 'balance'), new OutcomeUnknownError('nobody answered')]
    context.answers = { fetchTransfer: [{ amount: 1500, reversed: 0 }], reverse: [silence, no, 'trr_1'] }
    await expect(settleInstructorShare(context.deps, 'p1')).rejects.toBe(silence)
    await expect(settleInstructorShare(context.deps, 'p1')).rejects.toBe(no)
    await settleInstructorShare(context.deps, 'p1')
    expect(context.calls.flatMap(([call, , , key]) => (call === 'reverse' ? [key] : []))).toEqual(
      [0, 0, 1].map(refusals => derivedId('p1', 'reverse', 'tr_1', refusals)),
    )
    const [refused, reversed] = await systemEvents()
    expect([refused, reversed![0]]).toEqual([shareRefused('reversal', null, 'balance'), 'TransferReversed'])
  })
})
