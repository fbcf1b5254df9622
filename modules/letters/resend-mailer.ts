import { Resend } from 'resend'
import { type Logger, silentLogger } from '../kernel/logger-interface.ts'
import { LETTER_ID_TAG } from './verify-resend-webhook.ts'

/** A letter could not be sent. `temporary`: retry later with the same id; otherwise every retry would fail the same way. */
export class MailError extends Error {
  temporary: boolean
  /** Resend's name for the error, such as `rate_limit_exceeded`. */
  code: string
  constructor(message: string, options: { temporary: boolean; code: string }) {
    super(message)
    this.temporary = options.temporary
    this.code = options.code
  }
}

export interface Email {
  /** The letter's id and idempotency key: if the letter is sent twice within a day, it arrives once. */
  id: string
  to: string
  subject: string
  html: string
  text: string
  headers?: Record<string, string>
}

// Quotas reset every day or month, and a request that is still running will end, so these errors are temporary.
const passing = new Set(['rate_limit_exceeded', 'daily_quota_exceeded', 'monthly_quota_exceeded', 'concurrent_idempotent_requests'])

/** Resend rejects the key or the domain. The letter is retried, so that it is sent once an administrator has fixed the problem. */
const KEY_REFUSED_STATUSES = [401, 403]

/**
 * Resend has already accepted a letter with this id, but with a different text. A letter to a guardian gets a new one-time link on each
 * attempt, so its text differs if the letter was accepted but its errand runs again anyway, because the letter to the other recipient
 * failed or Resend's response was lost.
 */
const TEXT_DIFFERS_FROM_SENT_LETTER = 'invalid_idempotent_request'

/**
 * Creates a client for Resend.
 * @param resend the API key, and the URL if it is not https://api.resend.com
 * @param from `Name <address>` of a verified domain
 */
export function resendMailer(resend: { apiKey: string; url?: string }, from: string, log: Logger = silentLogger) {
  const client = new Resend(resend.apiKey, resend.url ? { baseUrl: resend.url } : {})
  return {
    /** Sends one letter. @returns Resend's id for it, or null if an earlier attempt with a different text was accepted @throws MailError */
    async send({ id, ...letter }: Email): Promise<string | null> {
      const signal = AbortSignal.timeout(15_000)
      const tagged = { from, ...letter, tags: [{ name: LETTER_ID_TAG, value: id }] }
      const { data, error } = await client.emails.send(tagged, { idempotencyKey: id, signal })
      log.debug?.({ letter: id, resend: data?.id, code: error?.name }, 'Resend answered')
      if (data) return data.id
      if (error.name === TEXT_DIFFERS_FROM_SENT_LETTER) {
        log.info({ letter: id }, 'an earlier attempt has sent this letter')
        return null
      }
      // If there is no status, no response arrived.
      const status = error.statusCode ?? 503
      const temporary = status >= 500 || passing.has(error.name) || KEY_REFUSED_STATUSES.includes(status)
      throw new MailError(`The email was not sent: ${error.message}`, { temporary, code: error.name })
    },
  }
}
