import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { ApiHandler } from '../api-handler-types.ts'
import { pageOfList } from '../paginate-lists-and-searches.ts'
import { newStripeId, type SandboxStore, wallClockSeconds } from '../store.ts'
import { invalidRequest, noSuchObject, StripeError } from '../stripe-error.ts'
import { type CardDecline, type TestCard, testCardByNumber, testCardByToken } from '../test-cards.ts'
import { textParameter, validateParameters } from '../validate-parameters.ts'
import { customerOf } from './customers.ts'
import { emitStripeEvent } from './events.ts'

/** Creates a payment method for a card that a person entered or a test named. It belongs to no customer yet. */
export function createUnattachedPaymentMethod(
  store: SandboxStore,
  card: TestCard,
  {
    expires = { month: 12, year: 2034 },
    name = null,
    address = null,
  }: { expires?: { month: number; year: number }; name?: string | null; address?: Stripe.Address | null } = {},
) {
  const method: Stripe.PaymentMethod = {
    id: newStripeId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address, email: null, name, phone: null, tax_id: null },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand,
      exp_month: expires.month,
      exp_year: expires.year,
      fingerprint: createHash('sha256').update(card.number).digest('hex').slice(0, 16),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: wallClockSeconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  store.put('vault', { id: method.id, number: card.number, setUp: card.authenticate === 'on-session', detached: false })
  return store.put('payment_method', method)
}

/** Returns the payment method with this id, or a new one if the id is the token of a test card (`pm_card_visa`). */
export function paymentMethodByIdOrTestCardToken(store: SandboxStore, id: string, param = 'payment_method') {
  const card = testCardByToken(id)
  const found = card ? createUnattachedPaymentMethod(store, card) : store.get('payment_method', id)
  if (!found) throw noSuchObject('PaymentMethod', id, param, param === 'id' ? 404 : 400)
  return found
}

/** How a payment method behaves, whether it was authenticated for future charges, and whether it can no longer be used (`detached`). */
export function testCardBehaviorOf(store: SandboxStore, method: string): { card: TestCard; setUp: boolean; detached: boolean } {
  const vault = store.get('vault', method)!
  return { card: testCardByNumber(vault.behavesAs ?? vault.number)!, setUp: vault.setUp, detached: vault.detached }
}

/** Makes a saved card behave like another test card from now on. @throws StripeError if there is no such payment method or test card */
export function setCardBehavior(store: SandboxStore, method: string, number: string) {
  const vault = store.get('vault', method)
  if (!vault) throw noSuchObject('PaymentMethod', method)
  if (!testCardByNumber(number)) throw invalidRequest(`No such test card: '${number}'`)
  store.put('vault', { ...vault, behavesAs: number, setUp: testCardByNumber(number)!.authenticate === 'on-session' })
}

export const cardDeclinedError = ({ message, ...why }: CardDecline, more: StripeError['details'] = {}) =>
  new StripeError(402, 'card_error', message, { ...why, ...more })

const ALREADY_USED_MESSAGE =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.'

/** @throws StripeError unless this customer may use this payment method */
export function assertPaymentMethodUsable(store: SandboxStore, method: Stripe.PaymentMethod, customer: string | null) {
  if (testCardBehaviorOf(store, method.id).detached) throw invalidRequest(ALREADY_USED_MESSAGE)
  if (method.customer && customer === null)
    throw invalidRequest(
      `The PaymentMethod supplied (${method.id}) belongs to a Customer. Please include the Customer in the \`customer\` parameter.`,
      undefined,
      'payment_method',
    )
  if (method.customer && method.customer !== customer)
    throw invalidRequest(
      `The PaymentMethod ${method.id} does not belong to the Customer you supplied ${customer}. Please use this PaymentMethod with the Customer that it belongs to instead.`,
      undefined,
      'payment_method',
    )
}

export function setCustomerOfPaymentMethod(store: SandboxStore, method: Stripe.PaymentMethod, customer: string) {
  if (method.customer === customer) return method
  const attached = store.put('payment_method', { ...method, customer })
  emitStripeEvent(store, 'payment_method.attached', attached)
  return attached
}
/** Records that the cardholder agreed to future charges. */
export const markPaymentMethodSetUpForFutureUse = (store: SandboxStore, method: string) =>
  store.put('vault', { ...store.get('vault', method)!, setUp: true })
export const markPaymentMethodUnusable = (store: SandboxStore, method: string) =>
  store.put('vault', { ...store.get('vault', method)!, detached: true })

export const retrievePaymentMethod: ApiHandler = ({ store, at: [id] }) => {
  const found = store.get('payment_method', id!)
  if (!found) throw noSuchObject('PaymentMethod', id!)
  return found
}
export const listPaymentMethods: ApiHandler = call =>
  pageOfList(call, call.form.customer ? call.store.all('payment_method') : [], { customer: m => m.customer, type: m => m.type })
export const listPaymentMethodsOfCustomer: ApiHandler = call => {
  const customer = customerOf(call.store, call.at[0]!, 'id').id
  return pageOfList(
    call,
    call.store.all('payment_method').filter(m => m.customer === customer),
    { type: m => m.type },
  )
}

export const attachPaymentMethod: ApiHandler = ({ store, form, at: [id] }) => {
  const { customer } = validateParameters(z.strictObject({ customer: textParameter }), form)
  const owner = customerOf(store, customer).id
  const method = paymentMethodByIdOrTestCardToken(store, id!, 'id')
  if (testCardBehaviorOf(store, method.id).detached) throw invalidRequest(ALREADY_USED_MESSAGE)
  if (method.customer && method.customer !== owner)
    throw invalidRequest('The payment method you provided has already been attached to a customer.')
  const { save } = testCardBehaviorOf(store, method.id).card
  if (save) throw cardDeclinedError(save)
  return setCustomerOfPaymentMethod(store, method, owner)
}
export const detachPaymentMethod: ApiHandler = ({ store, form, at: [id] }) => {
  validateParameters(z.strictObject({}), form)
  const method = store.get('payment_method', id!)
  if (!method) throw noSuchObject('PaymentMethod', id!)
  if (!method.customer) throw invalidRequest('The payment method you provided is not attached to a customer so detachment is impossible.')
  markPaymentMethodUnusable(store, method.id)
  const detached = store.put('payment_method', { ...method, customer: null })
  emitStripeEvent(store, 'payment_method.detached', detached)
  return detached
}
