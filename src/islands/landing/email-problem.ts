import { BLOCKED_EMAIL_DOMAIN_MESSAGE, hasBlockedEmailDomain } from '../../../modules/leads/blocked-email-domains.ts'

/** What is wrong with an email address; undefined if nothing is. */
export function emailProblem(email: string): string | undefined {
  const address = email.trim()
  if (address.length < 5 || !address.includes('@')) return 'Please enter a valid email address'
  if (address.length > 254) return 'Email address is too long'
  if (hasBlockedEmailDomain(address)) return BLOCKED_EMAIL_DOMAIN_MESSAGE
}
