import type Stripe from 'stripe'
import { z } from 'zod'
import type { ApiHandler } from '../api-handler-types.ts'
import { pageOfList } from '../paginate-lists-and-searches.ts'
import { newStripeId, type SandboxStore, wallClockSeconds } from '../store.ts'
import { invalidRequest, noSuchObject } from '../stripe-error.ts'
import type { CardDecline } from '../test-cards.ts'
import { booleanParameter, metadataParameter, textParameter, validateParameters } from '../validate-parameters.ts'
import { cardAuthenticationNextAction, failedAuthenticationDecline } from './card-authentication-next-action.ts'
import { customerOf } from './customers.ts'
import { emitStripeEvent } from './events.ts'
import {
  assertPaymentMethodUsable,
  cardDeclinedError,
  markPaymentMethodSetUpForFutureUse,
  paymentMethodByIdOrTestCardToken,
  setCustomerOfPaymentMethod,
  testCardBehaviorOf,
} from './payment-methods.ts'

export function addSetupIntent(store: SandboxStore, o: { customer?: string; description?: string; metadata?: Record<string, string> }) {
  if (o.customer) customerOf(store, o.customer)
  const id = newStripeId('seti')
  const setup: Stripe.SetupIntent = {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: ['card'],
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${newStripeId('', 25).slice(1)}`,
    created: wallClockSeconds(),
    customer: o.customer ?? null,
    customer_account: null,
    description: o.description ?? null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: o.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: 'off_session',
  }
  store.put('setup_intent', setup)
  emitStripeEvent(store, 'setup_intent.created', setup)
  return setup
}

/** Tries to save a card for later use. @throws StripeError (402) if the bank declines */
export function attemptSetupIntent(
  store: SandboxStore,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  o: { origin: string; returnUrl?: string; authenticated?: boolean },
) {
  const { card, setUp: isSetUp } = testCardBehaviorOf(store, method.id)
  if (card.save) throw refuse(store, setup, method, card.save)
  if (card.authenticate && !isSetUp && !o.authenticated) {
    const waiting = store.put('setup_intent', {
      ...setup,
      status: 'requires_action',
      payment_method: method.id,
      last_setup_error: null,
      next_action: cardAuthenticationNextAction(setup, o),
    })
    emitStripeEvent(store, 'setup_intent.requires_action', waiting)
    return waiting
  }
  markPaymentMethodSetUpForFutureUse(store, method.id)
  if (setup.customer) setCustomerOfPaymentMethod(store, method, setup.customer as string)
  const done = store.put('setup_intent', {
    ...setup,
    status: 'succeeded',
    payment_method: method.id,
    last_setup_error: null,
    next_action: null,
  })
  emitStripeEvent(store, 'setup_intent.succeeded', done)
  return done
}

/** Continues a setup after the cardholder has authenticated, or failed to, on the bank's page. */
export function resumeSetupIntentAfterAuthentication(
  store: SandboxStore,
  setup: Stripe.SetupIntent,
  authenticated: boolean,
  origin: string,
) {
  const method = store.get('payment_method', setup.payment_method as string)!
  if (authenticated) return attemptSetupIntent(store, setup, method, { origin, authenticated })
  throw refuse(store, setup, method, failedAuthenticationDecline('setup_intent'))
}

/** Records that the bank declined or the cardholder did not authenticate, and returns the error. The intent then needs another card. */
function refuse(store: SandboxStore, setup: Stripe.SetupIntent, method: Stripe.PaymentMethod, why: CardDecline) {
  const failed = store.put('setup_intent', {
    ...setup,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_setup_error: { ...why, type: 'card_error', payment_method: method },
  })
  emitStripeEvent(store, 'setup_intent.setup_failed', failed)
  return cardDeclinedError(why, { setup_intent: failed, payment_method: method })
}

const creation = z.strictObject({
  customer: textParameter.optional(),
  payment_method: textParameter.optional(),
  allowed_payment_method_types: z.array(textParameter).optional(),
  confirm: booleanParameter.default(false),
  return_url: z.url().optional(),
  usage: z.enum(['off_session', 'on_session']).optional(),
  description: textParameter.optional(),
  metadata: metadataParameter,
})
export const createSetupIntent: ApiHandler = ({ store, form, origin }) => {
  const setupInput = validateParameters(creation, form)
  if (setupInput.confirm && !setupInput.payment_method)
    throw invalidRequest('You cannot confirm this SetupIntent because it is missing a payment method.', 'setup_intent_unexpected_state')
  const method = setupInput.payment_method ? paymentMethodByIdOrTestCardToken(store, setupInput.payment_method) : undefined
  if (method) assertPaymentMethodUsable(store, method, setupInput.customer ?? null)
  const setup = addSetupIntent(store, setupInput)
  if (!method) return setup
  if (setupInput.confirm)
    return attemptSetupIntent(store, setup, method, { origin, ...(setupInput.return_url && { returnUrl: setupInput.return_url }) })
  return store.put('setup_intent', { ...setup, payment_method: method.id, status: 'requires_confirmation' })
}

export function setupIntentOf(store: SandboxStore, id: string) {
  const found = store.get('setup_intent', id)
  if (!found) throw noSuchObject('setupintent', id, 'intent')
  return found
}
export const confirmSetupIntent: ApiHandler = ({ store, form, at: [id], origin }) => {
  const asked = validateParameters(z.strictObject({ payment_method: textParameter.optional(), return_url: z.url().optional() }), form)
  const setup = setupIntentOf(store, id!)
  const named = asked.payment_method ?? (setup.payment_method as string | null)
  if (setup.status === 'succeeded' || setup.status === 'canceled' || !named)
    throw invalidRequest(`You cannot confirm this SetupIntent because it has a status of ${setup.status}.`, 'setup_intent_unexpected_state')
  const method = paymentMethodByIdOrTestCardToken(store, named)
  assertPaymentMethodUsable(store, method, setup.customer as string | null)
  return attemptSetupIntent(store, setup, method, { origin, ...(asked.return_url && { returnUrl: asked.return_url }) })
}
export const retrieveSetupIntent: ApiHandler = ({ store, at: [id] }) => setupIntentOf(store, id!)
export const listSetupIntents: ApiHandler = call =>
  pageOfList(call, call.store.all('setup_intent'), { customer: s => s.customer, payment_method: s => s.payment_method })
