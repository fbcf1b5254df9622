import type { Sql } from 'postgres'
import { tableOf } from '../../modules/kernel/projection.ts'
import {
  LETTER_TO_INVITED_ADMIN,
  LETTERS_ONLY_TO_GUARDIANS,
  SESSION_LETTERS_TO_INSTRUCTORS,
} from '../../modules/letters/letter-recipients-and-occasions.ts'
import { withoutPostponedErrands } from '../../modules/letters/morning-errands.ts'
import { wasLetterObsolete } from '../../modules/letters/sent-letters.ts'
import { assignments } from '../../projections/assignments.ts'
import { folders } from '../../projections/folders.ts'
import { purchases } from '../../projections/package-purchases.ts'
import { payments } from '../../projections/payments.ts'

/**
 * A person's account data: the account, the guardian of a minor, the public profile, the connections, whom a player follows, and whether
 * reminders are sent. Null if it was deleted.
 */
export async function exportedProfileOf(sql: Sql, person: string) {
  const [row] = await sql<{ role: string; picture: Uint8Array | null }[]>`
    select u.role, u.email, u.first_name as "firstName", u.last_name as "lastName", u.phone, u.born as "dateOfBirth",
      u.referral_code as "referralCode", u.time_zone as "timeZone", u.created as registered, p.bytes as picture,
      case when s.player is null then null else json_build_object('name', s.name, 'email', g.email, 'since', s.since, 'agreed', s.agreed) end as guardian,
      case when i.id is null then null else json_build_object('address', i.slug, 'sports', i.sports, 'skills', i.skills, 'about', i.about,
        'experience', i.experience, 'inviteCode', i.invite_code) end as profile,
      (select json_build_object('bats', t.bats, 'throws', t.throws, 'level', t.level) from player_traits t where t.player = u.id) as traits,
      (select coalesce(json_agg(json_build_object('with', o.first_name || ' ' || o.last_name, 'since', c.since)), '[]')
        from connections c join users o on o.id = case when c.player = u.id then c.instructor else c.player end
        where c.player = u.id or c.instructor = u.id) as connections,
      (select coalesce(json_agg(json_build_object('instructor', o.first_name || ' ' || o.last_name, 'since', f.since)), '[]')
        from follows f join users o on o.id = f.instructor where f.player = u.id) as follows,
      coalesce((select reminders from letter_readers where person = u.id), true) as reminders
    from users u left join pictures p on p.owner = u.id left join instructors i on i.id = u.id
      left join guardianships s on s.player = u.id and s.until is null left join guardians g on g.id = s.guardian
    where u.id = ${person}`
  return row ?? null
}

/**
 * The letters that a person was sent, and when. Their text is not included, because it is written at sending time and not stored. Letters
 * about a payment go to its payer, who may be the guardian, and some letters about a session go to its instructor instead of its player.
 * @param requests ids of the person's support requests
 */
export async function exportedLettersOf(sql: Sql, person: string, role: string, requests: string[]) {
  const [theirSessions, theirPayments, isForRole] =
    role === 'instructor'
      ? [
          sql`select assignment::text from ${sql(tableOf(assignments))} where instructor = ${person}`,
          sql`select payment::text from ${sql(tableOf(payments))} where instructor = ${person}`,
          sql`kind = any(${SESSION_LETTERS_TO_INSTRUCTORS as string[]})`,
        ]
      : [
          sql`select assignment::text from ${sql(tableOf(assignments))} where player = ${person}`,
          sql`
            select payment::text from ${sql(tableOf(payments))} where payer = ${person}
            union select purchase::text from ${sql(tableOf(purchases))} where payer = ${person}`,
          sql`kind <> all(${SESSION_LETTERS_TO_INSTRUCTORS as string[]})`,
        ]
  const letters = await sql<{ id: string; kind: string; sent: string | null }[]>`
    select id, substr(kind, 8) as kind, done as sent from errands e
    where kind like 'letter.%' and kind <> all(${[...LETTERS_ONLY_TO_GUARDIANS, LETTER_TO_INVITED_ADMIN]})
      and not (kind = 'letter.export-ready' and payload ? 'guardian') and not ${wasLetterObsolete(sql, sql`e.id`)}
      and (payload ->> 'user' = ${person} or payload ->> 'instructor' = ${person} or payload ->> 'request' = any(${requests})
        or kind = 'letter.video-refused' and payload ->> 'folder' in (
          select folder::text from ${sql(tableOf(folders))} where player = ${person})
        or ${isForRole} and (payload ->> 'assignment' in (${theirSessions})
          or coalesce(payload ->> 'payment', payload ->> 'purchase') in (${theirPayments})))
    order by done`
  return withoutPostponedErrands(letters).flatMap(({ kind, sent }) => (sent ? { kind, sent } : []))
}

/** An instructor's reviews that are not delivered yet, as they were last saved. */
export const exportedDraftsOf = (sql: Sql, instructor: string) =>
  sql`select assignment as session, saved, draft from drafts where instructor = ${instructor} order by saved`

/** A person's login sessions, and the browsers that are recognized as theirs. */
export async function exportedSignInsOf(sql: Sql, person: string) {
  const [sessions, browsers] = await Promise.all([
    sql`select device, started, last_used as "lastUsed", expires from sessions where owner = ${person} order by started`,
    sql`select last_used as "lastUsed" from devices where owner = ${person} order by last_used`,
  ])
  return { sessions, browsers }
}

/** Private links to a player's reviews, without the secrets, of which only hashes are stored. */
export const exportedReviewLinksOf = (sql: Sql, player: string) =>
  sql`select folder, session, name, created, expires, opens, opened from review_links where player = ${player} order by created`
