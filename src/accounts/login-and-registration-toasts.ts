import type { User } from '../client/login-session.ts'
import type { AuthUrlParams } from './parse-auth-page-query.ts'

export const loginSuccessToast = (user: Pick<User, 'firstName' | 'role'>, { packageType }: AuthUrlParams) => ({
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
