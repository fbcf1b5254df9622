import Stripe from 'stripe'
import type { Logger } from '../../kernel/logger-interface.ts'

/** The outcome is unknown: there was no response, or none that tells the outcome. */
export class OutcomeUnknownError extends Error {}
/** Nothing happened, and the same request may work later (too many requests, too little balance, or an API key that Stripe refuses). */
export class RetryLaterError extends Error {
  readonly code: string
  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
/** Nothing happened, and retrying will not help. */
export class StripeRejectedRequestError extends Error {
  readonly code: string
  readonly param?: string
  constructor(message: string, code: string, param?: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.param = param
  }
}
/** HTTP statuses for an API key that is invalid (401) or lacks a permission (403). The same request may work with another key. */
const KEY_REFUSED_STATUSES: (number | undefined)[] = [401, 403]
export const CURRENCY = 'usd'
const REQUEST_TIMEOUT_MS = 15_000

/** `url`: a server to use instead of Stripe's; it must speak the same API. `timeout`: for each request, in milliseconds. */
export function createStripeClient(config: { secretKey: string; url?: string; timeout?: number; log?: Logger }): Stripe {
  const at = config.url ? new URL(config.url) : undefined
  const stripe = new Stripe(config.secretKey, {
    apiVersion: '2026-10-28.endive',
    timeout: config.timeout ?? REQUEST_TIMEOUT_MS,
    maxNetworkRetries: 0, // The outbox retries, with the same idempotency key.
    telemetry: false,
    ...(at && { protocol: at.protocol === 'https:' ? 'https' : 'http', host: at.hostname, port: at.port || undefined }),
  })
  // Logs the path without its query, whose parameters may contain people's names.
  stripe.on('response', (answer: { method: string; path: string; status: number; elapsed: number; request_id: string }) => {
    const { method, path, status, elapsed, request_id } = answer
    const details = { method, path: path.split('?')[0], status, ms: elapsed, stripeRequest: request_id }
    config.log?.debug?.(details, 'Stripe answered')
    if (KEY_REFUSED_STATUSES.includes(status)) config.log?.error(details, 'Stripe refused our API key')
  })
  return stripe
}

/** The id in a Stripe field that holds an id or the expanded object; null if the field is empty. */
export const stripeIdOf = (o: string | { id: string } | null | undefined) => (typeof o === 'string' ? o : (o?.id ?? null))

/**
 * Awaits a request to Stripe.
 * @throws OutcomeUnknownError, RetryLaterError or StripeRejectedRequestError; for a declined card, Stripe's own error
 */
export async function withGatewayErrors<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (e) {
    throw gatewayErrorOf(e)
  }
}

/** Translates an error of Stripe's client. Declined cards and errors that are not Stripe's stay as they are. */
export function gatewayErrorOf(e: unknown) {
  if (!(e instanceof Stripe.errors.StripeError) || e instanceof Stripe.errors.StripeCardError) return e
  const errorCode = e.code ?? e.rawType ?? e.type
  const isTemporary = e.statusCode === 429 || errorCode === 'balance_insufficient' || errorCode === 'lock_timeout'
  if (isTemporary || KEY_REFUSED_STATUSES.includes(e.statusCode)) return new RetryLaterError(e.message, errorCode, e)
  const answered = e.statusCode !== undefined && e.statusCode >= 400 && e.statusCode < 500 && e.statusCode !== 409
  return answered
    ? new StripeRejectedRequestError(e.message, errorCode, e.param, e)
    : new OutcomeUnknownError(e.message || 'Stripe did not answer.', { cause: e })
}

/** The URL with a placeholder that Stripe replaces with the session's id. Its braces must not be escaped. */
const withSession = (url: string, as: string) => `${url}${url.includes('?') ? '&' : '?'}${as}={CHECKOUT_SESSION_ID}`

/** A page that Stripe hosts. `session`: the id of its Checkout Session. */
export interface HostedPage {
  url: string
  session: string
}

/**
 * A visit to a hosted page by the owner of `customer`. `payer` is the owner's id: a guardian's if a guardian pays. Metadata at Stripe
 * stores it as `player` in either case.
 */
export interface HostedPageRequest {
  customer: string
  payer: string
  returnUrl: string
  cancelUrl: string
  key: string
}

/**
 * Creates a page hosted by Stripe on which people save a card or buy something, depending on `session`.
 * @param as the name of the query parameter in which `returnUrl` receives the session's id
 */
export async function createCheckoutPage(
  stripe: Stripe,
  { customer, payer, returnUrl, cancelUrl, key }: HostedPageRequest,
  as: string,
  session: Pick<Stripe.Checkout.SessionCreateParams, 'mode' | 'metadata' | 'line_items' | 'payment_intent_data' | 'setup_intent_data'>,
): Promise<HostedPage> {
  const { url, id } = await withGatewayErrors(
    stripe.checkout.sessions.create(
      {
        ...session,
        customer,
        allowed_payment_method_types: ['card'],
        // The page always asks for the billing address. Stripe stores it with the customer; the product neither sees nor stores it.
        billing_address_collection: 'required',
        customer_update: { address: 'auto' },
        client_reference_id: payer,
        success_url: withSession(returnUrl, as),
        cancel_url: cancelUrl,
      },
      { idempotencyKey: key },
    ),
  )
  return { url: url!, session: id }
}
