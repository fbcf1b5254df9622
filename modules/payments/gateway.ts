import type { Logger } from '../kernel/logger.ts'
import { type Cards, cards } from './stripe/cards.ts'
import { type Charges, charges } from './stripe/charges.ts'
import { type CheckoutSales, checkoutSales } from './stripe/checkout-sales.ts'
import { connectStripe } from './stripe/client.ts'
import { type Payouts, payouts } from './stripe/payouts.ts'
import { type Refunds, refunds } from './stripe/refunds.ts'
import { type Webhooks, webhooks } from './stripe/webhook-verification.ts'

/**
 * The payment provider's interface: integer cents of US dollars, string ids, ISO times. Every method may throw `OutcomeUnknown`,
 * `RetryLater` or `RejectedRequest`.
 */
export interface PaymentGateway extends Cards, Charges, CheckoutSales, Refunds, Payouts, Webhooks {}

/** Where a bank's page leads back to in a program without pages of its own. */
const NOWHERE = 'https://example.com'

/** The one place that talks to Stripe. `webhookSecret` may hold several, separated by commas; `url` and `timeout` are those of `connectStripe`. `origin`: where people reach us and come back to from their bank's page. */
export function stripeGateway(config: {
  secretKey: string
  webhookSecret: string
  origin?: string
  url?: string
  timeout?: number
  log?: Logger
}): PaymentGateway {
  const stripe = connectStripe(config)
  return {
    ...cards(stripe),
    ...charges(stripe, config.origin ?? NOWHERE),
    ...checkoutSales(stripe),
    ...refunds(stripe),
    ...payouts(stripe),
    ...webhooks(stripe, config.webhookSecret),
  }
}
