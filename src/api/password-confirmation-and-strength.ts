import { type AuthenticatedUserIdAndPasswordHash, authenticate } from '../../modules/accounts/account-registration-and-authentication.ts'
import { isPasswordOfPersonalWords, isTrivialPassword, type PasswordOwner } from '../../modules/accounts/guessable-passwords.ts'
import { assertPasswordQueueHasRoom } from '../../modules/accounts/passwords.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { assertFound, invalidField } from './problem.ts'

/** The key by which the password queue counts attempts on one account by people who are not signed in (`PasswordQueueKeys`). */
export const passwordQueueKey = (email: string) => `account:${email.trim().toLowerCase()}`
/** The key by which the password queue counts the requests of a signed-in user. */
export const ownPasswordQueueKey = (user: string) => `signed-in:${user}`

interface CallContext {
  deps: AppDependencies
  user: { id: string }
}

/**
 * Checks the caller's password again before an action that a stranger at their device must not take. Attempts are counted separately from
 * logins, because a stranger's failed logins must not keep the owner from changing their password. If the action is a transaction, it has
 * to check `isVerifiedPasswordCurrent`: otherwise a thief's request waiting in the password queue could still succeed after the owner has
 * reset the password.
 * @throws Problem 422 if the password is incorrect, 429 after too many attempts; PasswordQueueFullError
 */
export async function assertOwnPassword(
  { deps, user }: CallContext,
  password: string,
  field: string,
): Promise<AuthenticatedUserIdAndPasswordHash> {
  await deps.limits.take('own-password', '', user.id)
  const asker = [ownPasswordQueueKey(user.id)]
  assertPasswordQueueHasRoom(asker)
  const [row] = await deps.sql<{ username: string }[]>`select username from users where id = ${user.id}`
  const verified = await authenticate(deps.sql, assertFound(row).username, password, asker)
  if (verified?.id !== user.id) throw incorrectPassword(field)
  return verified
}

export const incorrectPassword = (field: string) => invalidField(field, 'This password is incorrect')

/** @throws Problem 422 if the password is a common one or too close to the owner's own details */
export function assertNotGuessable(password: string, owner: PasswordOwner) {
  if (isTrivialPassword(password, owner.email?.toLowerCase()))
    throw invalidField('password', 'This password is too common. Choose another one, such as a few words')
  if (isPasswordOfPersonalWords(password, owner))
    throw invalidField(
      'password',
      'A password with your name, your email or the name of this site is easy to guess. Choose another one, such as a few words',
    )
}
