import type postgres from 'postgres'
import { DEFAULT_TIME_ZONE } from '../time-zone-default-and-validation.ts'
import { ADULT_AGE } from './policy.ts'

/**
 * The time zone for the dates in letters to an account's owner or a guardian, and for a minor's quiet hours. For a minor, the guardian's
 * setting takes precedence over the minor's own. If nothing is set, the business's time zone applies.
 */
export async function letterTimeZoneOf(db: postgres.ISql, id: string, now: Date): Promise<string> {
  const [row] = await db<{ timeZone: string }[]>`
    select coalesce(
      (select time_zone from guardians where id = ${id}),
      (select g.time_zone from users u join guardianships s on s.player = u.id and s.until is null join guardians g on g.id = s.guardian
        where u.id = ${id} and u.role = 'player' and u.born > ${now}::date - make_interval(years => ${ADULT_AGE})),
      (select time_zone from users where id = ${id}),
      ${DEFAULT_TIME_ZONE}) as "timeZone"`
  return row!.timeZone
}

/** The time zone that a person has chosen for their account, or the business's if they have not chosen one. */
export async function accountTimeZoneOf(db: postgres.ISql, user: string): Promise<string> {
  const [row] = await db<{ timeZone: string | null }[]>`select time_zone as "timeZone" from users where id = ${user}`
  return row?.timeZone ?? DEFAULT_TIME_ZONE
}

export const setAccountTimeZone = (db: postgres.ISql, user: string, timeZone: string) =>
  db`update users set time_zone = ${timeZone} where id = ${user}`
