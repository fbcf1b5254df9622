import { dashboardPath, type User } from '../client/session.ts'
import type { AuthUrlParams } from './auth-url-params.ts'

/** Leaves time to read a toast before the page changes. */
const REDIRECT_AFTER_MS = 500
/** Navigates to `to`, one of our paths, after leaving time to read the toast. */
export const redirectAfterToast = (to: string) => setTimeout(() => location.assign(to), REDIRECT_AFTER_MS)

const paymentPath = (packageType: string) => `/player/payment?package=${encodeURIComponent(packageType)}`

/** The path to open after a login. Administrators and instructors always go to their dashboard. */
export function pathAfterLogin({ role }: Pick<User, 'role'>, { invite, packageType }: AuthUrlParams): string {
  if (role === 'player' && packageType) return paymentPath(packageType)
  if (role === 'player' && invite) return `/player/select-instructor?invite=${encodeURIComponent(invite)}`
  return dashboardPath(role)
}

export function pathAfterRegistration({ role }: Pick<User, 'role'>, { packageType }: AuthUrlParams): string {
  if (role !== 'player') return dashboardPath(role)
  return packageType ? paymentPath(packageType) : '/player/connect-instructor'
}

export const loginToast = (user: Pick<User, 'firstName' | 'role'>, { packageType }: AuthUrlParams) => ({
  title: 'Login successful',
  description: `Welcome back, ${user.firstName}!${user.role === 'player' && packageType ? ' Proceeding to payment.' : ''}`,
})

export const registrationToast = ({ role }: Pick<User, 'role'>, { packageType }: AuthUrlParams) => ({
  title: 'Registration successful',
  description:
    role === 'instructor'
      ? 'Your instructor account has been created!'
      : packageType
        ? 'Your account has been created! Proceeding to payment.'
        : 'Your account has been created! Now select your instructor.',
})

/** The toast's text for a failed instructor registration, given the server's message; undefined means that the server sent none. */
export function instructorRegistrationError(message: string | undefined): string {
  if (message?.includes('Username already exists')) return 'This username is already taken. Please try another one.'
  if (message?.includes('Username must be at least')) return 'Username must be at least 3 characters long.'
  return message || 'An error occurred during registration'
}
