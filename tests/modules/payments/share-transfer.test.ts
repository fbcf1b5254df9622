import { beforeEach, describe, expect, test } from 'vitest'
import { handleCommand } from '../../../modules/kernel/decider.ts'
import type { EventStore } from '../../../modules/kernel/store.ts'
import { purchaseDecider } from '../../../modules/payments/package-purchase.ts'
import { payoutAccountAndDebtDecider } from '../../../modules/payments/payout-account-and-debt-decider.ts'
import { settleInstructorShare } from '../../../modules/payments/share.ts'
import { OutcomeUnknownError, RetryLaterError, StripeRejectedRequestError } from '../../../modules/payments/stripe/client.ts'
import { TEST_TIME, testCommandSource, testParties } from './payment-testbed.ts'
import { setUpShareTestbed } from './share-testbed.ts'

const {
  context,
  sendCommand,
  debtEvents,
  lookup,
  openPayoutAccount,
  pay,
  recordTransfer,
  refund,
  shareRefused,
  systemEvents,
  transferCall,
  transferMade,
} = setUpShareTestbed()

describe('a share is transferred', () => {
  test('only after the payment has succeeded', async () => {
    await sendCommand('open', { ...testParties, items: [], total: 1550, share: 1200, opened: TEST_TIME, due: TEST_TIME })
    await openPayoutAccount()
    await settleInstructorShare(context.deps, 'p1')
    expect([context.calls, await systemEvents()]).toEqual([[], []])
  })
  test('once, out of its own charge', async () => {
    await pay()
    await openPayoutAccount()
    await settleInstructorShare(context.deps, 'p1')
    await settleInstructorShare(context.deps, 'p1')
    expect(context.calls).toEqual([['findTransfer', lookup()], transferCall('ch_1')])
    expect(await systemEvents()).toEqual([transferMade()])
  })
  test('only once if the response was lost: the transfer is found and recorded', async () => {
    await pay()
    await openPayoutAccount()
    context.answers = { findTransfer: [{ id: 'tr_9', destination: 'acct_old', amount: 1400 }] }
    await settleInstructorShare(context.deps, 'p1')
    expect(await systemEvents()).toEqual([transferMade('tr_9', 'acct_old', 1400, 100)])
  })
  test('later if the payout account is not ready, and recorded once as held', async () => {
    await pay()
    for (const before of [async () => {}, () => openPayoutAccount(false)]) {
      await before()
      await settleInstructorShare(context.deps, 'p1')
    }
    expect([context.calls, await systemEvents('payout-casey')]).toEqual([[], [['ShareHeld', { payment: 'p1' }]]])
  })
  test('immediately if the payout account becomes ready while the share is being held', async () => {
    await pay()
    await openPayoutAccount(false)
    let first = true
    const read: EventStore['read'] = async stream => {
      const events = await context.store.read(stream)
      if (stream === 'payout-casey' && first) {
        first = false
        await handleCommand(
          context.store,
          payoutAccountAndDebtDecider,
          'casey',
          'change',
          { ready: true, submitted: true, requirements: [] },
          testCommandSource(),
        )
      }
      return events
    }
    await settleInstructorShare({ ...context.deps, store: { ...context.store, read } }, 'p1')
    expect(await systemEvents()).toEqual([transferMade()])
  })
  test.each([
    ['out of the rest of its charge', 350, 'ch_1'],
    ['out of the balance if its charge is one cent short', 351, undefined],
  ])('%s', async (_, gone, source) => {
    await pay()
    await refund('r1', 200)
    await refund('r2', gone - 200)
    await openPayoutAccount()
    await settleInstructorShare(context.deps, 'p1')
    expect(context.calls.at(-1)).toEqual(transferCall(source))
  })
  test.each([
    ['out of the charge of its package', 2700, 'ch_pack'],
    ['out of the balance if the package was refunded', 2701, undefined],
  ])('%s', async (_, back, source) => {
    const bought = {
      player: 'ana',
      package: 'triple' as const,
      folders: 3,
      amount: 4200,
      session: 'cs_1',
      intent: 'pi_9',
      charge: 'ch_pack',
    }
    await handleCommand(context.store, purchaseDecider, 'b1', 'complete', bought, testCommandSource())
    const outside = [{ id: 're_1', ours: null, amount: back, status: 'succeeded' as const }]
    await handleCommand(context.store, purchaseDecider, 'b1', 'reconcile', { charge: 'ch_pack', refunds: outside }, testCommandSource())
    await pay({ total: 50, of: { purchase: 'b1' } })
    await openPayoutAccount()
    await settleInstructorShare(context.deps, 'p1')
    expect(context.calls).toEqual([['findTransfer', lookup(1, 'ch_pack')], transferCall(source, 0, 1, 'ch_pack')])
  })
  test('again after a reversal, as a new transfer', async () => {
    await pay()
    await openPayoutAccount()
    await recordTransfer()
    await sendCommand('reversed', { transfer: 'tr_1', reversal: 'trr_1' })
    context.answers.transfer = ['tr_2']
    await settleInstructorShare(context.deps, 'p1')
    expect(context.calls).toEqual([['findTransfer', lookup(2)], transferCall('ch_1', 0, 2)])
  })
})

describe('a share of an instructor with a debt', () => {
  const owes = (cents: number) =>
    handleCommand(context.store, payoutAccountAndDebtDecider, 'casey', 'settle', { payment: 'p0', nth: 1, cents }, testCommandSource())
  const sent = () => context.calls.flatMap(([call, o]) => (call === 'transfer' ? [(o as { amount: number }).amount] : []))
  beforeEach(async () => {
    await pay()
    await openPayoutAccount()
  })
  test.each([
    ['pays the debt, and the rest is transferred', 400, 1100, 400],
    ['pays all of it but a cent toward a larger debt', 9000, 1, 1499],
    ['is transferred whole if nothing is owed', 0, 1500, 0],
  ])('%s', async (_, cents, passed, netted) => {
    await owes(cents)
    context.answers.transfer = [new OutcomeUnknownError('nobody answered'), 'tr_1']
    await expect(settleInstructorShare(context.deps, 'p1')).rejects.toThrow('nobody answered')
    await settleInstructorShare(context.deps, 'p1')
    await settleInstructorShare(context.deps, 'p1')
    expect(sent()).toEqual([passed, passed])
    expect(await systemEvents()).toEqual([transferMade('tr_1', 'acct_1', passed, netted)])
    expect((await debtEvents()).filter(([type]) => type === 'DebtNetted')).toEqual(
      netted ? [['DebtNetted', { payment: 'p1', nth: 1, amount: netted }]] : [],
    )
  })
  test('pays no debt if an unrecorded transfer of the full share is found', async () => {
    await owes(400)
    context.answers = {
      findTransfer: [null, { id: 'tr_9', destination: 'acct_1', amount: 1500 }],
      transfer: [new StripeRejectedRequestError('Another amount', 'idempotency_error')],
    }
    await settleInstructorShare(context.deps, 'p1')
    await settleInstructorShare(context.deps, 'p1')
    expect(await systemEvents()).toEqual([transferMade('tr_9')])
    expect((await debtEvents()).slice(1)).toEqual([
      ['DebtNetted', { payment: 'p1', nth: 1, amount: 400 }],
      ['DebtIncurred', { payment: 'p1', nth: 1, amount: 400 }],
    ])
  })
  test('pays no debt in the end if the payment is refunded', async () => {
    await owes(400)
    await settleInstructorShare(context.deps, 'p1')
    await refund('r1', 1850)
    context.answers = { fetchTransfer: [{ amount: 1100, reversed: 0 }], reverse: ['trr_1'], findTransfer: [null] }
    await settleInstructorShare(context.deps, 'p1')
    await settleInstructorShare(context.deps, 'p1')
    expect((await debtEvents()).at(-1)).toEqual(['DebtIncurred', { payment: 'p1', nth: 1, amount: 400 }])
  })
  test('pays no debt if the payment was refunded before the transfer', async () => {
    await owes(400)
    context.answers.transfer = [new OutcomeUnknownError('nobody answered')]
    await expect(settleInstructorShare(context.deps, 'p1')).rejects.toThrow()
    await refund('r1', 1850)
    await settleInstructorShare(context.deps, 'p1')
    expect((await debtEvents()).at(-1)).toEqual(['DebtIncurred', { payment: 'p1', nth: 1, amount: 400 }])
  })
})

describe('a share whose transfer is refused', () => {
  beforeEach(async () => {
    await pay()
    await openPayoutAccount()
  })
  test('is paid from another source under a new key', async () => {
    context.answers.transfer = [new StripeRejectedRequestError('Not enough left', 'amount_too_large'), 'tr_1']
    await settleInstructorShare(context.deps, 'p1')
    expect(context.calls).toEqual([
      ['findTransfer', lookup()],
      transferCall('ch_1'),
      ['findTransfer', lookup()],
      ['findTransfer', lookup()],
      transferCall(undefined, 1),
    ])
    expect(await systemEvents()).toEqual([shareRefused('transfer', 'ch_1', 'amount_too_large'), transferMade()])
  })
  test('is recorded if its key already has a transfer', async () => {
    context.answers = {
      findTransfer: [null, { id: 'tr_9', destination: 'acct_1', amount: 1500 }],
      transfer: [new StripeRejectedRequestError('Another amount', 'key')],
    }
    await settleInstructorShare(context.deps, 'p1')
    expect(await systemEvents()).toEqual([transferMade('tr_9')])
  })
  test.each([
    [
      'because the account accepts no transfers',
      new StripeRejectedRequestError('No capability', 'insufficient_capabilities_for_transfer'),
      'ch_1',
    ],
    ['because the balance is too small', new RetryLaterError('Too little', 'balance_insufficient'), undefined],
  ])('%s is retried later under another key from the same source', async (_, error, source) => {
    if (!source) await refund('r1', 400)
    context.answers.transfer = [error]
    await expect(settleInstructorShare(context.deps, 'p1')).rejects.toBe(error)
    expect(await systemEvents()).toEqual([shareRefused('transfer', null, error.code)])
    context.answers.transfer = ['tr_1']
    await settleInstructorShare(context.deps, 'p1')
    expect(context.calls.at(-1)).toEqual(transferCall(source, 1))
  })
  test.each([new OutcomeUnknownError('nobody answered'), new RetryLaterError('Too many requests', 'rate_limit')])(
    'keeps its key after %s, which is not a refusal',
    async error => {
      context.answers.transfer = [error]
      await expect(settleInstructorShare(context.deps, 'p1')).rejects.toBe(error)
      expect(await systemEvents()).toEqual([])
    },
  )
})
