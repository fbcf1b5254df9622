import Stripe from 'stripe'

/**
 * The responses of each call (`charges.list`), in order; the last one repeats, and an error is thrown. A call without responses fails the
 * test.
 */
export type ScriptedAnswers = Record<string, unknown[]>

/** A Stripe client with scripted responses, which reports each call and its arguments. */
export function scriptedStripe(answersNow: () => ScriptedAnswers, report: (call: unknown[]) => void) {
  const at = (path: string): unknown =>
    new Proxy(() => {}, {
      get: (_, name: string) => at(path ? `${path}.${name}` : name),
      apply: async (_, __, all: unknown[]) => {
        report([path, ...all])
        const left = answersNow()[path]
        if (!left) throw new Error(`${path} was not to be asked`)
        const answer = left.length > 1 ? left.shift() : left[0]
        if (answer instanceof Error) throw answer
        return answer
      },
    })
  return at('') as Stripe
}

export type StripeErrorFields = ConstructorParameters<typeof Stripe.errors.StripeError>[0]
export const invalidRequestError = (more: object) =>
  new Stripe.errors.StripeInvalidRequestError({ message: 'No.', statusCode: 400, ...more } as StripeErrorFields)
export const missingResourceError = invalidRequestError({ code: 'resource_missing', statusCode: 404 })
export const invalidApiKeyError = new Stripe.errors.StripeAuthenticationError({
  message: 'No such key.',
  statusCode: 401,
} as StripeErrorFields)
export const connectionError = new Stripe.errors.StripeConnectionError({ message: 'No route' } as StripeErrorFields)
