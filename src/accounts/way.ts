import type { User } from '../client/session.ts'
import { dashboardPath } from '../client/session.ts'

/** What the address of /auth says. */
export interface Way {
  /** Which tab, and in the register tab which kind of account. */
  tab: 'login' | 'register'
  role: 'player' | 'instructor'
  email: string
  invite: string | undefined
  /** A package to buy next. */
  packageType: string | undefined
}

/** A role or an invitation opens the register tab; an invitation always registers a player. */
export function wayOf(search: string): Way {
  const query = new URLSearchParams(search)
  const role = query.get('role')
  const invite = query.get('invite') || undefined
  const chosen = role === 'player' || role === 'instructor'
  return {
    tab: invite || chosen ? 'register' : 'login',
    role: !invite && role === 'instructor' ? 'instructor' : 'player',
    email: query.get('email') ?? '',
    invite,
    packageType: query.get('package') || undefined,
  }
}

/** How long the person may read the toast before the page changes, in ms. */
export const REDIRECT_AFTER = 500
export const redirect = (to: string) => setTimeout(() => location.assign(to), REDIRECT_AFTER)

const payment = (packageType: string) => `/player/payment?package=${encodeURIComponent(packageType)}`

/** Where a login leads. */
export function afterLogin({ role }: Pick<User, 'role'>, { invite, packageType }: Way): string {
  if (role === 'player' && packageType) return payment(packageType)
  if (role === 'player' && invite) return `/player/select-instructor?invite=${encodeURIComponent(invite)}`
  return dashboardPath(role)
}

/** Where a registration leads. */
export function afterRegistration({ role }: Pick<User, 'role'>, { packageType }: Way): string {
  if (role !== 'player') return dashboardPath(role)
  return packageType ? payment(packageType) : '/player/connect-instructor'
}

/** What the toast after a login says. */
export const welcome = (user: Pick<User, 'firstName' | 'role'>, { packageType }: Way) => ({
  title: 'Login successful',
  description: `Welcome back, ${user.firstName}!${user.role === 'player' && packageType ? ' Proceeding to payment.' : ''}`,
})

/** What the toast after a registration says. */
export const registered = ({ role }: Pick<User, 'role'>, { packageType }: Way) => ({
  title: 'Registration successful',
  description:
    role === 'instructor'
      ? 'Your instructor account has been created!'
      : packageType
        ? 'Your account has been created! Proceeding to payment.'
        : 'Your account has been created! Now select your instructor.',
})

/** The server's message for an instructor's registration, in our words where it has its own. */
export function instructorMessage(message: string | undefined): string {
  if (message?.includes('Username already exists')) return 'This username is already taken. Please try another one.'
  if (message?.includes('Username must be at least')) return 'Username must be at least 3 characters long.'
  return message || 'An error occurred during registration'
}
