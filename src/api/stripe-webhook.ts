import { stripeWebhookContract as contract } from '../../modules/payments/contract.ts'
import { ForgedStripeWebhookError, WebhookWithoutObjectError } from '../../modules/payments/stripe/webhook-verification.ts'
import { recordStripeWebhook } from '../../modules/payments/webhooks.ts'
import { Problem } from './problem.ts'
import { routesOfContract } from './routing.ts'

export const stripeWebhookRoutes = routesOfContract(contract, {
  'POST /api/webhooks/stripe': async ({ deps, body, request }) => {
    const { sql, gateway, post, clock, log } = deps
    try {
      // The signature carries the provider's time, so it is checked against the machine's clock, not against `deps.clock`.
      const notice = gateway.webhook(body, request.headers.get('stripe-signature') ?? '')
      await recordStripeWebhook(sql, post, notice, clock())
      deps.metricsRecorder?.recordWebhook('stripe', (Date.now() - Date.parse(notice.created)) / 1000)
    } catch (error) {
      if (error instanceof WebhookWithoutObjectError) throw new Problem(400, 'This event does not identify an object.', 'malformed')
      if (!(error instanceof ForgedStripeWebhookError)) throw error
      log.warn({ err: error }, 'a webhook was refused')
      throw new Problem(400, 'The signature is not valid.', 'forged')
    }
  },
})
