import type Stripe from 'stripe'
import { z } from 'zod'
import type { ApiHandler } from '../api-handler-types.ts'
import { pageOfList } from '../paginate-lists-and-searches.ts'
import { type CheckoutSessionRecord, newStripeId, type SandboxStore, wallClockSeconds } from '../store.ts'
import { invalidRequest, noSuchObject } from '../stripe-error.ts'
import { currencyParameter, integerParameter, metadataParameter, textParameter, validateParameters } from '../validate-parameters.ts'
import { customerOf, setCustomerAddress } from './customers.ts'
import { emitStripeEvent } from './events.ts'
import { addSetupIntent } from './setup-intents.ts'

const item = z.strictObject({
  quantity: integerParameter.pipe(z.number().min(1)).default(1),
  price_data: z.strictObject({
    currency: currencyParameter,
    unit_amount: integerParameter.pipe(z.number().min(0)),
    product_data: z.strictObject({ name: textParameter, description: textParameter.optional(), metadata: metadataParameter }),
  }),
})
const creation = z.strictObject({
  mode: z.enum(['payment', 'setup']),
  customer: textParameter.optional(),
  customer_email: textParameter.optional(),
  client_reference_id: textParameter.optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  customer_update: z.strictObject({ address: z.enum(['auto', 'never']).optional(), name: z.enum(['auto', 'never']).optional() }).optional(),
  currency: currencyParameter.optional(),
  allowed_payment_method_types: z.array(textParameter).optional(),
  line_items: z.array(item).min(1).optional(),
  metadata: metadataParameter,
  setup_intent_data: z.strictObject({ metadata: metadataParameter, description: textParameter.optional() }).optional(),
  payment_intent_data: z
    .strictObject({
      metadata: metadataParameter,
      transfer_group: textParameter.optional(),
      description: textParameter.optional(),
      setup_future_usage: z.enum(['on_session', 'off_session']).optional(),
    })
    .optional(),
  success_url: textParameter,
  cancel_url: textParameter.optional(),
  expires_at: integerParameter.optional(),
  locale: textParameter.optional(),
  submit_type: textParameter.optional(),
  ui_mode: z.literal('hosted_page').optional(),
})

const DAY_SECONDS = 86_400

export const createCheckoutSession: ApiHandler = ({ store, form, origin }) => {
  const sessionInput = validateParameters(creation, form)
  const { mode, line_items = [], customer } = sessionInput
  const payment = mode === 'payment'
  if (payment && !line_items.length) throw invalidRequest('Missing required param: line_items.', 'parameter_missing', 'line_items')
  if (!payment && !sessionInput.currency && !sessionInput.allowed_payment_method_types)
    throw invalidRequest('Missing required param: currency.', 'parameter_missing', 'currency')
  for (const param of ['success_url', 'cancel_url'] as const)
    if (sessionInput[param] && !(URL.canParse(sessionInput[param]) && /^https?:/.test(sessionInput[param])))
      throw invalidRequest('Not a valid URL', 'url_invalid', param)
  if (customer) customerOf(store, customer)
  else if (sessionInput.customer_update)
    throw invalidRequest('`customer_update` can only be used with `customer`.', 'parameter_missing', 'customer')
  const expires = sessionInput.expires_at ?? wallClockSeconds() + DAY_SECONDS
  if (expires < wallClockSeconds() + 1800 - 60 || expires > wallClockSeconds() + DAY_SECONDS + 60)
    throw invalidRequest('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', undefined, 'expires_at')
  const total = line_items.reduce((sum, l) => sum + l.quantity * l.price_data.unit_amount, 0)
  const id = newStripeId('cs_test', 58)
  const setup = payment ? null : addSetupIntent(store, { ...sessionInput.setup_intent_data, ...(customer && { customer }) })
  const session: Stripe.Checkout.Session = {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: sessionInput.allowed_payment_method_types ?? null,
    amount_subtotal: payment ? total : null,
    amount_total: payment ? total : null,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: sessionInput.billing_address_collection ?? null,
    cancel_url: sessionInput.cancel_url ?? null,
    client_reference_id: sessionInput.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: wallClockSeconds(),
    currency: payment ? 'usd' : (sessionInput.currency ?? null),
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: customer ?? null,
    customer_account: null,
    customer_creation: null,
    customer_details: null,
    customer_email: sessionInput.customer_email ?? null,
    discounts: payment ? [] : null,
    expires_at: expires,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: sessionInput.locale ?? null,
    managed_payments: null,
    metadata: sessionInput.metadata ?? {},
    mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: payment ? 'if_required' : 'always',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: payment && total > 0 ? 'unpaid' : 'no_payment_required',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: setup?.id ?? null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: sessionInput.submit_type ?? null,
    subscription: null,
    success_url: sessionInput.success_url,
    total_details: payment ? { amount_discount: 0, amount_shipping: 0, amount_tax: 0 } : null,
    ui_mode: 'hosted_page',
    url: `${origin}/c/pay/${id}`,
    wallet_options: null,
  }
  store.put('session', {
    id,
    session,
    items: line_items.map(l => ({
      name: l.price_data.product_data.name,
      amount: l.price_data.unit_amount,
      quantity: l.quantity,
    })),
    intentData: sessionInput.payment_intent_data ?? {},
    updatesCustomerAddress: sessionInput.customer_update?.address === 'auto',
  })
  return session
}

/** Returns a session, after expiring it if nobody completed it in time. @throws StripeError if there is no such session */
export function findCheckoutSessionOrThrow(store: SandboxStore, id: string): CheckoutSessionRecord {
  const record = store.get('session', id)
  if (!record) throw noSuchObject('checkout.session', id)
  if (record.session.status !== 'open' || record.session.expires_at > wallClockSeconds()) return record
  return store.transaction(() => expireRecord(store, record))
}
function expireRecord(store: SandboxStore, record: CheckoutSessionRecord) {
  const expired = store.put('session', { ...record, session: { ...record.session, status: 'expired', url: null } })
  emitStripeEvent(store, 'checkout.session.expired', expired.session)
  return expired
}

/** Completes a session after its card was saved or charged, and updates the customer's address if the session says so. */
export function markCheckoutSessionComplete(
  store: SandboxStore,
  record: CheckoutSessionRecord,
  o: { intent?: string; name: string | null; email: string | null; address: Stripe.Address | null },
) {
  const { session } = record
  const complete: Stripe.Checkout.Session = {
    ...session,
    status: 'complete',
    url: null,
    payment_status: session.mode === 'payment' ? 'paid' : 'no_payment_required',
    payment_intent: o.intent ?? null,
    customer_details: {
      address: o.address,
      business_name: null,
      email: o.email,
      individual_name: null,
      name: o.name,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
  }
  if (record.updatesCustomerAddress && session.customer && o.address) setCustomerAddress(store, session.customer as string, o.address)
  store.put('session', { ...record, session: complete })
  emitStripeEvent(store, 'checkout.session.completed', complete)
  return complete
}

export const retrieveCheckoutSession: ApiHandler = ({ store, at: [id] }) => findCheckoutSessionOrThrow(store, id!).session
export const expireCheckoutSession: ApiHandler = ({ store, at: [id] }) => {
  const record = findCheckoutSessionOrThrow(store, id!)
  if (record.session.status !== 'open')
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${record.session.status}.`,
    )
  return expireRecord(store, record).session
}
export const listCheckoutSessions: ApiHandler = call =>
  pageOfList(
    call,
    call.store.all('session').map(r => r.session),
    { customer: s => s.customer, payment_intent: s => s.payment_intent, status: s => s.status },
  )
export const listCheckoutLineItems: ApiHandler = call => {
  const { items, id } = findCheckoutSessionOrThrow(call.store, call.at[0]!)
  return pageOfList(
    call,
    items.map(({ name, amount, quantity }, i) => ({
      id: `li_${id.slice(8, 30)}${i}`,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount * quantity,
      amount_tax: 0,
      amount_total: amount * quantity,
      currency: 'usd',
      description: name,
      metadata: {},
      price: null,
      quantity,
    })),
  )
}
