import type Stripe from 'stripe'
import type { ApiHandler } from '../api-handler-types.ts'
import { pageOfList } from '../paginate-lists-and-searches.ts'
import { newStripeId, type SandboxStore, wallClockSeconds } from '../store.ts'
import { invalidRequest, noSuchObject } from '../stripe-error.ts'
import { addBalanceTransaction } from './balance.ts'
import { findChargeOrThrow } from './charges.ts'
import { emitStripeEvent } from './events.ts'
import { settleRefund } from './refunds.ts'

const DISPUTE_FEE_CENTS = 1500
const WEEK_SECONDS = 7 * 86_400

const none = (...names: string[]) => Object.fromEntries(names.map(name => [name, null]))
const noEvidence = {
  ...none('access_activity_log', 'billing_address', 'cancellation_policy', 'cancellation_policy_disclosure', 'cancellation_rebuttal'),
  ...none('customer_communication', 'customer_email_address', 'customer_name', 'customer_purchase_ip', 'customer_signature'),
  ...none('duplicate_charge_documentation', 'duplicate_charge_explanation', 'duplicate_charge_id', 'product_description', 'receipt'),
  ...none('refund_policy', 'refund_policy_disclosure', 'refund_refusal_explanation', 'service_date', 'service_documentation'),
  ...none('shipping_address', 'shipping_carrier', 'shipping_date', 'shipping_documentation', 'shipping_tracking_number'),
  ...none('uncategorized_file', 'uncategorized_text'),
  enhanced_evidence: {},
} as unknown as Stripe.Dispute.Evidence

/**
 * Opens a dispute: the cardholder wants the money back, and the bank takes it. `prevented`: the card network's rapid resolution returned
 * the money before a formal dispute, so there is no fee and nothing to decide. Pending refunds of the charge fail.
 * @throws StripeError if the charge failed, is disputed already, or was refunded in full
 */
export function openDispute(store: SandboxStore, id: string, reason: string, { prevented = false } = {}) {
  const charge = findChargeOrThrow(store, id)
  if (!charge.paid || charge.disputed) throw invalidRequest(`Charge ${id} cannot be disputed.`)
  const disputeId = newStripeId('dp')
  const amount = charge.amount - charge.amount_refunded
  if (amount === 0) throw invalidRequest(`Charge ${id} was refunded in full: there is nothing to dispute.`)
  addBalanceTransaction(store, 'adjustment', disputeId, -amount, prevented ? 0 : DISPUTE_FEE_CENTS)
  const dispute: Stripe.Dispute = {
    id: disputeId,
    object: 'dispute',
    amount,
    balance_transactions: store.all('balance_transaction').slice(-1),
    charge: charge.id,
    created: wallClockSeconds(),
    currency: 'usd',
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: wallClockSeconds() + WEEK_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: prevented ? 'prevented' : 'needs_response',
  }
  store.put('dispute', dispute)
  store.put('charge', { ...charge, disputed: true })
  for (const refund of store.all('refund'))
    if (refund.charge === id && refund.status === 'pending') settleRefund(store, refund.id, 'failed', 'charge_for_pending_refund_disputed')
  emitStripeEvent(store, 'charge.dispute.created', dispute)
  emitStripeEvent(store, 'charge.dispute.funds_withdrawn', dispute)
  if (prevented) emitStripeEvent(store, 'charge.dispute.closed', dispute)
  return dispute
}

/**
 * Records the bank's decision. If the dispute is won, even after an earlier loss, the bank returns the money.
 * @throws StripeError if the dispute was prevented or won, or already has this `status`
 */
export function settleDispute(store: SandboxStore, id: string, status: 'won' | 'lost') {
  const dispute = disputeOf(store, id)
  if (dispute.status === 'won' || dispute.status === 'prevented' || dispute.status === status)
    throw invalidRequest(`This dispute is already ${dispute.status}.`)
  if (status === 'won') addBalanceTransaction(store, 'adjustment', id, dispute.amount)
  const balance_transactions = store.all('balance_transaction').filter(line => line.source === id)
  const closed = store.put('dispute', { ...dispute, balance_transactions, status })
  if (status === 'won') emitStripeEvent(store, 'charge.dispute.funds_reinstated', closed)
  emitStripeEvent(store, 'charge.dispute.closed', closed)
  return closed
}

function disputeOf(store: SandboxStore, id: string) {
  const found = store.get('dispute', id)
  if (!found) throw noSuchObject('dispute', id)
  return found
}
export const retrieveDispute: ApiHandler = ({ store, at: [id] }) => disputeOf(store, id!)
export const closeDispute: ApiHandler = ({ store, at: [id] }) => settleDispute(store, id!, 'lost')
export const listDisputes: ApiHandler = call =>
  pageOfList(call, call.store.all('dispute'), { charge: d => d.charge, payment_intent: d => d.payment_intent })
