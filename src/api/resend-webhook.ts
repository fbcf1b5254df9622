import { resendWebhookContract } from '../../modules/letters/contract.ts'
import { recordLetterDelivery } from '../../modules/letters/letter-delivery-table.ts'
import { ForgedResendWebhookError, verifyResendWebhook } from '../../modules/letters/verify-resend-webhook.ts'
import { Problem } from './problem.ts'
import { routesOfContract } from './routing.ts'

export const resendWebhookRoutes = routesOfContract(resendWebhookContract, {
  'POST /api/webhooks/resend': async ({ deps, body, request }) => {
    const { sql, config, log } = deps
    try {
      if (!config.resend.webhookSecret) throw new ForgedResendWebhookError('RESEND_WEBHOOK_SECRET is not set.')
      // The signature carries the provider's time, so it is checked against the machine's clock, not against `deps.clock`.
      const fate = verifyResendWebhook(config.resend.webhookSecret, request.headers, Buffer.from(body).toString('utf8'))
      if (!fate) return
      await recordLetterDelivery(sql, fate)
      deps.metricsRecorder?.recordWebhook('resend', (Date.now() - Date.parse(fate.at)) / 1000)
    } catch (error) {
      if (!(error instanceof ForgedResendWebhookError)) throw error
      log.warn({ err: error }, 'a webhook was refused')
      throw new Problem(400, 'The signature is not valid.', 'forged')
    }
  },
})
