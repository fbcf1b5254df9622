import type Stripe from 'stripe'
import type { ApiHandler } from '../call.ts'
import { listPage } from '../listing.ts'
import { newId, nowSeconds, type Store } from '../store.ts'
import { noSuchObject } from '../stripe-error.ts'

/** Cents that the business has at Stripe before its first sale, so that a transfer may come before the money it is made of. */
const INITIAL_BALANCE_CENTS = 1_000_000

/** Writes a line of the account: cents, positive when money comes in. Its id. */
export function bookBalance(store: Store, type: Stripe.BalanceTransaction.Type, source: string, amount: number, fee = 0) {
  const line: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: nowSeconds(),
    balance_type: 'payments',
    created: nowSeconds(),
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
    status: 'available',
    type,
  }
  return store.put('balance_transaction', line).id
}

export const availableCents = (store: Store) => store.all('balance_transaction').reduce((sum, t) => sum + t.net, INITIAL_BALANCE_CENTS)

export const retrieveBalance: ApiHandler = ({ store }) => ({
  object: 'balance',
  available: [{ amount: availableCents(store), currency: 'usd', source_types: { card: availableCents(store) } }],
  livemode: false,
  pending: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
})
export const retrieveBalanceTransaction: ApiHandler = ({ store, at: [id] }) => {
  const found = store.get('balance_transaction', id!)
  if (!found) throw noSuchObject('balance transaction', id!)
  return found
}
export const listBalanceTransactions: ApiHandler = call =>
  listPage(call, call.store.all('balance_transaction'), { type: t => t.type, source: t => t.source })
