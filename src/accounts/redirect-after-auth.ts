import { dashboardPath, type User } from '../client/login-session.ts'
import { navigateAndWaitForReturn } from '../client/navigate-and-wait-for-return.ts'
import type { AuthUrlParams } from './parse-auth-page-query.ts'

/** Leaves time to read a toast before the page changes. */
const REDIRECT_AFTER_MS = 500
/**
 * Navigates to `to`, one of our paths, after leaving time to read the toast. If the Back button restores this page later, with its form
 * still busy, the page reloads: /auth, for example, then sends a visitor who is signed in to the dashboard.
 */
export const redirectAfterToast = (to: string) =>
  setTimeout(async () => {
    await navigateAndWaitForReturn(to)
    location.reload()
  }, REDIRECT_AFTER_MS)

const paymentPath = (packageType: string) => `/player/payment?package=${encodeURIComponent(packageType)}`

/** The path to open after a login. Administrators and instructors always go to their dashboard. */
export function inviteOrDashboardPathAfterLogin({ role }: Pick<User, 'role'>, { invite, packageType }: AuthUrlParams): string {
  if (role === 'player' && packageType) return paymentPath(packageType)
  if (role === 'player' && invite) return `/player/select-instructor?invite=${encodeURIComponent(invite)}`
  return dashboardPath(role)
}

export function pathAfterRegistration({ role }: Pick<User, 'role'>, { packageType }: AuthUrlParams): string {
  if (role !== 'player') return dashboardPath(role)
  return packageType ? paymentPath(packageType) : '/player/connect-instructor'
}
