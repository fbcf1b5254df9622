import type postgres from 'postgres'
import { v7 as newId } from 'uuid'
import { CommandRefused } from '../kernel/store.ts'
import type { AdminRegistration, InstructorRegistration, PlayerRegistration, User } from './contract.ts'
import {
  accountIdsWithRestorableEmail,
  consumeEmailedLink,
  findEmailedLink,
  restorableEmailOfAnotherAccountRefusal,
} from './emailed-links.ts'
import { setGuardianBeforeConsent } from './guardian-tables.ts'
import { hashPassword, type PasswordQueueKeys, verifyPassword } from './passwords.ts'
import { ADULT_AGE, ageOn } from './policy.ts'

/** The user with this id, with the fields that every page needs; null if there is none. */
export async function loadUser(db: postgres.ISql, id: string, now: Date): Promise<User | null> {
  const [row] = await db<(Omit<User, 'guardian'> & { born: string | null; consent: 'given' | 'refused' | 'withdrawn' | null })[]>`
    select u.id, u.username, u.role, u.first_name as "firstName", u.last_name as "lastName", u.email,
      u.picture as "profilePicture", i.slug as "profileSlug", u.born, coalesce(g.consent, case when g.agreed is not null then 'given' end) as consent
    from users u left join instructors i on i.id = u.id left join guardianships g on g.player = u.id and g.until is null
    where u.id = ${id}`
  if (!row) return null
  const { born, consent, ...user } = row
  const minor = born !== null && ageOn(born, now) < ADULT_AGE
  return { ...user, guardian: minor ? (consent === 'given' ? 'confirmed' : (consent ?? 'waiting')) : null }
}

/** Whether this is a player under 18. `loadUser` sets `guardian` only for them, whether or not a guardian has agreed. */
export const isUserMinor = async (db: postgres.ISql, id: string, now: Date): Promise<boolean> =>
  ((await loadUser(db, id, now))?.guardian ?? null) !== null

/** Whether somebody can log in with this address. False for a former address, even if its owner can still restore it. */
export async function isEmailOfAccount(db: postgres.ISql, email: string): Promise<boolean> {
  return (await db`select 1 from users where username = ${email.trim().toLowerCase()}`).length > 0
}

/** A user who entered the right password, and the hash that it matched. */
export interface AuthenticatedUserIdAndPasswordHash {
  id: string
  password: string
}

/** The user with this username and password, or null. Takes just as long if there is no such user. @throws PasswordQueueFullError */
export async function authenticate(
  db: postgres.ISql,
  username: string,
  password: string,
  asker: PasswordQueueKeys = [],
): Promise<AuthenticatedUserIdAndPasswordHash | null> {
  const [row] = await db<
    AuthenticatedUserIdAndPasswordHash[]
  >`select id, password from users where username = ${username.trim().toLowerCase()}`
  return (await verifyPassword(password, row?.password, asker)) ? row! : null
}

/**
 * Whether the password that was verified is still the current one. Locks the account's row until the transaction ends, so that the password
 * stays the same. With a shared lock, two transactions that go on to change the password would deadlock.
 */
export async function isVerifiedPasswordCurrent(
  tx: postgres.TransactionSql,
  { id, password }: AuthenticatedUserIdAndPasswordHash,
): Promise<boolean> {
  return (await tx`select 1 from users where id = ${id} and password = ${password} for no key update`).length > 0
}

type Registration = (
  | { role: 'player'; data: PlayerRegistration }
  | { role: 'instructor'; data: InstructorRegistration }
  | { role: 'admin'; data: AdminRegistration }
) & { asker?: PasswordQueueKeys }

/**
 * Creates an account. `allowed` throws if registration is not permitted. `then` runs in the transaction that inserts the account, with the
 * new user's id. If this command has created the account before, returns that account without calling `allowed`.
 * @throws CommandRefused `username-taken`, `email-restorable`, PasswordQueueFullError
 */
export async function registerAccount(
  sql: postgres.Sql,
  { role, data, asker }: Registration,
  command: string,
  now: Date,
  then: (tx: postgres.TransactionSql, id: string) => Promise<void>,
  allowed?: () => Promise<void>,
): Promise<AuthenticatedUserIdAndPasswordHash> {
  const username = data.email.toLowerCase()
  const existing = await existingRegistration(sql, username)
  if (existing && (await isRepeated(existing))) return existing
  await allowed?.()
  if (existing) throw usernameTaken()
  const password = await hashPassword(data.password, asker)
  const id = newId()
  const guardian =
    role === 'player' && data.guardianName && data.guardianEmail ? { name: data.guardianName, email: data.guardianEmail } : null
  const created = await sql.begin(async tx => {
    const rows = await tx`
      insert into users (id, role, username, email, password, first_name, last_name, phone, born, referral_code, command, created)
      values (${id}, ${role}, ${username}, ${data.email}, ${password}, ${data.firstName}, ${data.lastName}, ${data.phone ?? null},
        ${role === 'admin' ? null : data.dateOfBirth}, ${role === 'admin' ? null : (data.referralCode ?? null)},
        ${command}, ${now})
      on conflict do nothing returning id`
    if (!rows.length) return null
    // Without this check, whoever took over an account could register its former address, so that the owner could not restore it.
    if ((await accountIdsWithRestorableEmail(tx, username, now)).length) throw restorableEmailOfAnotherAccountRefusal()
    if (guardian) await setGuardianBeforeConsent(tx, id, guardian, now)
    await then(tx, id)
    return { id, password }
  })
  if (created) return created
  // The browser may retry a request that the server is still processing, so another request with this command may have created the account.
  const winner = await existingRegistration(sql, username)
  if (winner && (await isRepeated(winner))) return winner
  throw usernameTaken()

  async function isRepeated(account: { command: string; password: string }) {
    return account.command === command && (await verifyPassword(data.password, account.password, asker))
  }
}

async function existingRegistration(sql: postgres.Sql, username: string) {
  const [row] = await sql<{ id: string; password: string; command: string }[]>`
    select id, password, command from users where username = ${username}`
  return row
}

const usernameTaken = () => new CommandRefused('Username already exists', 'username-taken', 'email')

/** Whether an administrator can register with this token now. */
export async function isAdminRegistrationLinkUsable(db: postgres.ISql, token: string, now: Date): Promise<boolean> {
  if (await findEmailedLink(db, now, 'admin-invitation', token)) return true
  return (await findEmailedLink(db, now, 'admin-setup', token)) !== null && !(await hasAdmin(db))
}

/**
 * Consumes an administrator's invitation or the setup link.
 * @param self the account that is being registered
 * @returns the link's id; null if the token does not work, or if it is a setup link and another administrator exists
 */
export async function consumeAdminRegistrationLink(
  tx: postgres.TransactionSql,
  token: string,
  now: Date,
  self: string,
): Promise<string | null> {
  await tx`select pg_advisory_xact_lock(hashtext('first admin'))`
  const invited = await consumeEmailedLink(tx, now, 'admin-invitation', token)
  if (invited) return invited.id
  const setup = await consumeEmailedLink(tx, now, 'admin-setup', token)
  if (!setup) return null
  const others = await tx`select 1 from users where role = 'admin' and id <> ${self} limit 1`
  return others.length === 0 ? setup.id : null
}

/** Whether an administrator exists. If so, no setup link is created. */
export async function hasAdmin(db: postgres.ISql): Promise<boolean> {
  return (await db`select 1 from users where role = 'admin' limit 1`).length > 0
}

/** Returns a function that finds out which of the given ids are accounts. */
export const existingAccountIds = (sql: postgres.Sql) => async (ids: string[]) =>
  new Set((await sql<{ id: string }[]>`select id from users where id = any(${ids}::uuid[])`).map(row => row.id))
