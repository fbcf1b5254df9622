import type Stripe from 'stripe'
import type { ApiHandler } from '../api-handler-types.ts'
import { accountBalanceCents, payOutDueSandboxBalance } from '../calculate-account-balance-and-pay-out.ts'
import { clockAndStartingBalanceOf, sandboxNowMs } from '../clock-and-starting-balance.ts'
import { pageOfList } from '../paginate-lists-and-searches.ts'
import { newStripeId, type SandboxStore } from '../store.ts'
import { noSuchObject } from '../stripe-error.ts'

/**
 * Card payments to an account in the United States are pending for two days. Until then, the money can be refunded, and transferred if the
 * transfer names the charge as its `source_transaction`, but not used for other transfers.
 */
const PENDING_SECONDS = 2 * 86_400

/** Adds a balance transaction. `amount`, which is positive for incoming money, and `fee` are in cents. @returns its id */
export function addBalanceTransaction(store: SandboxStore, type: Stripe.BalanceTransaction.Type, source: string, amount: number, fee = 0) {
  const created = Math.floor(sandboxNowMs(store) / 1000)
  const pending = type === 'charge'
  const line: Stripe.BalanceTransaction = {
    id: newStripeId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: created + (pending ? PENDING_SECONDS : 0),
    balance_type: 'payments',
    created,
    currency: 'usd',
    description: null,
    exchange_rate: null,
    fee,
    fee_details: fee
      ? [{ amount: fee, application: null, currency: 'usd', description: 'Stripe processing fees', type: 'stripe_fee' }]
      : [],
    net: amount - fee,
    reporting_category: type,
    source,
    status: pending ? 'pending' : 'available',
    type,
  }
  return store.put('balance_transaction', line).id
}

const nowOf = (store: SandboxStore, line: Stripe.BalanceTransaction): Stripe.BalanceTransaction => ({
  ...line,
  status: line.available_on * 1000 <= sandboxNowMs(store) ? 'available' : 'pending',
})

/**
 * The platform's balance in cents. A transfer from a charge and a refund use the charge's own money, so they change the pending balance
 * while the charge is pending. The money of a reversed transfer is available immediately.
 */
export function platformBalanceOf(store: SandboxStore): { available: number; pending: number } {
  const now = sandboxNowMs(store)
  const chargeLines = new Map<string, number>()
  for (const line of store.all('balance_transaction')) if (line.type === 'charge') chargeLines.set(line.source as string, line.available_on)
  let available = clockAndStartingBalanceOf(store).startingCents
  let pending = 0
  for (const line of store.all('balance_transaction')) {
    const availableOn = Math.max(line.available_on, chargeLines.get(chargeBehind(store, line) ?? '') ?? 0)
    if (availableOn * 1000 <= now) available += line.net
    else pending += line.net
  }
  return { available, pending }
}

/** The charge whose money a transfer, a refund or a failed refund moves; null if there is none, and for other balance transactions. */
function chargeBehind(store: SandboxStore, { type, source }: Stripe.BalanceTransaction): string | null {
  const id = source as string
  if (type === 'transfer') return store.get('transfer', id)?.source_transaction as string | null
  if (type === 'refund' || type === 'refund_failure') return (store.get('refund', id)?.charge ?? null) as string | null
  return null
}

export const platformAvailableCents = (store: SandboxStore) => platformBalanceOf(store).available

/** Pays out the money that is due, and returns the rest. A payout account has no pending money. */
function payoutAccountBalanceOf(store: SandboxStore, account: string) {
  payOutDueSandboxBalance(store, account)
  return { available: accountBalanceCents(store, account), pending: 0 }
}

export const retrieveBalance: ApiHandler = ({ store, account }) => {
  const { available, pending } = account ? payoutAccountBalanceOf(store, account) : platformBalanceOf(store)
  return {
    object: 'balance',
    available: [{ amount: available, currency: 'usd', source_types: { card: available } }],
    livemode: false,
    pending: [{ amount: pending, currency: 'usd', source_types: { card: pending } }],
  }
}
export const retrieveBalanceTransaction: ApiHandler = ({ store, at: [id] }) => {
  const found = store.get('balance_transaction', id!)
  if (!found) throw noSuchObject('balance transaction', id!)
  return nowOf(store, found)
}
export const listBalanceTransactions: ApiHandler = call => {
  const lines = call.store.all('balance_transaction').map(line => nowOf(call.store, line))
  return pageOfList(call, lines, { type: t => t.type, source: t => t.source })
}
