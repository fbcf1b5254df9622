import type Stripe from 'stripe'

/** A webhook that Stripe did not send, or not lately. */
export class Forged extends Error {}

/** A webhook that is genuine. `object.kind` is Stripe's: `payment_intent`, `checkout.session`, `dispute` … */
export interface Notice {
  id: string
  type: string
  object: { id: string; kind: string }
  created: string
}

export interface Webhooks {
  /** Verifies a webhook by its raw body. Trust nothing but the ids: fetch the object again. @throws Forged */
  webhook(rawBody: string | Uint8Array, signatureHeader: string, now?: number): Notice
}

/** Seconds that a webhook's clock may be off, either way. */
const TOLERANCE = 300

/** `secrets` separated by commas: while one replaces another, both are right. */
export function webhooks(stripe: Stripe, secrets: string): Webhooks {
  const all = secrets.split(',').map(s => s.trim())
  return {
    webhook(rawBody, signatureHeader, now = Date.now()) {
      // constructEvent takes any timestamp in the future.
      const stamps = [...signatureHeader.matchAll(/(?:^|,)t=(\d+)/g)].map(m => Number(m[1]))
      if (stamps.some(t => t > now / 1000 + TOLERANCE)) throw new Forged('The webhook is signed for a time that has not come yet.')
      let event: Stripe.Event | undefined
      let refusal: unknown
      for (const secret of all) {
        try {
          event ??= stripe.webhooks.constructEvent(rawBody, signatureHeader, secret, TOLERANCE, undefined, now)
        } catch (e) {
          refusal = e
        }
      }
      if (!event) throw new Forged('The webhook is not signed by Stripe.', { cause: refusal })
      const { id, object: kind } = event.data.object as unknown as { id: string; object: string }
      return { id: event.id, type: event.type, object: { id, kind }, created: new Date(event.created * 1000).toISOString() }
    },
  }
}
