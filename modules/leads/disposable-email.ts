import checker from 'mailchecker'
import { BLOCKED_EMAIL_DOMAINS } from './blocked-email-domains.ts'

checker.addCustomDomains([...BLOCKED_EMAIL_DOMAINS])

/** Whether this is a disposable mailbox, by a maintained list of about 50,000 domains and their subdomains. */
export function isDisposableEmail(email: string): boolean {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')
  const domains = checker.blacklist()
  return labels.some((_, i) => domains.has(labels.slice(i).join('.')))
}
