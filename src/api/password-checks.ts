import { isPasswordOfPersonalWords, isTrivialPassword, type PasswordOwner } from '../../modules/accounts/guessable-passwords.ts'
import { assertPasswordQueueHasRoom } from '../../modules/accounts/passwords.ts'
import { authenticate } from '../../modules/accounts/user-accounts.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { assertFound, invalidField } from './problem.ts'

/** The key by which the password queue counts attempts on one account (`PasswordQueueKeys`). */
export const passwordQueueKey = (email: string) => `account:${email.trim().toLowerCase()}`

interface CallContext {
  deps: AppDependencies
  user: { id: string }
  address: string
}

/** Checks the caller's password again before an action that a stranger at their device must not take. @throws Problem 422 */
export async function assertOwnPassword({ deps, user, address }: CallContext, password: string, field: string): Promise<void> {
  const [row] = await deps.sql<{ username: string }[]>`select username from users where id = ${user.id}`
  const { username } = assertFound(row)
  await deps.limits.take('login', address, username)
  const asker = [passwordQueueKey(username)]
  assertPasswordQueueHasRoom(asker)
  if (!(await authenticate(deps.sql, username, password, asker))) throw invalidField(field, 'This password is incorrect')
}

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
