import { sandboxNowMs } from './clock-and-starting-balance.ts'
import { connectedAccountOf } from './resources/accounts.ts'
import { newStripeId, type SandboxStore } from './store.ts'

/** Transferred money stays in a payout account for two days before it is paid out to the owner's bank. */
const PAYOUT_DELAY_MS = 2 * 86_400_000

const transfersTo = (store: SandboxStore, account: string) => store.all('transfer').filter(t => t.destination === account)
const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0)
const paidOutCents = (store: SandboxStore, account: string) =>
  sum(store.all('payout').flatMap(p => (p.account === account ? [p.amount] : [])))

/** Cents that have been in a payout account for at least `olderThanMs` and are still there; 0 if payouts are not enabled. */
function payableCents(store: SandboxStore, account: string, olderThanMs: number): number {
  if (!connectedAccountOf(store, account).payouts_enabled) return 0
  const now = sandboxNowMs(store)
  const old = transfersTo(store, account).filter(t => now - t.created * 1000 >= olderThanMs)
  return Math.max(0, sum(old.map(t => t.amount - t.amount_reversed)) - paidOutCents(store, account))
}

/** The balance of a payout account in cents, without money that is due to be paid out. */
export const accountBalanceCents = (store: SandboxStore, account: string): number =>
  sum(transfersTo(store, account).map(t => t.amount - t.amount_reversed)) -
  paidOutCents(store, account) -
  payableCents(store, account, PAYOUT_DELAY_MS)

/** Pays out all money in a payout account, even if it is not due yet. */
export const payOutWholeBalance = (store: SandboxStore, account: string) => payOut(store, account, 0)
/** Pays out the money that is due, as Stripe does automatically once a day. */
export const payOutDueSandboxBalance = (store: SandboxStore, account: string) => payOut(store, account, PAYOUT_DELAY_MS)

function payOut(store: SandboxStore, account: string, olderThanMs: number) {
  const amount = payableCents(store, account, olderThanMs)
  if (amount > 0) store.put('payout', { id: newStripeId('po'), account, amount, at: sandboxNowMs(store) })
}
