/** Throw-away mail that turns up on sign-up forms; the server knows many more. */
const blocked = new Set([
  'mailinator.com',
  'guerrillamail.com',
  'guerrillamail.info',
  '10minutemail.com',
  'temp-mail.org',
  'tempmail.com',
  'throwawaymail.com',
  'yopmail.com',
  'sharklasers.com',
  'trashmail.com',
  'dispostable.com',
  'getnada.com',
  'maildrop.cc',
  'fakeinbox.com',
  'grr.la',
])

/** What is wrong with an address left on the landing page; undefined if nothing is. */
export function emailProblem(email: string): string | undefined {
  const address = email.trim()
  if (address.length < 5 || !address.includes('@')) return 'Please enter a valid email address'
  if (address.length > 254) return 'Email address is too long'
  if (blocked.has(address.slice(address.lastIndexOf('@') + 1).toLowerCase())) return 'Please use your regular email address'
}
