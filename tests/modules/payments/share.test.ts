import { beforeEach, describe, expect, test } from 'vitest'
import { derivedId, handle } from '../../../modules/kernel/decider.ts'
import type { EventStore } from '../../../modules/kernel/store.ts'
import { payoutAccount } from '../../../modules/payments/payout-account.ts'
import { purchase } from '../../../modules/payments/purchase.ts'
import { settleShare } from '../../../modules/payments/share.ts'
import { OutcomeUnknown, RejectedRequest, RetryLater } from '../../../modules/payments/stripe/client.ts'
import { scriptedGateway, TEST_TIME, testCommandSource, testParties } from './scripted-gateway.ts'

const { its, say } = scriptedGateway(() => ({ findTransfer: [null], transfer: ['tr_1'] }))
/** A bill that was paid; the share and a tip of $3.00 are $15.00. */
async function paid({ total = 1550, of = {} }: { total?: number; of?: object } = {}) {
  await say('open', { ...testParties, items: [], total, share: 1200, opened: TEST_TIME, due: TEST_TIME, ...of })
  const chosen = {
    id: 'a1',
    customer: 'cus_1',
    card: { id: 'pm_1', brand: 'visa', last4: '4242' },
    tip: 300,
    by: 'player',
    at: TEST_TIME,
    total,
  }
  await say('attempt', chosen)
  await say('succeed', { attempt: 'a1', intent: 'pi_1', charge: 'ch_1', amount: total + 300, at: TEST_TIME })
}
async function ready(yes = true) {
  await handle(its.store, payoutAccount, 'casey', 'open', { account: 'acct_1' }, testCommandSource())
  await handle(its.store, payoutAccount, 'casey', 'change', { ready: yes, submitted: true, requirements: [] }, testCommandSource())
}
const refund = (refund: string, amount: number) => say('refund', { refund, amount, reason: 'Cut off' })
const transferred = (transfer = 'tr_1') => say('transferred', { transfer, account: 'acct_1', amount: 1500, at: TEST_TIME })
const written = async (stream = 'payment-p1') =>
  (await its.store.read(stream)).flatMap(e =>
    e.meta.actor === 'system' ? [[e.type, e.data, ...(stream === 'payment-p1' ? [e.meta.command] : [])]] : [],
  )
/** The resulting debts of the instructor. */
const debts = async () =>
  (await its.store.read('payout-casey')).flatMap(e => (e.type.startsWith('Debt') ? [[e.type, e.data] as [string, object]] : []))
const asking = (nth = 1, charge?: string) => ({ payment: 'p1', nth, charge })
const sending = (source: string | undefined, refusals = 0, nth = 1, charge?: string) => [
  'transfer',
  { ...asking(nth, charge), amount: 1500, destination: 'acct_1', source, key: derivedId('p1', 'transfer', nth, refusals) },
]
const made = (transfer = 'tr_1', account = 'acct_1', amount = 1500, netted?: number) => [
  'TransferMade',
  { transfer, account, amount, at: TEST_TIME, ...(netted && { netted }) },
  derivedId('p1', 'transferred', transfer),
]
const said = (of: 'transfer' | 'reversal', source: string | null, code: string, refusals = 0) => [
  'ShareRefused',
  { of, source, code, at: TEST_TIME },
  derivedId('p1', 'refused', `${refusals}`),
]

describe('a share is transferred', () => {
  test('not before the payment has succeeded', async () => {
    await say('open', { ...testParties, items: [], total: 1550, share: 1200, opened: TEST_TIME, due: TEST_TIME })
    await ready()
    await settleShare(its.till, 'p1')
    expect([its.calls, await written()]).toEqual([[], []])
  })
  test('out of its charge, once', async () => {
    await paid()
    await ready()
    await settleShare(its.till, 'p1')
    await settleShare(its.till, 'p1')
    expect(its.calls).toEqual([['findTransfer', asking()], sending('ch_1')])
    expect(await written()).toEqual([made()])
  })
  test('once if its response was lost: the transfer is found and recorded', async () => {
    await paid()
    await ready()
    its.answers = { findTransfer: [{ id: 'tr_9', destination: 'acct_old', amount: 1400 }] }
    await settleShare(its.till, 'p1')
    expect(await written()).toEqual([made('tr_9', 'acct_old', 1400, 100)])
  })
  test('later, and once, if the account is not ready', async () => {
    await paid()
    for (const before of [async () => {}, () => ready(false)]) {
      await before()
      await settleShare(its.till, 'p1')
    }
    expect([its.calls, await written('payout-casey')]).toEqual([[], [['ShareHeld', { payment: 'p1' }]]])
  })
  test('at once if the account becomes ready while the share is being held', async () => {
    await paid()
    await ready(false)
    let first = true
    const read: EventStore['read'] = async stream => {
      const events = await its.store.read(stream)
      if (stream === 'payout-casey' && first) {
        first = false
        await handle(its.store, payoutAccount, 'casey', 'change', { ready: true, submitted: true, requirements: [] }, testCommandSource())
      }
      return events
    }
    await settleShare({ ...its.till, store: { ...its.store, read } }, 'p1')
    expect(await written()).toEqual([made()])
  })
  test.each([
    ['out of what is left of its charge', 350, 'ch_1'],
    ['out of the balance if the charge lacks a cent', 351, undefined],
  ])('%s', async (_, gone, source) => {
    await paid()
    await refund('r1', 200)
    await refund('r2', gone - 200)
    await ready()
    await settleShare(its.till, 'p1')
    expect(its.calls.at(-1)).toEqual(sending(source))
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
    await handle(its.store, purchase, 'b1', 'complete', bought, testCommandSource())
    const outside = [{ id: 're_1', ours: null, amount: back, status: 'succeeded' as const }]
    await handle(its.store, purchase, 'b1', 'reconcile', { charge: 'ch_pack', refunds: outside }, testCommandSource())
    await paid({ total: 50, of: { purchase: 'b1' } })
    await ready()
    await settleShare(its.till, 'p1')
    expect(its.calls).toEqual([['findTransfer', asking(1, 'ch_pack')], sending(source, 0, 1, 'ch_pack')])
  })
  test('again, as a new transfer, after a reversal', async () => {
    await paid()
    await ready()
    await transferred()
    await say('reversed', { transfer: 'tr_1', reversal: 'trr_1' })
    its.answers.transfer = ['tr_2']
    await settleShare(its.till, 'p1')
    expect(its.calls).toEqual([['findTransfer', asking(2)], sending('ch_1', 0, 2)])
  })
})

describe('a share of an instructor who owes', () => {
  const owes = (cents: number) => handle(its.store, payoutAccount, 'casey', 'settle', { payment: 'p0', nth: 1, cents }, testCommandSource())
  const sent = () => its.calls.flatMap(([call, o]) => (call === 'transfer' ? [(o as { amount: number }).amount] : []))
  beforeEach(async () => {
    await paid()
    await ready()
  })
  test.each([
    ['pays the debt, and the rest is transferred', 400, 1100, 400],
    ['pays all of it but a cent toward a larger debt', 9000, 1, 1499],
    ['is transferred whole if nothing is owed', 0, 1500, 0],
  ])('%s', async (_, cents, passed, netted) => {
    await owes(cents)
    its.answers.transfer = [new OutcomeUnknown('nobody answered'), 'tr_1']
    await expect(settleShare(its.till, 'p1')).rejects.toThrow('nobody answered')
    await settleShare(its.till, 'p1')
    await settleShare(its.till, 'p1')
    expect(sent()).toEqual([passed, passed])
    expect(await written()).toEqual([made('tr_1', 'acct_1', passed, netted)])
    expect((await debts()).filter(([type]) => type === 'DebtNetted')).toEqual(
      netted ? [['DebtNetted', { payment: 'p1', nth: 1, amount: netted }]] : [],
    )
  })
  test('pays no debt if an unrecorded transfer of the whole share is found', async () => {
    await owes(400)
    its.answers = {
      findTransfer: [null, { id: 'tr_9', destination: 'acct_1', amount: 1500 }],
      transfer: [new RejectedRequest('Another amount', 'idempotency_error')],
    }
    await settleShare(its.till, 'p1')
    await settleShare(its.till, 'p1')
    expect(await written()).toEqual([made('tr_9')])
    expect((await debts()).slice(1)).toEqual([
      ['DebtNetted', { payment: 'p1', nth: 1, amount: 400 }],
      ['DebtIncurred', { payment: 'p1', nth: 1, amount: 400 }],
    ])
  })
  test('pays no debt in the end if the payment is refunded', async () => {
    await owes(400)
    await settleShare(its.till, 'p1')
    await refund('r1', 1850)
    its.answers = { fetchTransfer: [{ amount: 1100, reversed: 0 }], reverse: ['trr_1'], findTransfer: [null] }
    await settleShare(its.till, 'p1')
    await settleShare(its.till, 'p1')
    expect((await debts()).at(-1)).toEqual(['DebtIncurred', { payment: 'p1', nth: 1, amount: 400 }])
  })
  test('pays no debt if the payment was refunded before the transfer', async () => {
    await owes(400)
    its.answers.transfer = [new OutcomeUnknown('nobody answered')]
    await expect(settleShare(its.till, 'p1')).rejects.toThrow()
    await refund('r1', 1850)
    await settleShare(its.till, 'p1')
    expect((await debts()).at(-1)).toEqual(['DebtIncurred', { payment: 'p1', nth: 1, amount: 400 }])
  })
})

describe('a share that is refused', () => {
  beforeEach(async () => {
    await paid()
    await ready()
  })
  test('comes out of another source under another key', async () => {
    its.answers.transfer = [new RejectedRequest('Not enough left', 'amount_too_large'), 'tr_1']
    await settleShare(its.till, 'p1')
    expect(its.calls).toEqual([
      ['findTransfer', asking()],
      sending('ch_1'),
      ['findTransfer', asking()],
      ['findTransfer', asking()],
      sending(undefined, 1),
    ])
    expect(await written()).toEqual([said('transfer', 'ch_1', 'amount_too_large'), made()])
  })
  test('is recorded if a transfer under this key exists already', async () => {
    its.answers = {
      findTransfer: [null, { id: 'tr_9', destination: 'acct_1', amount: 1500 }],
      transfer: [new RejectedRequest('Another amount', 'key')],
    }
    await settleShare(its.till, 'p1')
    expect(await written()).toEqual([made('tr_9')])
  })
  test.each([
    ['because the account accepts no transfers', new RejectedRequest('No capability', 'insufficient_capabilities_for_transfer'), 'ch_1'],
    ['because the balance is too small', new RetryLater('Too little', 'balance_insufficient'), undefined],
  ])('%s is retried later, under another key and out of the same source', async (_, error, source) => {
    if (!source) await refund('r1', 400)
    its.answers.transfer = [error]
    await expect(settleShare(its.till, 'p1')).rejects.toBe(error)
    expect(await written()).toEqual([said('transfer', null, error.code)])
    its.answers.transfer = ['tr_1']
    await settleShare(its.till, 'p1')
    expect(its.calls.at(-1)).toEqual(sending(source, 1))
  })
  test.each([new OutcomeUnknown('nobody answered'), new RetryLater('Too many requests', 'rate_limit')])(
    'keeps its key after %s, which is no refusal',
    async error => {
      its.answers.transfer = [error]
      await expect(settleShare(its.till, 'p1')).rejects.toBe(error)
      expect(await written()).toEqual([])
    },
  )
})

describe('a share that is no longer theirs', () => {
  beforeEach(async () => {
    await paid()
    await ready()
  })
  test.each([
    ['all of it', { amount: 1500, reversed: 0 }, 1500],
    ['the rest of it', { amount: 1500, reversed: 600 }, 900],
  ])('is reversed once: %s', async (_, there, left) => {
    await transferred()
    await refund('r1', 1850)
    its.answers = { fetchTransfer: [there], reverse: ['trr_1'], findTransfer: [null] }
    await settleShare(its.till, 'p1')
    expect(its.calls).toEqual([
      ['fetchTransfer', 'tr_1'],
      ['reverse', 'tr_1', left, derivedId('p1', 'reverse', 'tr_1', 0)],
    ])
    const reversed = { transfer: 'tr_1', reversal: 'trr_1', amount: 1500 }
    expect(await written()).toEqual([['TransferReversed', reversed, derivedId('p1', 'reversed', 'tr_1')]])
    await settleShare(its.till, 'p1')
    expect(its.calls.slice(2)).toEqual([['findTransfer', asking(2)]])
  })
  test('is not reversed again', async () => {
    await transferred()
    await refund('r1', 1850)
    its.answers = { fetchTransfer: [{ amount: 1500, reversed: 1500 }] }
    await settleShare(its.till, 'p1')
    const [reversed] = await written()
    expect(reversed!.slice(0, 2)).toEqual(['TransferReversed', { transfer: 'tr_1', reversal: 'tr_1', amount: 1500 }])
  })
  test('is recorded if it was transferred unnoticed, and reversed by the next errand', async () => {
    await refund('r1', 1850)
    its.answers = { findTransfer: [{ id: 'tr_9', destination: 'acct_1', amount: 1500 }] }
    await settleShare(its.till, 'p1')
    expect(await written()).toEqual([made('tr_9')])
  })
  test('stays after a partial refund', async () => {
    await transferred()
    await refund('r1', 1849)
    await settleShare(its.till, 'p1')
    expect([its.calls, await written()]).toEqual([[], []])
  })
  test('becomes a debt if the account is empty, and is not requested again', async () => {
    await transferred()
    await refund('r1', 1850)
    const empty = new RetryLater('The account is empty', 'balance_insufficient')
    its.answers = { fetchTransfer: [{ amount: 1500, reversed: 300 }], reverse: [empty], findTransfer: [null] }
    await settleShare(its.till, 'p1')
    await settleShare(its.till, 'p1')
    expect(its.calls.filter(([call]) => call === 'reverse')).toHaveLength(1)
    expect(await written()).toEqual([['TransferOwed', { transfer: 'tr_1', amount: 1200, at: TEST_TIME }, derivedId('p1', 'owed', 'tr_1')]])
    expect(await debts()).toEqual([['DebtIncurred', { payment: 'p1', nth: 1, amount: 1200 }]])
  })
  test('is retried under another key after a refusal, and the same after no answer', async () => {
    await transferred()
    await refund('r1', 1850)
    const [no, silence] = [new RejectedRequest('The account has nothing', 'balance'), new OutcomeUnknown('nobody answered')]
    its.answers = { fetchTransfer: [{ amount: 1500, reversed: 0 }], reverse: [silence, no, 'trr_1'] }
    await expect(settleShare(its.till, 'p1')).rejects.toBe(silence)
    await expect(settleShare(its.till, 'p1')).rejects.toBe(no)
    await settleShare(its.till, 'p1')
    expect(its.calls.flatMap(([call, , , key]) => (call === 'reverse' ? [key] : []))).toEqual(
      [0, 0, 1].map(refusals => derivedId('p1', 'reverse', 'tr_1', refusals)),
    )
    const [refused, reversed] = await written()
    expect([refused, reversed![0]]).toEqual([said('reversal', null, 'balance'), 'TransferReversed'])
  })
})
