import type Stripe from 'stripe'
import {
  createCheckoutPage,
  type HostedPage,
  type HostedPageRequest,
  StripeRejectedRequestError,
  stripeIdOf,
  withGatewayErrors,
} from './client.ts'

/** A saved card. `method` is the id of the payment method. */
export interface StripeCard {
  method: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

/** Customers, and the cards they have saved. */
export interface CardGateway {
  /** Creates a customer for a player or a guardian. The provider gets only the person's id. @returns the customer's id */
  customer(payer: string, key: string): Promise<string>

  /** Creates a hosted page where a player or a guardian enters a card. `returnUrl` gets `setup=<session>` appended. */
  setupPage(visit: HostedPageRequest): Promise<HostedPage>
  /**
   * The card that was saved on a hosted page; null if none has been saved there yet. A caller that acts for a signed-in person must check
   * that `payer` is that person.
   */
  fetchSetupCard(session: string): Promise<{ customer: string; payer: string; method: StripeCard } | null>
  /** The card, or null if it was removed. */
  card(method: string): Promise<StripeCard | null>
  /** The customer's cards, newest first. */
  cards(customer: string): Promise<StripeCard[]>
  /** Removes a saved card. Idempotent. */
  removeCard(method: string): Promise<void>
  /** Removes a customer's billing address. Idempotent. */
  removeAddress(customer: string): Promise<void>
}

const cardOf = (m: Stripe.PaymentMethod): StripeCard => ({
  method: m.id,
  brand: m.card!.brand,
  last4: m.card!.last4,
  expMonth: m.card!.exp_month,
  expYear: m.card!.exp_year,
})

export function stripeCards(stripe: Stripe): CardGateway {
  const card: CardGateway['card'] = async method => {
    const paymentMethod = await withGatewayErrors(stripe.paymentMethods.retrieve(method))
    return paymentMethod.customer ? cardOf(paymentMethod) : null
  }

  return {
    async customer(payer, key) {
      return (await withGatewayErrors(stripe.customers.create({ metadata: { player: payer } }, { idempotencyKey: key }))).id
    },

    async setupPage(visit) {
      const metadata = { player: visit.payer }
      return createCheckoutPage(stripe, visit, 'setup', { mode: 'setup', metadata, setup_intent_data: { metadata } })
    },
    async fetchSetupCard(session) {
      const checkoutSession = await withGatewayErrors(
        stripe.checkout.sessions.retrieve(session, { expand: ['setup_intent.payment_method'] }),
      )
      const setup = checkoutSession.setup_intent as Stripe.SetupIntent | null
      if (checkoutSession.mode !== 'setup' || setup?.status !== 'succeeded') return null
      const method = setup.payment_method as Stripe.PaymentMethod
      return { customer: stripeIdOf(checkoutSession.customer)!, payer: checkoutSession.client_reference_id!, method: cardOf(method) }
    },
    card,
    async cards(customer) {
      const { data } = await withGatewayErrors(stripe.paymentMethods.list({ customer, type: 'card', limit: 100 }))
      return data.map(cardOf)
    },
    async removeCard(method) {
      try {
        await withGatewayErrors(stripe.paymentMethods.detach(method))
      } catch (e) {
        if (!(e instanceof StripeRejectedRequestError) || (await card(method))) throw e
      }
    },
    async removeAddress(customer) {
      await withGatewayErrors(stripe.customers.update(customer, { address: '' }))
    },
  }
}
