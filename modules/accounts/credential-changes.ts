import postgres from 'postgres'
import { wasErrandEnqueued } from '../jobs/outbox.ts'
import { type Errand, errand } from '../kernel/process.ts'
import { CommandRefused } from '../kernel/store.ts'
import {
  accountIdsWithRestorableEmail,
  consumeEmailedLink,
  findEmailedLink,
  restorableEmailOfAnotherAccountRefusal,
} from './emailed-links.ts'

/** The new email address that the owner has not confirmed yet, or null. */
export async function pendingEmailOf(db: postgres.ISql, owner: string, now: Date): Promise<string | null> {
  const [link] = await db<{ email: string }[]>`
    select email from links where kind = 'change-email' and owner = ${owner} and expires > ${now}`
  return link?.email ?? null
}

/** @throws CommandRefused if another account has this address or can still restore it, or if the player's guardian has it */
export async function assertEmailFree(db: postgres.ISql, owner: string, email: string, now: Date): Promise<void> {
  await assertEmailUnused(db, owner, email)
  // This check must come second. In the other order, both would miss an account that gives up the address between the two checks.
  if ((await accountIdsWithRestorableEmail(db, email, now)).some(account => account !== owner))
    throw restorableEmailOfAnotherAccountRefusal()
}

/** Whether this is the account's `current` address, or a `former` one that its owner can still restore. A guardian must use another. */
export async function relationOfEmailToAccount(
  db: postgres.ISql,
  account: { id: string; username: string },
  email: string,
  now: Date,
): Promise<'current' | 'former' | null> {
  if (email.toLowerCase() === account.username) return 'current'
  return (await accountIdsWithRestorableEmail(db, email, now)).includes(account.id) ? 'former' : null
}

/** @throws CommandRefused if another account has this address, or if the player's guardian does */
async function assertEmailUnused(db: postgres.ISql, owner: string, email: string): Promise<void> {
  const username = email.toLowerCase()
  const [other] = await db`select 1 from users where username = ${username} and id <> ${owner}`
  if (other) throw emailTaken()
  const [guardian] = await db`
    select 1 from guardianships s join guardians g on g.id = s.guardian where s.player = ${owner} and s.until is null and g.email = ${username}`
  if (guardian) throw new CommandRefused("This is your parent or guardian's email. Enter your own.", 'guardians-email', 'email')
}

const emailTaken = () => new CommandRefused('This email address already has an account. Use a different one.', 'username-taken', 'email')

/**
 * After a change of the password or the email address, deletes the links that could change either of them. Links that restore a former
 * address stay, so that an attacker cannot invalidate them.
 */
export const deleteCredentialChangeLinks = (tx: postgres.TransactionSql, owner: string) =>
  tx`delete from links where owner = ${owner} and kind in ('reset-password', 'change-email')`

/** Sets a new password, forgets the devices that signed in with the old one, and deletes links that could change it or the email. */
export async function setPasswordAndForgetKnownDevicesAndLinks(tx: postgres.TransactionSql, owner: string, hash: string) {
  await tx`update users set password = ${hash} where id = ${owner}`
  await tx`delete from devices where owner = ${owner}`
  await deleteCredentialChangeLinks(tx, owner)
}

interface ChangedEmail {
  owner: string
  /** The email address before the change. */
  former: string
}

/**
 * Consumes a link and sets the account's email to the address that the link was sent to. Restoring a former address deletes the links
 * that restore later ones. Returns null if the link does not work.
 * @throws CommandRefused if the address is taken
 */
export async function setEmailByChangeOrRestoreLink(
  tx: postgres.TransactionSql,
  kind: 'change-email' | 'restore-email',
  token: string,
  now: Date,
): Promise<ChangedEmail | null> {
  const { owner, email } = (await findEmailedLink(tx, now, kind, token)) ?? {}
  if (!owner || !email) return null
  // Locking the account before the link makes two changes to one account run one after the other instead of deadlocking.
  const [before] = await tx<{ email: string }[]>`select email from users where id = ${owner} for update`
  if (!before) return null
  await (kind === 'restore-email' ? assertEmailUnused(tx, owner, email) : assertEmailFree(tx, owner, email, now))
  const link = await consumeEmailedLink(tx, now, kind, token)
  if (!link) return null
  // Whoever took over the account may have changed the email several times. Links sent to the later addresses would give it back to them.
  if (kind === 'restore-email') await tx`delete from links where kind = ${kind} and owner = ${owner} and expires >= ${link.expires}`
  await tx`update users set email = ${email}, username = ${email.toLowerCase()} where id = ${owner}`.catch(error => {
    // Somebody registered with the address at the same moment.
    throw error instanceof postgres.PostgresError && error.code === '23505' ? emailTaken() : error
  })
  await deleteCredentialChangeLinks(tx, owner)
  return { owner, former: before.email }
}

/** The errand that records a change to an account in the log, so that administrators find it in the account's history. */
export const errandToRecordAccountChange = (command: string, person: string, fields: string[], at: Date): Errand =>
  errand({ id: command }, 'account.record-changes', { person, command, fields, at: at.toISOString() })

/** Whether this command has already changed the account. If so, the browser sent it again, for example because the reply was lost. */
export async function hasCommandChangedAccount(db: postgres.ISql, command: string): Promise<boolean> {
  const { id } = errandToRecordAccountChange(command, '', [], new Date())
  return wasErrandEnqueued(db, id)
}
