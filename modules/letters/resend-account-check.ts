import { Resend } from 'resend'
import type { DoctorCheckResult } from '../doctor-check-result.ts'
import { HANDLED_RESEND_WEBHOOK_TYPES } from './verify-resend-webhook.ts'

const WEBHOOK_PATH = '/api/webhooks/resend'

/**
 * Checks, without changing anything, whether the Resend account can send letters from this address and will report their delivery to us.
 * @param from `Name <address>`
 * @param origin the public URL of the site, without a trailing slash
 */
export async function checkResendAccount(
  resend: { apiKey: string; webhookSecret?: string; url?: string },
  from: string,
  origin: string,
): Promise<DoctorCheckResult[]> {
  const client = new Resend(resend.apiKey, resend.url ? { baseUrl: resend.url } : {})
  const key = 'the Resend API key is valid'
  const { data, error } = await client.domains.list()
  const secret: DoctorCheckResult = {
    check: 'RESEND_WEBHOOK_SECRET is set, so that the server learns of bounced letters',
    isTrue: !!resend.webhookSecret,
    advice: `Add a webhook for ${origin}${WEBHOOK_PATH} in the dashboard of Resend and copy its signing secret.`,
  }
  // A sending-only key is safer to run with, but it cannot list domains.
  if (error?.name === 'restricted_api_key')
    return [
      { check: key, isTrue: true, advice: '' },
      {
        check: 'the domain of MAIL_FROM is verified',
        isTrue: false,
        isNote: true,
        advice: 'The key may only send, so it cannot check domains and webhooks: look in the dashboard of Resend.',
      },
      secret,
    ]
  if (error) return [{ check: key, isTrue: false, advice: `Resend says: ${error.message}` }]
  const domain = /@([^\s<>]+?)>?\s*$/.exec(from)?.[1]?.toLowerCase() ?? ''
  const senderDomain = data.data.find(({ name }) => name.toLowerCase() === domain)
  return [
    { check: key, isTrue: true, advice: '' },
    {
      check: 'the domain of MAIL_FROM is verified',
      isTrue: senderDomain?.status === 'verified',
      advice: senderDomain
        ? `Resend says that ${domain} is ${senderDomain.status.replaceAll('_', ' ')}. Set the DNS records that its dashboard shows.`
        : `Add ${domain || 'a domain'} in the dashboard of Resend and set its DNS records; MAIL_FROM is "${from}".`,
    },
    secret,
    await checkWebhook(client, `${origin}${WEBHOOK_PATH}`),
  ]
}

async function checkWebhook(client: Resend, endpoint: string): Promise<DoctorCheckResult> {
  const check = 'Resend reports what happens to letters'
  const { data, error } = await client.webhooks.list()
  if (error) return { check, isTrue: false, advice: `Resend says: ${error.message}` }
  const webhooks = data.data.filter(webhook => webhook.endpoint === endpoint && webhook.status === 'enabled')
  // A webhook without a list of event types gets all of them.
  const missing = HANDLED_RESEND_WEBHOOK_TYPES.filter(type => !webhooks.some(({ events }) => events === null || events.includes(type)))
  const advice = webhooks.length ? `Let the webhook for ${endpoint} also send: ${missing.join(', ')}.` : `Add a webhook for ${endpoint}.`
  return { check, isTrue: missing.length === 0, advice }
}
