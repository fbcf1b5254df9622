import { createHmac, randomBytes } from 'node:crypto'
import type { BaseLogger } from 'pino'
import type { StoredLetter } from './stored-letter.ts'

const SIMULATED_DELIVERY_STATUSES = ['delivered', 'bounced', 'complained', 'suppressed'] as const
export type SimulatedDeliveryStatus = (typeof SIMULATED_DELIVERY_STATUSES)[number]
export const isSimulatedDeliveryStatus = (value: unknown): value is SimulatedDeliveryStatus =>
  SIMULATED_DELIVERY_STATUSES.includes(value as SimulatedDeliveryStatus)

/** The outcome that a Resend test address requests (`bounced@resend.dev`, `complained+anything@resend.dev`), otherwise `delivered`. */
export const simulatedStatusOf = (address: string): SimulatedDeliveryStatus => {
  const [, name] = /^([a-z]+)(?:\+[^@]*)?@resend\.dev$/.exec(address) ?? []
  return isSimulatedDeliveryStatus(name) ? name : 'delivered'
}

const details: Partial<Record<SimulatedDeliveryStatus, object>> = {
  bounced: { bounce: { type: 'Permanent', subType: 'General', message: 'The mailbox does not exist.' } },
  suppressed: { suppressed: { type: 'OnAccountSuppressionList', message: 'The address is on the suppression list.' } },
}

/** Pauses before a rejected webhook is sent again. */
const RETRY_PAUSES_MS = [200, 1000, 5000]

/** Creates an object that sends webhooks about the outcome of letters, signed like Resend's. `secret` is `whsec_` followed by base64. */
export function newMailboxWebhookSender(o: { url: string; secret: string; log: BaseLogger }) {
  const stopped = new AbortController()
  const key = Buffer.from(o.secret.slice('whsec_'.length), 'base64')

  async function post(id: string, body: string): Promise<boolean> {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    const headers = { 'content-type': 'application/json', 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': signature }
    const answer = await fetch(o.url, { method: 'POST', headers, body, signal: stopped.signal }).catch(() => null)
    await answer?.body?.cancel()
    return answer?.ok ?? false
  }

  return {
    /** Sends a webhook, and retries a few times if the server does not accept it. @returns whether an attempt succeeded */
    async send(letter: StoredLetter, fate: SimulatedDeliveryStatus): Promise<boolean> {
      const id = `msg_${randomBytes(18).toString('base64url')}`
      const { id: email_id, created_at, from, to, subject, tags = [] } = letter
      const data = { email_id, message_id: `<${email_id}@mailbox>`, created_at, from, to, subject, ...details[fate] }
      const named = { ...data, tags: Object.fromEntries(tags.map(tag => [tag.name, tag.value])) }
      const body = JSON.stringify({ type: `email.${fate}`, created_at: new Date().toISOString(), data: named })
      for (const pause of [0, ...RETRY_PAUSES_MS]) {
        await new Promise(done => setTimeout(done, pause).unref())
        if (stopped.signal.aborted) return false
        if (await post(id, body)) return true
      }
      o.log.debug({ part: 'mailbox', letter: email_id, fate }, 'a webhook was not taken')
      return false
    },
    stop: () => stopped.abort(),
  }
}
