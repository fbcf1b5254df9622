import type Stripe from 'stripe'
import { z } from 'zod'
import type { ApiHandler } from '../api-handler-types.ts'
import { pageOfList } from '../paginate-lists-and-searches.ts'
import { newStripeId, type SandboxStore, wallClockSeconds } from '../store.ts'
import { invalidRequest, noSuchObject } from '../stripe-error.ts'
import { integerParameter, metadataParameter, textParameter, validateParameters } from '../validate-parameters.ts'
import { addBalanceTransaction, platformBalanceOf } from './balance.ts'
import { findChargeOrThrow } from './charges.ts'
import { emitStripeEvent } from './events.ts'
import { findPaymentIntentOrThrow } from './payment-intents.ts'
import { testCardBehaviorOf } from './payment-methods.ts'

const creation = z.strictObject({
  charge: textParameter.optional(),
  payment_intent: textParameter.optional(),
  amount: integerParameter.pipe(z.number().min(1)).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadataParameter,
})

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

const DISPUTE_STATUSES_THAT_TAKE_MONEY = [
  'lost',
  'prevented',
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
]
/** Whether a dispute has taken the charge's money, for good or until the dispute is decided. An inquiry does not take any money. */
export const hasDisputeWithdrawnFunds = (store: SandboxStore, charge: string) =>
  store.all('dispute').some(d => d.charge === charge && DISPUTE_STATUSES_THAT_TAKE_MONEY.includes(d.status))

export const createRefund: ApiHandler = ({ store, form }) => {
  const refundInput = validateParameters(creation, form)
  const id =
    refundInput.charge ??
    (refundInput.payment_intent && (findPaymentIntentOrThrow(store, refundInput.payment_intent).latest_charge as string | null))
  if (!id)
    throw invalidRequest('One of the following params should be provided for this request: payment_intent or charge.', 'parameter_missing')
  const charge = findChargeOrThrow(store, id)
  const unrefundedCents = charge.amount - charge.amount_refunded
  if (hasDisputeWithdrawnFunds(store, id))
    throw invalidRequest(`Charge ${id} has been charged back; cannot issue a refund.`, 'charge_disputed')
  if (!charge.paid) throw invalidRequest('This charge cannot be refunded because it has failed.', 'charge_not_refundable')
  if (unrefundedCents === 0) throw invalidRequest(`Charge ${id} has already been refunded.`, 'charge_already_refunded')
  const amount = refundInput.amount ?? unrefundedCents
  if (amount > unrefundedCents)
    throw invalidRequest(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(unrefundedCents)})`,
      undefined,
      'amount',
    )
  const refundId = newStripeId('re')
  const { available, pending: coming } = platformBalanceOf(store)
  const pendingReason =
    available + coming < amount
      ? 'insufficient_funds'
      : testCardBehaviorOf(store, charge.payment_method!).card.refund === 'pending'
        ? 'processing'
        : null
  const refund: Stripe.Refund = {
    id: refundId,
    object: 'refund',
    amount,
    balance_transaction: addBalanceTransaction(store, 'refund', refundId, -amount),
    charge: charge.id,
    created: wallClockSeconds(),
    currency: 'usd',
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: refundInput.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: refundInput.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: pendingReason ? 'pending' : 'succeeded',
    ...(pendingReason && { pending_reason: pendingReason }),
    transfer_reversal: null,
  }
  store.put('refund', refund)
  emitStripeEvent(store, 'refund.created', refund)
  emitStripeEvent(store, 'charge.refunded', addToRefunded(store, charge.id, amount))
  return refund
}

/** Adds `amount` cents to the refunded amount of a charge; a negative amount subtracts. */
function addToRefunded(store: SandboxStore, id: string, amount: number) {
  const charge = findChargeOrThrow(store, id)
  const amount_refunded = charge.amount_refunded + amount
  return store.put('charge', { ...charge, amount_refunded, refunded: amount_refunded === charge.amount })
}

/** Records the bank's final answer about a refund. A refund that succeeded may still fail later; one that failed never succeeds. */
export function settleRefund(store: SandboxStore, id: string, status: 'succeeded' | 'failed', why = 'expired_or_canceled_card') {
  const { pending_reason: _, ...refund } = refundOf(store, id)
  if (refund.status === 'failed' || refund.status === status) throw invalidRequest(`This refund is already ${refund.status}.`)
  const failed = status === 'failed' && {
    failure_reason: why,
    failure_balance_transaction: addBalanceTransaction(store, 'refund_failure', id, refund.amount),
  }
  const settled = store.put('refund', { ...refund, status, ...failed })
  if (failed) addToRefunded(store, refund.charge as string, -refund.amount)
  emitStripeEvent(store, 'refund.updated', settled)
  emitStripeEvent(store, 'charge.refund.updated', settled)
  if (failed) emitStripeEvent(store, 'refund.failed', settled)
  return settled
}

function refundOf(store: SandboxStore, id: string) {
  const found = store.get('refund', id)
  if (!found) throw noSuchObject('refund', id)
  return found
}
export const retrieveRefund: ApiHandler = ({ store, at: [id] }) => refundOf(store, id!)
export const listRefunds: ApiHandler = call =>
  pageOfList(call, call.store.all('refund'), { charge: r => r.charge, payment_intent: r => r.payment_intent })
