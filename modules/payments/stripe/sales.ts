import type Stripe from 'stripe'
import { CURRENCY, fromStripe, hostedPage, idOf, type Page, type Visit } from './client.ts'

type Metadata = Record<string, string>

/** What is sold on a page of Stripe's. */
export interface Sales {
  /** Sells something on a hosted page. `metadata` comes back with `checkoutDone`; `returnUrl` gets `session=…` appended. */
  checkout(visit: Visit & { item: { name: string; amount: number }; metadata: Metadata }): Promise<Page>
  checkoutDone(session: string): Promise<{
    paid: boolean
    player: string
    customer: string
    intent: string | null
    charge: string | null
    amount: number
    metadata: Metadata
  }>
}

export const sales = (stripe: Stripe): Sales => ({
  async checkout({ item, metadata: about, ...visit }) {
    const metadata = { ...about, player: visit.player }
    return hostedPage(stripe, visit, 'session', {
      mode: 'payment',
      metadata,
      payment_intent_data: { metadata },
      line_items: [{ quantity: 1, price_data: { currency: CURRENCY, unit_amount: item.amount, product_data: { name: item.name } } }],
    })
  },
  async checkoutDone(session) {
    const found = await fromStripe(stripe.checkout.sessions.retrieve(session, { expand: ['payment_intent'] }))
    const intent = found.payment_intent as Stripe.PaymentIntent | null
    return {
      paid: found.payment_status === 'paid',
      player: found.client_reference_id!,
      customer: idOf(found.customer)!,
      intent: intent?.id ?? null,
      charge: idOf(intent?.latest_charge),
      amount: found.amount_total ?? 0,
      metadata: found.metadata ?? {},
    }
  },
})
