import type Stripe from 'stripe'
import { CURRENCY, createCheckoutPage, type HostedPage, type HostedPageRequest, stripeIdOf, withGatewayErrors } from './client.ts'

type Metadata = Record<string, string>

/**
 * A paid sale on a hosted page. Amounts are in cents. `at`: when the page was created, ISO 8601. `refunded`: the charge's refunds so far.
 */
export interface PaidCheckoutSale {
  session: string
  payer: string
  charge: string
  amount: number
  refunded: number
  at: string
  metadata: Metadata
}

export interface HostedSalesGateway {
  /** Sells something on a hosted page. `fetchCheckout` returns `metadata` again; `returnUrl` gets `session=…` appended. */
  checkout(visit: HostedPageRequest & { item: { name: string; amount: number }; metadata: Metadata }): Promise<HostedPage>
  fetchCheckout(session: string): Promise<{
    paid: boolean
    payer: string
    customer: string
    intent: string | null
    charge: string | null
    amount: number
    /** The card that paid; null if nothing was paid, or if Stripe does not name the card. */
    card: { brand: string; last4: string } | null
    metadata: Metadata
  }>
  /** Paid sales on hosted pages that were created since a time, newest first. */
  salesSince(since: Date): Promise<PaidCheckoutSale[]>
  /** The id of the hosted page whose sale this payment intent paid for; null if there is none. */
  saleOf(intent: string): Promise<string | null>
}

export const stripeHostedSales = (stripe: Stripe): HostedSalesGateway => ({
  async checkout({ item, metadata: about, ...visit }) {
    const metadata = { ...about, player: visit.payer }
    return createCheckoutPage(stripe, visit, 'session', {
      mode: 'payment',
      metadata,
      payment_intent_data: { metadata },
      line_items: [{ quantity: 1, price_data: { currency: CURRENCY, unit_amount: item.amount, product_data: { name: item.name } } }],
    })
  },
  async fetchCheckout(session) {
    const checkoutSession = await withGatewayErrors(
      stripe.checkout.sessions.retrieve(session, { expand: ['payment_intent.latest_charge'] }),
    )
    const intent = checkoutSession.payment_intent as Stripe.PaymentIntent | null
    const charge = (intent?.latest_charge ?? null) as Stripe.Charge | null
    const card = charge?.payment_method_details?.card
    return {
      paid: checkoutSession.payment_status === 'paid',
      payer: checkoutSession.client_reference_id!,
      customer: stripeIdOf(checkoutSession.customer)!,
      intent: intent?.id ?? null,
      charge: charge?.id ?? null,
      amount: checkoutSession.amount_total ?? 0,
      card: card?.brand && card.last4 ? { brand: card.brand, last4: card.last4 } : null,
      metadata: checkoutSession.metadata ?? {},
    }
  },
  async salesSince(since) {
    const sales: PaidCheckoutSale[] = []
    const list = stripe.checkout.sessions.list({
      created: { gte: Math.floor(since.getTime() / 1000) },
      status: 'complete',
      limit: 100,
      expand: ['data.payment_intent.latest_charge'],
    })
    await withGatewayErrors(
      list.autoPagingEach(page => {
        const intent = page.payment_intent as Stripe.PaymentIntent | null
        const charge = (intent?.latest_charge ?? null) as Stripe.Charge | null
        if (page.payment_status !== 'paid' || !charge || !page.client_reference_id) return
        sales.push({
          session: page.id,
          payer: page.client_reference_id,
          charge: charge.id,
          amount: page.amount_total ?? 0,
          refunded: charge.amount_refunded,
          at: new Date(page.created * 1000).toISOString(),
          metadata: page.metadata ?? {},
        })
      }),
    )
    return sales
  },
  async saleOf(intent) {
    return (await withGatewayErrors(stripe.checkout.sessions.list({ payment_intent: intent }))).data[0]?.id ?? null
  },
})
