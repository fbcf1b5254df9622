import type { Logger } from '../kernel/logger-interface.ts'
import { createStripeClient } from './stripe/client.ts'
import { type CardGateway, stripeCards } from './stripe/stripe-cards.ts'
import { type ChargeGateway, stripeCharges } from './stripe/stripe-charges.ts'
import { type HostedSalesGateway, stripeHostedSales } from './stripe/stripe-hosted-sales.ts'
import { type PayoutGateway, stripePayouts } from './stripe/stripe-payouts.ts'
import { type RefundAndDisputeGateway, stripeRefundsAndDisputes } from './stripe/stripe-refunds-and-disputes.ts'
import { stripeWebhooks, type WebhookGateway } from './stripe/webhook-verification.ts'

/**
 * Our interface to the payment provider: amounts are integer cents of US dollars, and times are ISO 8601. Every method may throw
 * `OutcomeUnknownError`, `RetryLaterError` or `StripeRejectedRequestError`.
 */
export interface PaymentGateway
  extends CardGateway,
    ChargeGateway,
    HostedSalesGateway,
    RefundAndDisputeGateway,
    PayoutGateway,
    WebhookGateway {}

/**
 * The only code that calls Stripe. `webhookSecret` may hold several secrets, separated by commas; `url` and `timeout` are those of
 * `createStripeClient`. `origin` is the origin of our site, to which people return from their bank's page.
 */
export function stripeGateway(config: {
  secretKey: string
  webhookSecret: string
  origin: string
  url?: string
  timeout?: number
  log?: Logger
}): PaymentGateway {
  const stripe = createStripeClient(config)
  return {
    ...stripeCards(stripe),
    ...stripeCharges(stripe, config.origin),
    ...stripeHostedSales(stripe),
    ...stripeRefundsAndDisputes(stripe),
    ...stripePayouts(stripe),
    ...stripeWebhooks(stripe, config.webhookSecret),
  }
}
