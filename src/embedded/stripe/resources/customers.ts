import type Stripe from 'stripe'
import { z } from 'zod'
import type { ApiHandler } from '../api-handler-types.ts'
import { pageOfList, searchAndPaginate } from '../paginate-lists-and-searches.ts'
import { newStripeId, type SandboxStore, wallClockSeconds } from '../store.ts'
import { noSuchObject } from '../stripe-error.ts'
import { metadataParameter, textParameter, validateParameters } from '../validate-parameters.ts'
import { emitStripeEvent } from './events.ts'

const details = z.strictObject({
  metadata: metadataParameter,
  email: z.email().optional(),
  name: textParameter.optional(),
  phone: textParameter.optional(),
  description: textParameter.optional(),
})
/** An empty address removes the stored one. The product never sends any other value, because hosted pages collect addresses. */
const changedDetails = details.extend({ address: z.literal('').optional() })

export const createCustomer: ApiHandler = ({ store, form }) => {
  const customerInput = validateParameters(details, form)
  const customer: Stripe.Customer = {
    id: newStripeId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: wallClockSeconds(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: customerInput.description ?? null,
    discount: null,
    email: customerInput.email ?? null,
    invoice_prefix: null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: customerInput.metadata ?? {},
    name: customerInput.name ?? null,
    next_invoice_sequence: 1,
    phone: customerInput.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
  store.put('customer', customer)
  emitStripeEvent(store, 'customer.created', customer)
  return customer
}

/** @throws StripeError if there is no such customer; `param` is the parameter's name in the request */
export function customerOf(store: SandboxStore, id: string, param = 'customer') {
  const found = store.get('customer', id)
  if (!found) throw noSuchObject('customer', id, param, param === 'id' ? 404 : 400)
  return found
}

/** Stores the address that a hosted page collected, and records the event `customer.updated`. */
export function setCustomerAddress(store: SandboxStore, id: string, address: Stripe.Address) {
  emitStripeEvent(store, 'customer.updated', store.put('customer', { ...customerOf(store, id), address }))
}

export const retrieveCustomer: ApiHandler = ({ store, at: [id] }) => customerOf(store, id!, 'id')
export const updateCustomer: ApiHandler = ({ store, form, at: [id] }) => {
  const before = customerOf(store, id!, 'id')
  const { metadata: added, address, ...asked } = validateParameters(changedDetails, form)
  const removed = address === '' && { address: null }
  const customer = store.put('customer', { ...before, ...asked, ...removed, metadata: { ...before.metadata, ...added } })
  emitStripeEvent(store, 'customer.updated', customer)
  return customer
}
export const listCustomers: ApiHandler = call => pageOfList(call, call.store.all('customer'), { email: c => c.email })
export const searchCustomers: ApiHandler = call => searchAndPaginate(call, call.store.all('customer'))
