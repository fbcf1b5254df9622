import type Stripe from 'stripe'
import type { Handler } from '../call.ts'
import { missing } from '../fault.ts'
import { list } from '../listing.ts'
import { newId, now, type Store } from '../store.ts'

/** Cents that the business has at Stripe before its first sale, so that a transfer may come before the money it is made of. */
const FLOAT = 1_000_000

/** Writes a line of the account: cents, positive when money comes in. Its id. */
export function book(store: Store, type: Stripe.BalanceTransaction.Type, source: string, amount: number, fee = 0) {
  const line: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: now(),
    balance_type: 'payments',
    created: now(),
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

export const available = (store: Store) => store.all('balance_transaction').reduce((sum, t) => sum + t.net, FLOAT)

export const retrieveBalance: Handler = ({ store }) => ({
  object: 'balance',
  available: [{ amount: available(store), currency: 'usd', source_types: { card: available(store) } }],
  livemode: false,
  pending: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
})
export const retrieveBalanceTransaction: Handler = ({ store, at: [id] }) => {
  const found = store.get('balance_transaction', id!)
  if (!found) throw missing('balance transaction', id!)
  return found
}
export const listBalanceTransactions: Handler = call =>
  list(call, call.store.all('balance_transaction'), { type: t => t.type, source: t => t.source })
