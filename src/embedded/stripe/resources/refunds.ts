import type Stripe from 'stripe'
import { z } from 'zod'
import type { Handler } from '../call.ts'
import { invalid, missing } from '../fault.ts'
import { input, integer, metadata, text } from '../input.ts'
import { list } from '../listing.ts'
import { newId, now } from '../store.ts'
import { book } from './balance.ts'
import { chargeOf } from './charges.ts'
import { emit } from './events.ts'
import { intentOf } from './intents.ts'

const creation = z.strictObject({
  charge: text.optional(),
  payment_intent: text.optional(),
  amount: integer.pipe(z.number().min(1)).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata,
})

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

export const createRefund: Handler = ({ store, form }) => {
  const asked = input(creation, form)
  const id = asked.charge ?? (asked.payment_intent && (intentOf(store, asked.payment_intent).latest_charge as string | null))
  if (!id) throw invalid('One of the following params should be provided for this request: payment_intent or charge.', 'parameter_missing')
  const charge = chargeOf(store, id)
  const left = charge.amount - charge.amount_refunded
  if (charge.disputed) throw invalid(`Charge ${id} has been charged back; cannot issue a refund.`, 'charge_disputed')
  if (!charge.paid) throw invalid('This charge cannot be refunded because it has failed.', 'charge_not_refundable')
  if (left === 0) throw invalid(`Charge ${id} has already been refunded.`, 'charge_already_refunded')
  const amount = asked.amount ?? left
  if (amount > left)
    throw invalid(`Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`, undefined, 'amount')
  const refundId = newId('re')
  const refund: Stripe.Refund = {
    id: refundId,
    object: 'refund',
    amount,
    balance_transaction: book(store, 'refund', refundId, -amount),
    charge: charge.id,
    created: now(),
    currency: 'usd',
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: asked.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: asked.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
  store.put('refund', refund)
  const refunded = store.put('charge', { ...charge, amount_refunded: charge.amount_refunded + amount, refunded: amount === left })
  emit(store, 'refund.created', refund)
  emit(store, 'charge.refunded', refunded)
  return refund
}
export const retrieveRefund: Handler = ({ store, at: [id] }) => {
  const found = store.get('refund', id!)
  if (!found) throw missing('refund', id!)
  return found
}
export const listRefunds: Handler = call =>
  list(call, call.store.all('refund'), { charge: r => r.charge, payment_intent: r => r.payment_intent })
