import Stripe from 'stripe'

/**
 * The responses to each call, such as `charges.list`, in order; the last one repeats. A response that is an error is thrown. A call
 * without responses throws, too.
 */
export type ScriptedAnswers = Record<string, unknown[]>

/** Creates a Stripe client that returns scripted responses, and calls `report` with the name and the arguments of each call. */
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
