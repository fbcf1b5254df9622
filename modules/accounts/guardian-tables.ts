import type postgres from 'postgres'
import { v7 as newId } from 'uuid'
import { tokenHash } from '../secret-tokens.ts'
import { DEFAULT_TIME_ZONE } from '../time-zone-default-and-validation.ts'
import { ADULT_AGE, ageOn } from './policy.ts'

export interface Guardian {
  id: string
  name: string
  email: string
  timeZone: string
}

/** A player under 18, as shown to their guardian. */
export interface Child {
  id: string
  firstName: string
  /** Whether this guardian has ever given consent for the child. Until then, the guardian can read only the first name. */
  agreed: boolean
  /** The guardian's latest answer, or null before the first one. */
  consent: GuardianConsentStatus | null
}

export type GuardianConsentStatus = 'given' | 'refused' | 'withdrawn'

/** Whether the guardian's consent is in effect. Rows from before `consent` existed have only `agreed`. */
export const childHasGuardianConsent = ({ agreed, consent }: Pick<Child, 'agreed' | 'consent'>) =>
  agreed && (consent ?? 'given') === 'given'

/** The guardian with this id, or null. The time zone is our default if none was set. */
export async function guardianById(db: postgres.ISql, id: string): Promise<Guardian | null> {
  const [row] = await db<
    Guardian[]
  >`select id, name, email, coalesce(time_zone, ${DEFAULT_TIME_ZONE}) as "timeZone" from guardians where id = ${id}`
  return row ?? null
}

/** Sets the time zone of a guardian's family. With `isDefault`, only if none was set before. */
export async function setFamilyTimeZone(db: postgres.ISql, guardian: string, timeZone: string, { isDefault = false } = {}): Promise<void> {
  await db`update guardians set time_zone = ${timeZone} where id = ${guardian} ${isDefault ? db`and time_zone is null` : db``}`
}

/**
 * The id of the guardian with this email address, or null. Finds guardians who look after a player, who once gave consent for one, or all of
 * whose players were deleted. Somebody who was named by mistake and has been replaced since is not found.
 */
export async function guardianIdByEmail(db: postgres.ISql, email: string): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select id from guardians g where email = ${email.trim().toLowerCase()}
      and (exists (select 1 from guardianships s where s.guardian = g.id and (s.until is null or s.agreed is not null))
        or not exists (select 1 from guardianships s where s.guardian = g.id))`
  return row?.id ?? null
}

/** The players under 18 whom this guardian looks after now, oldest guardianship first. */
export async function childrenOf(db: postgres.ISql, guardian: string, now: Date): Promise<Child[]> {
  const rows = await db<(Child & { born: string })[]>`
    select u.id, u.first_name as "firstName", s.agreed is not null as agreed,
      coalesce(s.consent, case when s.agreed is not null then 'given' end) as consent, u.born
    from guardianships s join users u on u.id = s.player
    where s.guardian = ${guardian} and s.until is null order by s.since, u.id`
  return rows.filter(row => ageOn(row.born, now) < ADULT_AGE).map(({ born: _, ...child }) => child)
}

/** Whether this guardian looks after any player under 18. */
export const hasChildren = async (db: postgres.ISql, guardian: string, now: Date) => (await childrenOf(db, guardian, now)).length > 0

/**
 * SQL: whether a former guardian gave consent for the player `u`, a `users` row of the outer query. `users.deleted_guardian_agreed` stands
 * for former guardians whose record was deleted; the trigger `guardian_deleted` sets it.
 */
export const formerGuardianAgreed = (db: postgres.ISql) => db`(u.deleted_guardian_agreed is not null
  or exists (select 1 from guardianships e where e.player = u.id and e.until is not null and e.agreed is not null))`

/** SQL: whether any guardian, current or former, has ever given consent for the player `u`, a `users` row of the outer query. */
const agreedEver = (db: postgres.ISql) => db`(u.deleted_guardian_agreed is not null
  or exists (select 1 from guardianships e where e.player = u.id and e.agreed is not null))`

/** Whether any guardian of this player, current or former, has ever given consent. */
export async function hasAnyGuardianEverAgreed(db: postgres.ISql, player: string): Promise<boolean> {
  return (await db`select 1 from users u where u.id = ${player} and ${agreedEver(db)}`).length > 0
}

/**
 * Ids of players under 18 whose current guardian refused consent before the time `before`, and for whom no guardian has ever given consent.
 * If a former guardian gave consent, the refusal may come from a stranger whose address that guardian entered by mistake. First records
 * `now` as the time of every refusal that has none.
 */
export async function playerIdsWithInitialRefusalBefore(db: postgres.ISql, before: Date, now: Date): Promise<string[]> {
  await db`update guardianships set answered = ${now} where consent = 'refused' and answered is null`
  const rows = await db<{ player: string; born: string }[]>`
    select s.player, u.born from guardianships s join users u on u.id = s.player
    where s.until is null and s.consent = 'refused' and s.answered < ${before} and not ${agreedEver(db)} order by s.answered`
  return rows.filter(({ born }) => ageOn(born, now) < ADULT_AGE).map(row => row.player)
}

/** When consent was refused for a player under 18 for whom no guardian has ever given it. Null for others, or if no time is recorded. */
export async function initialConsentRefusedAt(db: postgres.ISql, player: string, now: Date): Promise<Date | null> {
  const [row] = await db<{ answered: string | null; born: string }[]>`
    select s.answered, u.born from guardianships s join users u on u.id = s.player
    where s.player = ${player} and s.until is null and s.consent = 'refused' and not ${agreedEver(db)}`
  return row?.answered && ageOn(row.born, now) < ADULT_AGE ? new Date(row.answered) : null
}

/** The request for consent that a guardian's link opens, or null if the link does not work or the player has turned 18. */
export async function consentRequestOfLink(db: postgres.ISql, token: string, now: Date) {
  const [row] = await db<{ player: string; guardian: string; playerFirstName: string; guardianName: string; born: string }[]>`
    select u.id as player, g.id as guardian, u.first_name as "playerFirstName", s.name as "guardianName", u.born
    from links l join users u on u.id = l.owner join guardianships s on s.player = u.id and s.until is null
      join guardians g on g.id = s.guardian and g.email = lower(l.email)
    where l.hash = ${tokenHash(token)} and l.kind = 'guardian' and l.expires > ${now}`
  if (!row || ageOn(row.born, now) >= ADULT_AGE) return null
  const { born: _, ...request } = row
  return request
}

/** The player's current guardian, with the name as entered for this player, and the guardian's answer. Null if there is no guardian. */
export async function currentGuardianWithConsentStatus(
  db: postgres.ISql,
  player: string,
): Promise<{ name: string; email: string; consent: GuardianConsentStatus | null } | null> {
  const [row] = await db<{ name: string; email: string; consent: GuardianConsentStatus | null }[]>`
    select s.name, g.email, s.consent from guardianships s join guardians g on g.id = s.guardian where s.player = ${player} and s.until is null`
  return row ?? null
}

/** Copies the guardian's answer from the log to the account tables. @returns false if the player has a different guardian by now */
export async function setConsent(
  tx: postgres.TransactionSql,
  player: string,
  guardian: string,
  status: GuardianConsentStatus,
  now: Date,
): Promise<boolean> {
  const consentTime = status === 'given' ? now : null
  // Locks the player before the guardianship, in the same order as a change of guardian, so that the two cannot deadlock.
  await tx`select 1 from users where id = ${player} for no key update`
  const rows = await tx`
    update guardianships set consent = ${status}, agreed = coalesce(agreed, ${consentTime}),
      answered = case when consent is distinct from ${status} then ${now} else answered end
    where player = ${player} and guardian = ${guardian} and until is null returning player`
  if (!rows.length) return false
  await tx`
    update users set guardian_confirmed = case when ${status === 'given'} then coalesce(guardian_confirmed, ${consentTime}) end
    where id = ${player}`
  return true
}

/** Finds the guardian with this address, or adds one with this name. @returns the guardian's id */
export async function findOrAddGuardian(db: postgres.ISql, { name, email }: NamedGuardian, now: Date): Promise<string> {
  const address = email.trim().toLowerCase()
  await db`insert into guardians (id, email, name, created) values (${newId()}, ${address}, ${name}, ${now}) on conflict (email) do nothing`
  const [row] = await db<{ id: string }[]>`select id from guardians where email = ${address}`
  return row!.id
}

/** The current guardian of this player, or null. `agreed`: whether this guardian has ever given consent for the player. */
export async function currentGuardianAndConsentOf(
  db: postgres.ISql,
  player: string,
): Promise<{ guardian: string; email: string; agreed: boolean } | null> {
  const [row] = await db<{ guardian: string; email: string; agreed: boolean }[]>`
    select s.guardian, g.email, s.agreed is not null as agreed
    from guardianships s join guardians g on g.id = s.guardian where s.player = ${player} and s.until is null`
  return row ?? null
}

/** Whether a former guardian gave consent. If so, that guardian or support chose the current one. */
export async function hasFormerGuardianAgreed(db: postgres.ISql, player: string): Promise<boolean> {
  return (await db`select 1 from users u where u.id = ${player} and ${formerGuardianAgreed(db)}`).length > 0
}

/**
 * Makes another guardian responsible for a player under 18, in place of `former`, which is null if the player has none. The new guardian
 * has not agreed yet.
 * @returns false if the player's guardian is no longer `former`, or the player is no longer under 18
 */
export async function replaceGuardian(
  tx: postgres.TransactionSql,
  player: string,
  { former, guardian, name, email }: { former: string | null; guardian: string } & NamedGuardian,
  now: Date,
): Promise<boolean> {
  if (!(await lockMinor(tx, player, now))) return false
  const present = await currentGuardianAndConsentOf(tx, player)
  if ((present?.guardian ?? null) !== former) return false
  await startGuardianship(tx, player, guardian, { name, email }, now)
  return true
}

interface NamedGuardian {
  name: string
  email: string
}

/** Locks the player's row, so that two changes of the guardian run one after the other. @returns false if this is not a player under 18 */
async function lockMinor(tx: postgres.ISql, player: string, now: Date): Promise<boolean> {
  const [minor] = await tx<
    { born: string }[]
  >`select born from users where id = ${player} and role = 'player' and born is not null for no key update`
  return minor !== undefined && ageOn(minor.born, now) < ADULT_AGE
}

/**
 * Replaces the player's guardian, if any, with this one, who has not agreed yet. Servers of the previous release read the guardian from
 * `users.guardian_name`, `guardian_email` and `guardian_confirmed`, so those columns are written too until a migration drops them.
 */
async function startGuardianship(tx: postgres.ISql, player: string, guardian: string, { name, email }: NamedGuardian, now: Date) {
  await tx`update guardianships set until = ${now} where player = ${player} and until is null`
  await tx`insert into guardianships (guardian, player, name, since) values (${guardian}, ${player}, ${name}, ${now})`
  await tx`update users set guardian_name = ${name}, guardian_email = ${email}, guardian_confirmed = null where id = ${player}`
}

/**
 * Sets the guardian of a player under 18, unless the current guardian has agreed.
 * @returns false if the current guardian has agreed, or this is not a player under 18
 */
export async function setGuardianBeforeConsent(
  tx: postgres.ISql,
  player: string,
  { name, email }: NamedGuardian,
  now: Date,
): Promise<boolean> {
  if (!(await lockMinor(tx, player, now))) return false
  const guardian = await findOrAddGuardian(tx, { name, email }, now)
  const present = await currentGuardianAndConsentOf(tx, player)
  if (present?.agreed) return false
  if (present?.guardian !== guardian) {
    await startGuardianship(tx, player, guardian, { name, email }, now)
    return true
  }
  await tx`update guardianships set name = ${name} where player = ${player} and until is null`
  await tx`update users set guardian_name = ${name}, guardian_email = ${email} where id = ${player}`
  return true
}
