/** The best-known disposable email domains, for the landing page's own check; `isDisposableEmail` knows many more. */
export const BLOCKED_EMAIL_DOMAINS = [
  'mailinator.com',
  'guerrillamail.com',
  'sharklasers.com',
  '10minutemail.com',
  'tempmail.com',
  'temp-mail.org',
  'throwawaymail.com',
  'yopmail.com',
  'trashmail.com',
  'getnada.com',
  'grr.la',
  'dispostable.com',
  'guerrillamail.info',
  'maildrop.cc',
  'fakeinbox.com',
]

/** Whether the landing page refuses this address. It accepts other disposable addresses, but the server does not store them. */
export const hasBlockedEmailDomain = (email: string) =>
  BLOCKED_EMAIL_DOMAINS.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())

export const BLOCKED_EMAIL_DOMAIN_MESSAGE = 'Please use your regular email address'
