import type Stripe from 'stripe'
import type { CardDecline } from '../test-cards.ts'

type Intent = Stripe.PaymentIntent | Stripe.SetupIntent

/**
 * The `next_action` of an intent whose cardholder has to authenticate: a redirect to the bank's page if the caller gave a URL to return to,
 * otherwise authentication by Stripe's script.
 */
export const cardAuthenticationNextAction = (
  { id, client_secret }: Intent,
  { origin, returnUrl }: { origin: string; returnUrl?: string },
) =>
  returnUrl
    ? {
        type: 'redirect_to_url' as const,
        redirect_to_url: { return_url: returnUrl, url: `${origin}/3ds/${id}/${client_secret!.split('_secret_')[1]}` },
      }
    : { type: 'use_stripe_sdk' as const, use_stripe_sdk: {} }

/** The decline for a cardholder who did not authenticate. */
export const failedAuthenticationDecline = (of: Intent['object']): CardDecline => ({
  code: `${of}_authentication_failure`,
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
})
