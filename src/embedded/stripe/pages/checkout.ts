import type Stripe from 'stripe'
import { findCheckoutSessionOrThrow, markCheckoutSessionComplete } from '../resources/checkout-sessions.ts'
import { attemptPaymentIntentCharge } from '../resources/payment-intent-confirmation.ts'
import { addPaymentIntent, findPaymentIntentOrThrow } from '../resources/payment-intents.ts'
import { createUnattachedPaymentMethod } from '../resources/payment-methods.ts'
import { attemptSetupIntent, setupIntentOf } from '../resources/setup-intents.ts'
import type { CheckoutSessionRecord, SandboxStore } from '../store.ts'
import { StripeError } from '../stripe-error.ts'
import { testCards } from '../test-cards.ts'
import {
  billingCountries,
  type CardErrors,
  type CardFormValues,
  cardFormValuesFrom,
  emptyCardFormValues,
  testBillingAddress,
  validateCardForm,
} from './card-form-validation.ts'
import { htmlSelectField, renderFormField } from './form-field.ts'
import { formatMoney, html, type SafeHtml, spacedCardNumber } from './html-template-and-formatting.ts'
import { noticePage, type SandboxPageRequest, type SandboxPageResponse } from './page-request-and-response.ts'

/** The page where a person enters a card, to save it or to pay with it. */
export function handleCheckoutPage(visit: SandboxPageRequest): SandboxPageResponse {
  const record = findCheckoutSessionOrThrow(visit.store, visit.at[0]!)
  const over = finished(record)
  if (over) return over
  if (visit.method === 'GET') return show(record, emptyCardFormValues)
  const given = cardFormValuesFrom(visit.form)
  const fill = visit.form.get('fill')
  if (fill)
    return show(record, {
      ...(given.line1 ? given : testBillingAddress),
      number: spacedCardNumber(fill),
      expiry: given.expiry || '12 / 34',
      cvc: fill.startsWith('3') ? '1234' : '123',
      name: given.name || 'Test Card',
    })
  const needsAddress = asksForAddress(record)
  const { card, errors } = validateCardForm(given, { needsAddress })
  if (!card) return show(record, given, errors)
  const { country, line1, city, state, postal } = given
  const address = needsAddress ? { country, line1, line2: null, city, state: state || null, postal_code: postal } : null
  try {
    const next = visit.store.transaction(() => {
      const method = createUnattachedPaymentMethod(visit.store, card.test, { expires: card.expires, name: given.name, address })
      return record.session.mode === 'setup' ? save(visit, record, method) : pay(visit, record, method)
    })
    return next ? { redirect: next } : handleBankPageReturn(visit)
  } catch (e) {
    if (!(e instanceof StripeError)) throw e
    return show(findCheckoutSessionOrThrow(visit.store, record.id), given, { number: e.message })
  }
}

/**
 * Completes the session if its intent has succeeded, and otherwise shows the form again. Called when the browser returns from the bank's
 * page, or immediately if the bank requires no authentication.
 */
export function handleBankPageReturn(visit: SandboxPageRequest): SandboxPageResponse {
  const { store } = visit
  const record = findCheckoutSessionOrThrow(store, visit.at[0]!)
  const over = finished(record)
  if (over) return over
  const { session } = record
  const { mode, setup_intent, payment_intent } = session
  const made =
    mode === 'setup'
      ? setupIntentOf(store, setup_intent as string)
      : payment_intent
        ? findPaymentIntentOrThrow(store, payment_intent as string)
        : null
  if (made?.status !== 'succeeded') {
    const error = made && ('last_setup_error' in made ? made.last_setup_error : made.last_payment_error)
    return show(record, emptyCardFormValues, error ? { number: error.message ?? 'Your card was declined.' } : {})
  }
  const { name, address } = store.get('payment_method', made.payment_method as string)!.billing_details
  const customer = session.customer ? store.get('customer', session.customer as string) : undefined
  const paid = mode === 'payment' ? { intent: made.id } : {}
  store.transaction(() =>
    markCheckoutSessionComplete(store, record, { ...paid, name, address, email: customer?.email ?? session.customer_email }),
  )
  return { redirect: backTo(session) }
}

const backTo = (session: Stripe.Checkout.Session) => session.success_url!.replaceAll('{CHECKOUT_SESSION_ID}', session.id)

/** The URL of the bank's page; null if the intent needs no authentication. */
const bankPage = (intent: Stripe.SetupIntent | Stripe.PaymentIntent) => intent.next_action?.redirect_to_url?.url ?? null

function save({ store, origin }: SandboxPageRequest, { id, session }: CheckoutSessionRecord, method: Stripe.PaymentMethod) {
  const setup = setupIntentOf(store, session.setup_intent as string)
  return bankPage(attemptSetupIntent(store, setup, method, { origin, returnUrl: `${origin}/c/pay/${id}/return` }))
}

function pay({ store, origin }: SandboxPageRequest, record: CheckoutSessionRecord, method: Stripe.PaymentMethod) {
  const { id, session } = record
  const before = session.payment_intent && findPaymentIntentOrThrow(store, session.payment_intent as string)
  const intent =
    before ||
    addPaymentIntent(store, {
      amount: session.amount_total!,
      ...record.intentData,
      ...(session.customer && { customer: session.customer as string }),
    })
  if (!before) store.put('session', { ...record, session: { ...session, payment_intent: intent.id } })
  return bankPage(attemptPaymentIntentCharge(store, intent, method, { origin, returnUrl: `${origin}/c/pay/${id}/return` }))
}

function finished({ session }: CheckoutSessionRecord): SandboxPageResponse | undefined {
  const back = session.cancel_url && { href: session.cancel_url, label: 'Go back' }
  if (session.status === 'complete')
    return noticePage('All done', session.mode === 'setup' ? 'This card was saved.' : 'This was paid.', {
      link: { href: backTo(session), label: 'Continue' },
    })
  if (session.status === 'expired')
    return noticePage('This page has expired', 'Nothing was charged. Go back and start again.', {
      status: 410,
      ...(back && { link: back }),
    })
}

/** Unless the session requires an address, Stripe's page asks for one only if the payment needs it. In the sandbox none does. */
const asksForAddress = ({ session }: CheckoutSessionRecord) => session.billing_address_collection === 'required'

function show(record: CheckoutSessionRecord, given: CardFormValues, errors: CardErrors = {}): SandboxPageResponse {
  const { session, items } = record
  const setup = session.mode === 'setup'
  const wrong = Object.keys(errors)[0]
  const input = (name: keyof CardFormValues, label: string, more: string) =>
    renderFormField({ name, label, value: given[name], more, focus: wrong === name, ...(errors[name] && { error: errors[name] }) })
  const body = html`<main class="checkout">
    <section class="summary">
      ${session.cancel_url && html`<a class="back" href="${session.cancel_url}">← Back to DiamondLink</a>`}
      <h1>${setup ? 'Save a card' : 'Pay DiamondLink'}</h1>
      ${
        setup
          ? html`<p class="soft">Your card is kept for later. You pay only after your instructor gives feedback.</p>`
          : html`<p class="total">${formatMoney(session.amount_total)}</p>
            <ul class="items">${items.map(
              i =>
                html`<li><span>${i.name}${i.quantity > 1 && ` × ${i.quantity}`}</span> <span>${formatMoney(i.amount * i.quantity)}</span></li>`,
            )}</ul>`
      }
    </section>
    <form class="card" method="post" id="card" novalidate>
      <h2>Card details</h2>
      ${Object.keys(errors).length > 1 && html`<p class="alert" role="alert">Check the fields marked below.</p>`}
      ${input('number', 'Card number', 'inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="24"')}
      <div class="pair">
        ${input('expiry', 'Expires (MM / YY)', 'inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY" maxlength="9"')}
        ${input('cvc', 'Security code', 'inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" maxlength="4"')}
      </div>
      ${input('name', 'Name on card', 'autocomplete="cc-name" maxlength="100"')}
      ${asksForAddress(record) && billingAddressFields(given, errors, input)}
      <button class="button">${setup ? 'Save card' : `Pay ${formatMoney(session.amount_total)}`}</button>
      <p class="hint">${
        setup ? 'By saving your card you allow DiamondLink to charge it for later feedback.' : 'Only test cards are taken here.'
      }</p>
    </form>
    <section class="tests" aria-labelledby="tests">
      <h2 id="tests">Test cards</h2>
      <p class="hint">Choose one to fill in the form.</p>
      <ul>${testCards
        .filter(c => c.listed)
        .map(
          c =>
            html`<li><button form="card" name="fill" value="${c.number}"><b>${spacedCardNumber(c.number)}</b> <span>${c.does}</span></button></li>`,
        )}</ul>
    </section>
  </main>`
  return { title: setup ? 'Save a card' : 'Pay', body, status: wrong ? 422 : 200, leadsTo: [session.success_url] }
}

function billingAddressFields(
  { country }: CardFormValues,
  errors: CardErrors,
  input: (name: keyof CardFormValues, label: string, more: string) => SafeHtml,
) {
  const names = Object.fromEntries(Object.entries(billingCountries).map(([code, { name }]) => [code, name]))
  return html`<h2>Billing address</h2>
    ${htmlSelectField({ name: 'country', label: 'Country', value: country, more: 'autocomplete="billing country"', error: errors.country }, names)}
    ${input('line1', 'Address', 'autocomplete="billing address-line1" maxlength="100"')}
    ${input('city', 'City', 'autocomplete="billing address-level2" maxlength="100"')}
    <div class="pair">
      ${input('state', 'State or province', 'autocomplete="billing address-level1" maxlength="40"')}
      ${input('postal', 'ZIP or postal code', 'autocomplete="billing postal-code" maxlength="12"')}
    </div>`
}

/** The checkout session for which a setup or payment intent was created, or undefined. */
export const checkoutSessionOfIntent = (store: SandboxStore, intent: string) =>
  store.all('session').find(s => s.session.setup_intent === intent || s.session.payment_intent === intent)
