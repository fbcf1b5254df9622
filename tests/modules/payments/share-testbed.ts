import { derivedId, handleCommand } from '../../../modules/kernel/decider.ts'
import { payoutAccountAndDebtDecider } from '../../../modules/payments/payout-account-and-debt-decider.ts'
import { setUpPaymentTestbed, TEST_TIME, testCommandSource, testParties } from './payment-testbed.ts'

/** Helpers for tests of an instructor's share of the payment p1. */
export function setUpShareTestbed() {
  const { context, sendCommand } = setUpPaymentTestbed(() => ({ findTransfer: [null], transfer: ['tr_1'] }))

  /** Opens a bill and pays it. The instructor's share of $12.00 and a tip of $3.00 make $15.00. */
  async function pay({ total = 1550, of = {} }: { total?: number; of?: object } = {}) {
    await sendCommand('open', { ...testParties, items: [], total, share: 1200, opened: TEST_TIME, due: TEST_TIME, ...of })
    const chosen = {
      id: 'a1',
      customer: 'cus_1',
      card: { id: 'pm_1', brand: 'visa', last4: '4242' },
      tip: 300,
      by: 'player',
      at: TEST_TIME,
      total,
    }
    await sendCommand('attempt', chosen)
    await sendCommand('succeed', { attempt: 'a1', intent: 'pi_1', charge: 'ch_1', amount: total + 300, at: TEST_TIME })
  }
  /** Opens the instructor's payout account; `ready`: whether it can receive transfers. */
  async function openPayoutAccount(ready = true) {
    await handleCommand(context.store, payoutAccountAndDebtDecider, 'casey', 'open', { account: 'acct_1' }, testCommandSource())
    await handleCommand(
      context.store,
      payoutAccountAndDebtDecider,
      'casey',
      'change',
      { ready, submitted: true, requirements: [] },
      testCommandSource(),
    )
  }
  const refund = (refund: string, amount: number) => sendCommand('refund', { refund, amount, reason: 'Cut off' })
  const recordTransfer = (transfer = 'tr_1') => sendCommand('transferred', { transfer, account: 'acct_1', amount: 1500, at: TEST_TIME })
  /** The events that the system appended to a stream; those of the payment with their command ids. */
  const systemEvents = async (stream = 'payment-p1') =>
    (await context.store.read(stream)).flatMap(e =>
      e.meta.actor === 'system' ? [[e.type, e.data, ...(stream === 'payment-p1' ? [e.meta.command] : [])]] : [],
    )
  /** Types and data of the events about the instructor's debts. */
  const debtEvents = async () =>
    (await context.store.read('payout-casey')).flatMap(e => (e.type.startsWith('Debt') ? [[e.type, e.data] as [string, object]] : []))
  /** The arguments of a lookup of the nth transfer. */
  const lookup = (nth = 1, charge?: string) => ({ payment: 'p1', nth, charge })
  /** The expected call for a transfer from `source`. */
  const transferCall = (source: string | undefined, refusals = 0, nth = 1, charge?: string) => [
    'transfer',
    { ...lookup(nth, charge), amount: 1500, destination: 'acct_1', source, key: derivedId('p1', 'transfer', nth, refusals) },
  ]
  /** The event of a successful transfer, with its command id. */
  const transferMade = (transfer = 'tr_1', account = 'acct_1', amount = 1500, netted?: number) => [
    'TransferMade',
    { transfer, account, amount, at: TEST_TIME, ...(netted && { netted }) },
    derivedId('p1', 'transferred', transfer),
  ]
  /** The event of a refusal by the provider, with its command id. */
  const shareRefused = (of: 'transfer' | 'reversal', source: string | null, code: string, refusals = 0, more: object = {}) => [
    'ShareRefused',
    { of, source, code, at: TEST_TIME, ...more },
    derivedId('p1', 'refused', `${refusals}`),
  ]
  return {
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
  }
}
