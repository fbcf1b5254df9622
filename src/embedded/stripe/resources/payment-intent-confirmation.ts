import type Stripe from 'stripe'
import { z } from 'zod'
import type { ApiHandler, SandboxApiCall } from '../api-handler-types.ts'
import type { SandboxStore } from '../store.ts'
import { invalidRequest } from '../stripe-error.ts'
import type { CardDecline, TestCard } from '../test-cards.ts'
import {
  booleanParameter,
  currencyParameter,
  integerParameter,
  metadataParameter,
  textParameter,
  validateParameters,
} from '../validate-parameters.ts'
import { cardAuthenticationNextAction, failedAuthenticationDecline } from './card-authentication-next-action.ts'
import { addCharge } from './charges.ts'
import { customerOf } from './customers.ts'
import { openDispute } from './disputes.ts'
import { emitStripeEvent } from './events.ts'
import { addPaymentIntent, findPaymentIntentOrThrow, unexpectedIntentStatusError } from './payment-intents.ts'
import {
  assertPaymentMethodUsable,
  cardDeclinedError,
  markPaymentMethodSetUpForFutureUse,
  markPaymentMethodUnusable,
  paymentMethodByIdOrTestCardToken,
  setCustomerOfPaymentMethod,
  testCardBehaviorOf,
} from './payment-methods.ts'

const asksOwner: CardDecline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}
const requiresAuthentication = ({ authenticate }: TestCard, isSetUp: boolean, offSession: boolean) =>
  authenticate === 'always' || (authenticate === 'once' && !(offSession && isSetUp)) || (authenticate === 'on-session' && !offSession)

/**
 * Asks the bank for a payment. The intent becomes `succeeded`, or `requires_action` if the cardholder is present and has to authenticate.
 * @throws StripeError (402) if the bank declines; the failed charge is still recorded
 */
export function attemptPaymentIntentCharge(
  store: SandboxStore,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  o: { offSession?: boolean; returnUrl?: string; origin: string; authenticated?: boolean },
) {
  const { card, setUp: isSetUp } = testCardBehaviorOf(store, method.id)
  const challenge = !o.authenticated && requiresAuthentication(card, isSetUp, o.offSession ?? false)
  if (challenge && !o.offSession) {
    const waiting = store.put('payment_intent', {
      ...intent,
      status: 'requires_action',
      payment_method: method.id,
      last_payment_error: null,
      next_action: cardAuthenticationNextAction(intent, o),
    })
    emitStripeEvent(store, 'payment_intent.requires_action', waiting)
    return waiting
  }
  const no = challenge ? asksOwner : card.charge
  const charge = addCharge(store, intent, method, card, no, o.authenticated ?? false)
  if (no) throw refuse(store, { ...intent, latest_charge: charge.id }, method, no)
  const paid = store.put('payment_intent', {
    ...intent,
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
  })
  emitStripeEvent(store, 'payment_intent.succeeded', paid)
  if (intent.setup_future_usage && intent.customer) {
    setCustomerOfPaymentMethod(store, method, intent.customer as string)
    markPaymentMethodSetUpForFutureUse(store, method.id)
  } else if (!method.customer) markPaymentMethodUnusable(store, method.id)
  if (card.disputed) openDispute(store, charge.id, 'fraudulent')
  return paid
}

/** Records that the bank declined or the cardholder did not authenticate, and returns the error. The intent then needs another card. */
function refuse(store: SandboxStore, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, why: CardDecline) {
  const charge = (intent.latest_charge as string | null) ?? undefined
  const failed = store.put('payment_intent', {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: { ...why, type: 'card_error', payment_method: method, ...(charge && { charge }) },
  })
  emitStripeEvent(store, 'payment_intent.payment_failed', failed)
  return cardDeclinedError(why, { ...(charge && { charge }), payment_intent: failed, payment_method: method })
}

/** Continues a payment after the cardholder has authenticated, or failed to, on the bank's page. */
export function resumePaymentIntentAfterAuthentication(
  store: SandboxStore,
  intent: Stripe.PaymentIntent,
  authenticated: boolean,
  origin: string,
) {
  const method = store.get('payment_method', intent.payment_method as string)!
  if (!authenticated) throw refuse(store, intent, method, failedAuthenticationDecline('payment_intent'))
  return attemptPaymentIntentCharge(store, intent, method, { origin, authenticated })
}

const creation = z.strictObject({
  amount: integerParameter,
  currency: currencyParameter,
  customer: textParameter.optional(),
  payment_method: textParameter.optional(),
  allowed_payment_method_types: z.array(textParameter).optional(),
  automatic_payment_methods: z.object({ enabled: booleanParameter, allow_redirects: textParameter.optional() }).optional(),
  confirm: booleanParameter.default(false),
  off_session: booleanParameter.optional(),
  return_url: z.url().optional(),
  description: textParameter.optional(),
  receipt_email: textParameter.optional(),
  metadata: metadataParameter,
  transfer_group: textParameter.optional(),
  setup_future_usage: z.enum(['on_session', 'off_session']).optional(),
})

export const createPaymentIntent: ApiHandler = call => {
  const intentInput = validateParameters(creation, call.form)
  const { confirm, off_session, payment_method, return_url } = intentInput
  if (intentInput.allowed_payment_method_types && intentInput.automatic_payment_methods)
    throw invalidRequest('You may only specify one of these parameters: allowed_payment_method_types, automatic_payment_methods.')
  for (const param of ['off_session', 'return_url'] as const)
    if (!confirm && intentInput[param] !== undefined) throw invalidRequest(`You may only use ${param} with confirm.`, undefined, param)
  if (confirm && !payment_method)
    throw invalidRequest('You cannot confirm this PaymentIntent because it is missing a payment method.', 'payment_intent_unexpected_state')
  const dynamic = !intentInput.allowed_payment_method_types && intentInput.automatic_payment_methods?.allow_redirects !== 'never'
  if (confirm && dynamic && !return_url && !off_session)
    throw invalidRequest('This PaymentIntent is configured to accept payment methods that redirect: you must provide a `return_url`.')
  if (intentInput.customer) customerOf(call.store, intentInput.customer)
  const method = payment_method ? paymentMethodByIdOrTestCardToken(call.store, payment_method) : undefined
  if (method) assertPaymentMethodUsable(call.store, method, intentInput.customer ?? null)
  const intent = addPaymentIntent(call.store, intentInput)
  if (!method) return intent
  if (confirm)
    return attemptPaymentIntentCharge(call.store, intent, method, {
      offSession: off_session,
      origin: call.origin,
      ...(return_url && { returnUrl: return_url }),
    })
  return call.store.put('payment_intent', { ...intent, payment_method: method.id, status: 'requires_confirmation' })
}

export const confirmPaymentIntent: ApiHandler = ({ store, form, at: [id], origin }: SandboxApiCall) => {
  const confirmationInput = validateParameters(
    z.strictObject({ payment_method: textParameter.optional(), off_session: booleanParameter.optional(), return_url: z.url().optional() }),
    form,
  )
  const intent = findPaymentIntentOrThrow(store, id!)
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpectedIntentStatusError(intent, 'confirm')
  const named = confirmationInput.payment_method ?? (intent.payment_method as string | null)
  if (!named)
    throw invalidRequest('You cannot confirm this PaymentIntent because it is missing a payment method.', 'payment_intent_unexpected_state')
  const method = paymentMethodByIdOrTestCardToken(store, named)
  assertPaymentMethodUsable(store, method, intent.customer as string | null)
  return attemptPaymentIntentCharge(store, intent, method, {
    offSession: confirmationInput.off_session,
    origin,
    ...(confirmationInput.return_url && { returnUrl: confirmationInput.return_url }),
  })
}
