import type Stripe from 'stripe'
import type { Decline } from '../cards.ts'

type Intent = Stripe.PaymentIntent | Stripe.SetupIntent

/** What the card's owner has to do next: authenticate, at their bank's page where whoever asks can take them there. */
export const askForAuthentication = ({ id, client_secret }: Intent, { origin, returnUrl }: { origin: string; returnUrl?: string }) =>
  returnUrl
    ? {
        type: 'redirect_to_url' as const,
        redirect_to_url: { return_url: returnUrl, url: `${origin}/3ds/${id}/${client_secret!.split('_secret_')[1]}` },
      }
    : { type: 'use_stripe_sdk' as const, use_stripe_sdk: {} }

/** The owner did not. */
export const notAuthenticated = (of: Intent['object']): Decline => ({
  code: `${of}_authentication_failure`,
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
})
