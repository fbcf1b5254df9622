import type postgres from 'postgres'
import { findLink } from './links.ts'
import { tokenHash } from './tokens.ts'

/** What a guardian's link is about; null if it does not work (any more). */
export async function guardianRequestOf(db: postgres.ISql, token: string, now: Date) {
  const link = await findLink(db, now, 'guardian', token)
  if (!link) return null
  const [row] = await db<{ id: string; playerFirstName: string; guardianName: string; confirmed: boolean }[]>`
    select id, first_name as "playerFirstName", guardian_name as "guardianName", guardian_confirmed is not null as confirmed
    from users where id = ${link.owner}`
  return row ?? null
}

/** Who was asked to agree for this player, and where the letter went; null where nobody was. */
export async function requestedGuardian(db: postgres.ISql, player: string): Promise<{ name: string; email: string } | null> {
  const [row] = await db<{ name: string; email: string }[]>`
    select guardian_name as name, guardian_email as email from users where id = ${player} and guardian_email is not null`
  return row ?? null
}

/**
 * The guardian agrees by the link; saying so again changes nothing. False where the link does not work (any more), or another has been named
 * meanwhile, who was not asked.
 */
export async function recordConsent(db: postgres.ISql, token: string, now: Date): Promise<boolean> {
  const rows = await db`
    update users u set guardian_confirmed = coalesce(u.guardian_confirmed, ${now}) from links l
    where l.hash = ${tokenHash(token)} and l.kind = 'guardian' and l.expires > ${now}
      and u.id = l.owner and u.guardian_email = coalesce(l.email, u.guardian_email) returning u.id`
  return rows.length > 0
}

/** Another guardian, as long as none has agreed; false once one has, or where none is needed. */
export async function nameGuardian(db: postgres.ISql, player: string, guardian: { name: string; email: string }): Promise<boolean> {
  const rows = await db`update users set guardian_name = ${guardian.name}, guardian_email = ${guardian.email}
    where id = ${player} and role = 'player' and guardian_confirmed is null and guardian_name is not null returning id`
  return rows.length > 0
}
