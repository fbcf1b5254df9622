import type Stripe from 'stripe'
import { z } from 'zod'

/** A webhook whose signature is not Stripe's, or whose timestamp is too old or in the future. */
export class ForgedStripeWebhookError extends Error {}
/** A webhook whose signature is valid but that does not name an object which we could fetch. */
export class WebhookWithoutObjectError extends Error {}

/** A verified webhook. `object.kind` is Stripe's object type: `payment_intent`, `checkout.session`, `dispute` … */
export interface WebhookNotice {
  id: string
  type: string
  object: { id: string; kind: string }
  created: string
}

export interface WebhookGateway {
  /**
   * Verifies a webhook's signature over its raw body. Trust only the ids in the result, and fetch the object from Stripe.
   * @throws ForgedStripeWebhookError, WebhookWithoutObjectError
   */
  webhook(rawBody: string | Uint8Array, signatureHeader: string, now?: number): WebhookNotice
}

/** A thin event, as the second version of Stripe's API sends it: it names an object, but contains none of its data. */
const thinShape = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  created: z.iso.datetime(),
  related_object: z.object({ id: z.string().min(1), type: z.string().min(1) }),
})

function isThinEvent(rawBody: string | Uint8Array): boolean {
  try {
    const text = typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8')
    return (JSON.parse(text) as { object?: unknown } | null)?.object === 'v2.core.event'
  } catch {
    return false
  }
}

/** The fields of an event that we use. */
const shape = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  created: z
    .int()
    .min(0)
    .max(8e12 / 1000),
  data: z.object({ object: z.object({ id: z.string().min(1), object: z.string().min(1) }) }),
})

/** How far the time of a webhook may differ from our clock, in seconds. */
const MAX_CLOCK_DRIFT_SECONDS = 300

/** `secrets` are separated by commas, so that two are valid while one replaces the other. */
export function stripeWebhooks(stripe: Stripe, secrets: string): WebhookGateway {
  const all = secrets.split(',').map(s => s.trim())
  return {
    webhook(rawBody, signatureHeader, now = Date.now()) {
      // `constructEvent` accepts any timestamp in the future, so check it here.
      const stamps = [...signatureHeader.matchAll(/(?:^|,)t=(\d+)/g)].map(m => Number(m[1]))
      if (stamps.some(t => t > now / 1000 + MAX_CLOCK_DRIFT_SECONDS))
        throw new ForgedStripeWebhookError('The webhook is signed for a time that has not come yet.')
      const isThin = isThinEvent(rawBody)
      let event: unknown
      let refusal: unknown
      for (const secret of all) {
        try {
          event ??= isThin
            ? stripe.parseEventNotification(rawBody, signatureHeader, secret, MAX_CLOCK_DRIFT_SECONDS, undefined, now)
            : stripe.webhooks.constructEvent(rawBody, signatureHeader, secret, MAX_CLOCK_DRIFT_SECONDS, undefined, now)
        } catch (e) {
          refusal = e
        }
      }
      if (!event) throw new ForgedStripeWebhookError('The webhook is not signed by Stripe.', { cause: refusal })
      if (isThin) {
        const thin = thinShape.safeParse(event)
        if (!thin.success) throw new WebhookWithoutObjectError('The webhook names no object.', { cause: thin.error })
        const { id, type, created, related_object } = thin.data
        return { id, type, object: { id: related_object.id, kind: related_object.type }, created: new Date(created).toISOString() }
      }
      const notice = shape.safeParse(event)
      if (!notice.success) throw new WebhookWithoutObjectError('The webhook names no object.', { cause: notice.error })
      const { id, type, created, data } = notice.data
      return { id, type, object: { id: data.object.id, kind: data.object.object }, created: new Date(created * 1000).toISOString() }
    },
  }
}
