import postgres from 'postgres'
import { type Errand, errand } from '../kernel/process.ts'
import { Refused } from '../kernel/store.ts'
import { consumeLink, findLink } from './links.ts'

/** The address that waits to be confirmed; null where none does. */
export async function pendingEmailOf(db: postgres.ISql, owner: string, now: Date): Promise<string | null> {
  const [link] = await db<{ email: string }[]>`
    select email from links where kind = 'change-email' and owner = ${owner} and expires > ${now}`
  return link?.email ?? null
}

/** @throws Refused where the address is another account's, or the guardian's of the player whose account it is */
export async function assertEmailFree(db: postgres.ISql, owner: string, email: string): Promise<void> {
  const username = email.toLowerCase()
  const [other] = await db`select 1 from users where username = ${username} and id <> ${owner}`
  if (other) throw emailTaken()
  const [guardian] = await db`
    select 1 from guardianships s join guardians g on g.id = s.guardian where s.player = ${owner} and s.until is null and g.email = ${username}`
  if (guardian) throw new Refused('This is the email of your parent or guardian. Enter your own one.', 'guardians-email', 'email')
}

const emailTaken = () => new Refused('This email has an account. Use another one.', 'username-taken', 'email')

/** Links that were sent before the owner changed how the account is signed in to open nothing anymore. */
export const dropSignInLinks = (tx: postgres.TransactionSql, owner: string) =>
  tx`delete from links where owner = ${owner} and kind in ('reset-password', 'change-email')`

/** Sets another password, and forgets the browsers that somebody signed in from with the old one. */
export async function setPassword(tx: postgres.TransactionSql, owner: string, hash: string) {
  await tx`update users set password = ${hash} where id = ${owner}`
  await tx`delete from devices where owner = ${owner}`
  await dropSignInLinks(tx, owner)
}

interface ReplacedEmail {
  owner: string
  /** The address that the account had until now. */
  former: string
}

/** Uses up a link, and gives its account the address that it was sent to. Null if the link does not work (anymore). @throws Refused where the address is taken */
export async function replaceEmail(
  tx: postgres.TransactionSql,
  kind: 'change-email' | 'restore-email',
  token: string,
  now: Date,
): Promise<ReplacedEmail | null> {
  const found = await findLink(tx, now, kind, token)
  if (!found?.owner || !found.email) return null
  await assertEmailFree(tx, found.owner, found.email)
  const link = await consumeLink(tx, now, kind, token)
  if (!link?.owner || !link.email) return null
  const { owner, email } = link
  const [before] = await tx<{ email: string }[]>`select email from users where id = ${owner} for update`
  if (!before) return null
  await tx`update users set email = ${email}, username = ${email.toLowerCase()} where id = ${owner}`.catch(error => {
    // Somebody registered with the address in this very moment.
    throw error instanceof postgres.PostgresError && error.code === '23505' ? emailTaken() : error
  })
  await dropSignInLinks(tx, owner)
  return { owner, former: before.email }
}

/** The log records once the account has changed what its owner changed, so that administrators find it in the history. */
export const accountChangedErrand = (command: string, person: string, fields: string[], at: Date): Errand =>
  errand({ id: command }, 'account.record-changes', { person, command, fields, at: at.toISOString() })

/** Whether this command has changed the account already: its answer was lost, and it was sent again. */
export async function wasChangeMade(db: postgres.ISql, command: string): Promise<boolean> {
  const { id } = accountChangedErrand(command, '', [], new Date())
  return (await db`select 1 from errands where id = ${id}`).length > 0
}
