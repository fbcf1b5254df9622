import { type Cards, cards } from './stripe/cards.ts'
import { type Charges, charges } from './stripe/charges.ts'
import { connectStripe } from './stripe/client.ts'
import { type Payouts, payouts } from './stripe/payouts.ts'
import { type Refunds, refunds } from './stripe/refunds.ts'
import { type Sales, sales } from './stripe/sales.ts'
import { type Webhooks, webhooks } from './stripe/webhooks.ts'

/**
 * The payment provider's interface: integer cents of US dollars, string ids, ISO times. Every method may throw `OutcomeUnknown`,
 * `RetryLater` or `RejectedRequest`.
 */
export interface Gateway extends Cards, Charges, Sales, Refunds, Payouts, Webhooks {}

/** The one place that talks to Stripe. `webhookSecret` may hold several, separated by commas; `url` and `timeout` are those of `connectStripe`. */
export function stripeGateway(config: { secretKey: string; webhookSecret: string; url?: string; timeout?: number }): Gateway {
  const stripe = connectStripe(config)
  return {
    ...cards(stripe),
    ...charges(stripe),
    ...sales(stripe),
    ...refunds(stripe),
    ...payouts(stripe),
    ...webhooks(stripe, config.webhookSecret),
  }
}
