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

/** An error response in Stripe's format. */
export class StripeError extends Error {
  readonly status: number
  readonly type: Type
  readonly details: Details
  constructor(status: number, type: Type, message: string, details: Details = {}) {
    super(message)
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

/** An invalid parameter. The endpoint has not started its work, so nothing is stored under the idempotency key. */
export class InvalidParameterError extends StripeError {
  constructor(message: string, code?: string, param?: string) {
    super(400, 'invalid_request_error', message, { ...(code && { code }), ...(param && { param }) })
  }
}

export const noSuchObject = (what: string, id: string, param = 'id', status = 404) =>
  new StripeError(status, 'invalid_request_error', `No such ${what}: '${id}'`, { code: 'resource_missing', param })
