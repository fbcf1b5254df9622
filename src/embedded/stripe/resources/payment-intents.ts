import type Stripe from 'stripe'
import { z } from 'zod'
import type { ApiHandler } from '../api-handler-types.ts'
import { pageOfList, searchAndPaginate } from '../paginate-lists-and-searches.ts'
import { newStripeId, type SandboxStore, wallClockSeconds } from '../store.ts'
import { invalidRequest, noSuchObject } from '../stripe-error.ts'
import { validateParameters } from '../validate-parameters.ts'
import { emitStripeEvent } from './events.ts'

const MIN_CHARGE_CENTS = 50
const MAX_CHARGE_CENTS = 99_999_999

interface Wanted {
  amount: number
  customer?: string
  description?: string
  metadata?: Record<string, string>
  transfer_group?: string
  receipt_email?: string
  setup_future_usage?: string
}

export function addPaymentIntent(store: SandboxStore, o: Wanted) {
  if (o.amount < MIN_CHARGE_CENTS) throw invalidRequest('Amount must be at least $0.50 usd', 'amount_too_small', 'amount')
  if (o.amount > MAX_CHARGE_CENTS) throw invalidRequest('Amount must be no more than $999,999.99', 'amount_too_large', 'amount')
  const id = newStripeId('pi')
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount: o.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${newStripeId('', 25).slice(1)}`,
    confirmation_method: 'automatic',
    created: wallClockSeconds(),
    currency: 'usd',
    customer: o.customer ?? null,
    customer_account: null,
    description: o.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: o.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: o.receipt_email ?? null,
    review: null,
    setup_future_usage: o.setup_future_usage ?? null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: o.transfer_group ?? null,
  }
  store.put('payment_intent', intent)
  emitStripeEvent(store, 'payment_intent.created', intent)
  return intent
}

export function findPaymentIntentOrThrow(store: SandboxStore, id: string) {
  const found = store.get('payment_intent', id)
  if (!found) throw noSuchObject('payment_intent', id, 'intent')
  return found
}
export const unexpectedIntentStatusError = (intent: Stripe.PaymentIntent, verb: string) =>
  invalidRequest(`You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`, 'payment_intent_unexpected_state')

export const cancelPaymentIntent: ApiHandler = ({ store, form, at: [id] }) => {
  const reason = z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional()
  const { cancellation_reason } = validateParameters(z.strictObject({ cancellation_reason: reason }), form)
  const intent = findPaymentIntentOrThrow(store, id!)
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpectedIntentStatusError(intent, 'cancel')
  if (store.all('session').some(s => s.session.payment_intent === intent.id && s.session.status === 'open'))
    throw invalidRequest(
      'You cannot cancel PaymentIntents created by Checkout. Expire the Checkout Session instead.',
      'payment_intent_unexpected_state',
    )
  const canceled = store.put('payment_intent', {
    ...intent,
    status: 'canceled',
    canceled_at: wallClockSeconds(),
    cancellation_reason: cancellation_reason ?? null,
    next_action: null,
  })
  emitStripeEvent(store, 'payment_intent.canceled', canceled)
  return canceled
}
export const retrievePaymentIntent: ApiHandler = ({ store, at: [id] }) => findPaymentIntentOrThrow(store, id!)
export const listPaymentIntents: ApiHandler = call => pageOfList(call, call.store.all('payment_intent'), { customer: i => i.customer })
export const searchPaymentIntents: ApiHandler = call => searchAndPaginate(call, call.store.all('payment_intent'))
