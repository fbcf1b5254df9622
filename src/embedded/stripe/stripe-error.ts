import type Stripe from 'stripe'

type Type = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error' | 'rate_limit_error'
interface Details {
  code?: string
  param?: string
  decline_code?: string
  charge?: string
  payment_intent?: Stripe.PaymentIntent
  setup_intent?: Stripe.SetupIntent
  payment_method?: Stripe.PaymentMethod
}

/** An answer that is an error, as Stripe words it. */
export class StripeError extends Error {
  readonly status: number
  readonly type: Type
  readonly details: Details
  /** The request was understood and its work refused: this is the answer under its idempotency key from now on. */
  readonly final: boolean
  constructor(status: number, type: Type, message: string, details: Details = {}, final = type === 'card_error') {
    super(message)
    this.final = final
    this.status = status
    this.type = type
    this.details = details
  }
  body() {
    const { code } = this.details
    return {
      error: {
        type: this.type,
        message: this.message,
        ...(code && { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
        ...this.details,
      },
    }
  }
}

export const invalidRequest = (message: string, code?: string, param?: string) =>
  new StripeError(400, 'invalid_request_error', message, { ...(code && { code }), ...(param && { param }) })

/** A request without a mistake whose work cannot be done as things are. */
export const wrongState = (message: string, code?: string, param?: string) =>
  new StripeError(400, 'invalid_request_error', message, { ...(code && { code }), ...(param && { param }) }, true)

export const noSuchObject = (what: string, id: string, param = 'id', status = 404) =>
  new StripeError(status, 'invalid_request_error', `No such ${what}: '${id}'`, { code: 'resource_missing', param })
