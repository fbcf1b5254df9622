import checker from 'mailchecker'
import { BLOCKED_EMAIL_DOMAINS } from './blocked-email-domains.ts'

checker.addCustomDomains([...BLOCKED_EMAIL_DOMAINS])

/** Whether the address has a disposable domain, according to a maintained list of more than 50,000 domains. Their subdomains count, too. */
export function isDisposableEmail(email: string): boolean {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')
  const domains = checker.blacklist()
  return labels.some((_, i) => domains.has(labels.slice(i).join('.')))
}
