import type postgres from 'postgres'
import { v7 as newId } from 'uuid'
import { type Errand, errand } from '../kernel/process.ts'
import { setPasswordAndForgetKnownDevicesAndLinks } from './credential-changes.ts'
import { consumeEmailedLink, createEmailedLinkToken, findEmailedLink } from './emailed-links.ts'
import { guardianIdByEmail } from './guardian-tables.ts'
import type { PasswordOwner } from './guessable-passwords.ts'
import { hashPassword, type PasswordQueueKeys } from './passwords.ts'

/** Adds errands to the outbox in the given transaction. */
export type EnqueueErrands = (db: postgres.ISql, errands: Errand[]) => Promise<unknown>

type RecoveryRequest =
  | { kind: 'password'; email: string }
  | { kind: 'email'; phone: string; firstName: string; lastName: string }
  /** A guardian's sign-in link, which opens `page`. */
  | { kind: 'family'; email: string; page: string }

/** Records a recovery request. The account is looked up later, so the reply and its timing do not reveal whether the account exists. */
export async function requestAccountRecovery(sql: postgres.Sql, post: EnqueueErrands, asked: RecoveryRequest, now: Date) {
  const recovery = newId()
  await sql.begin(async tx => {
    await tx`insert into recoveries (id, kind, asked, at) values (${recovery}, ${asked.kind}, ${tx.json(asked)}, ${now})`
    await post(tx, [errand({ id: recovery }, 'account.recover', { recovery })])
  })
}

/** The errand `account.recover`: finds the accounts or the guardian that a request describes, and schedules a letter to each. */
export async function scheduleAccountRecoveryLetters(sql: postgres.Sql, post: EnqueueErrands, recovery: string, now: Date) {
  await sql.begin(async tx => {
    const [row] = await tx<{ asked: RecoveryRequest }[]>`delete from recoveries where id = ${recovery} returning asked`
    if (!row) return
    const { asked } = row
    if (asked.kind === 'family') {
      const guardian = await guardianIdByEmail(tx, asked.email)
      if (!guardian) return
      const link = await createEmailedLinkToken(tx, now, 'family-sign-in', { guardian })
      await post(tx, [errand({ id: recovery }, 'letter.family-sign-in', { guardian, link: link.id, page: asked.page })])
    } else if (asked.kind === 'password') {
      const [user] = await tx<{ id: string }[]>`select id from users where username = ${asked.email.toLowerCase()}`
      if (!user) return
      const link = await createEmailedLinkToken(tx, now, 'reset-password', { owner: user.id })
      await post(tx, [errand({ id: recovery }, 'letter.reset-password', { user: user.id, link: link.id })])
    } else {
      const users = await tx<{ id: string }[]>`
        select id from users
        where right(regexp_replace(phone, '\\D', '', 'g'), 10) = right(regexp_replace(${asked.phone}, '\\D', '', 'g'), 10)
          and lower(first_name) = lower(${asked.firstName}) and lower(last_name) = lower(${asked.lastName})
        limit 5`
      await post(
        tx,
        users.map(user => errand({ id: recovery }, 'letter.your-email', { user: user.id }, { key: [user.id] })),
      )
    }
  })
}

/** The owner of a reset link, so that the new password can be checked against their data; empty if the link does not work. */
export async function resetLinkOwnerForPasswordCheck(sql: postgres.Sql, token: string, now: Date): Promise<PasswordOwner> {
  const link = await findEmailedLink(sql, now, 'reset-password', token)
  if (!link?.owner) return {}
  const [user] = await sql<PasswordOwner[]>`
    select email, first_name as "firstName", last_name as "lastName" from users where id = ${link.owner}`
  return user ?? {}
}

/**
 * Sets the password of the account whose emailed reset link has this token. `then` runs in the same transaction with the user's id.
 * @returns the user's id, or null if the link does not work
 * @throws PasswordQueueFullError
 */
export async function resetPassword(
  sql: postgres.Sql,
  token: string,
  password: string,
  now: Date,
  then: (tx: postgres.TransactionSql, user: string) => Promise<void>,
  asker: PasswordQueueKeys = [],
): Promise<string | null> {
  if (!(await findEmailedLink(sql, now, 'reset-password', token))) return null
  const hashed = await hashPassword(password, asker)
  return sql.begin(async tx => {
    const link = await consumeEmailedLink(tx, now, 'reset-password', token)
    if (!link?.owner) return null
    await setPasswordAndForgetKnownDevicesAndLinks(tx, link.owner, hashed)
    await then(tx, link.owner)
    return link.owner
  })
}
