import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { LetterDelivery, LetterDeliveryStatus } from './letter-delivery-table.ts'

/** The webhook's signature is not Resend's, or its timestamp differs too much from our clock. */
export class ForgedResendWebhookError extends Error {}

/** How far the timestamp of a webhook may differ from our clock, in seconds. Older webhooks may be replays. */
const MAX_CLOCK_DRIFT_SECONDS = 300
/** The tag that carries a letter's own id into webhooks about it. */
export const LETTER_ID_TAG = 'letter'

/** The webhook types that we handle. The endpoint at Resend must send all of them. */
export const HANDLED_RESEND_WEBHOOK_TYPES = ['email.delivered', 'email.bounced', 'email.complained', 'email.suppressed'] as const

const shape = z.object({
  type: z.enum(HANDLED_RESEND_WEBHOOK_TYPES),
  created_at: z.iso.datetime({ offset: true }),
  data: z.object({
    to: z.array(z.string()).min(1),
    tags: z.record(z.string(), z.string()).optional(),
    bounce: z.object({ type: z.string(), subType: z.string() }).optional(),
  }),
})

/** The signature of a webhook's content under one secret (`whsec_` and base64), as the Standard Webhooks specification defines it. */
export function webhookSignature(secret: string, { id, timestamp, body }: { id: string; timestamp: string; body: string }): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/**
 * Verifies a webhook from Resend, given its raw body and its three `svix-` headers.
 * @param secrets separated by commas, so that two are valid while one replaces the other
 * @returns the delivery status of one of our letters, or null if the webhook is about something else
 * @throws ForgedResendWebhookError
 */
export function verifyResendWebhook(secrets: string, headers: Headers, body: string, now = Date.now()): LetterDelivery | null {
  const [id, timestamp, signatures] = ['svix-id', 'svix-timestamp', 'svix-signature'].map(name => headers.get(name) ?? '') as [
    string,
    string,
    string,
  ]
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > MAX_CLOCK_DRIFT_SECONDS)
    throw new ForgedResendWebhookError('The webhook is not from now.')
  const expected = secrets.split(',').map(secret => Buffer.from(webhookSignature(secret.trim(), { id, timestamp, body })))
  // While a secret is being replaced, Resend signs with both the old one and the new one.
  const receivedSignatures = signatures.split(' ').map(signature => Buffer.from(signature))
  if (!id || !receivedSignatures.some(g => expected.some(e => e.length === g.length && timingSafeEqual(e, g))))
    throw new ForgedResendWebhookError('The webhook is not signed by Resend.')
  const event = shape.safeParse(parseJson(body))
  const letter = event.data?.data.tags?.[LETTER_ID_TAG]
  if (!event.success || !letter) return null
  const { type, created_at, data } = event.data
  return {
    letter,
    to: data.to[0]!,
    fate: type.slice('email.'.length) as LetterDeliveryStatus,
    reason: data.bounce ? `${data.bounce.type}, ${data.bounce.subType}` : null,
    at: new Date(created_at).toISOString(),
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
