import type { Sql } from 'postgres'
import type { VettingStatus } from '../modules/instructors/contract.ts'
import { tableOf } from '../modules/kernel/projection.ts'
import type { VettedInstructor } from '../modules/vetting/contract.ts'
import { lastNoticeDay, validityOf } from '../modules/vetting/policy.ts'
import { assignments } from './assignments.ts'
import { payments } from './payments.ts'
import { medianHours, responses } from './responses.ts'
import { requests } from './support.ts'
import type { StoredCheck } from './vetting.ts'
import { vettings } from './vetting.ts'

/** Maximum number of instructors in one response; a search finds the others. */
const MAX_LISTED_INSTRUCTORS = 200

type Found = Omit<VettedInstructor, 'checks' | 'sessions' | 'refunds'> & {
  checks: (StoredCheck & { byName: string | null })[]
  open: number
  delivered: number
  refundCount: number
  refundCents: number
}

const find = (sql: Sql, which: ReturnType<Sql>, now: Date) => sql<Found[]>`
  -- Who is listed is decided first: what they delivered and earned is added up for them alone.
  with listed as (
    select i.id, row_number() over (
      -- A check that expires needs an administrator now; then comes who waits longest.
      order by exists (
        select 1 from jsonb_array_elements(coalesce(v.checks, '[]')) c
        where c ->> 'expires' <= ${lastNoticeDay(now)}
      ) desc, coalesce(v.decided, u.created), i.id
    ) as place
    from instructors i join users u on u.id = i.id left join ${sql(tableOf(vettings))} v on v.instructor = i.id
    where ${which} order by place limit ${MAX_LISTED_INSTRUCTORS}
  )
  select i.id, u.first_name as "firstName", u.last_name as "lastName", u.email, coalesce(v.email_confirmed, false) as "emailConfirmed",
    u.phone, u.born, u.created as registered, u.picture as "profilePicture", i.slug as "profileSlug", i.sports as type, i.skills, i.about,
    i.experience, coalesce(v.status, 'pending') as status, v.reason, v.decided,
    case when v.featured > ${now} then v.featured end as "featuredUntil",
    (select coalesce(json_agg(c || jsonb_build_object('byName', a.first_name || ' ' || a.last_name) order by c ->> 'recorded'), '[]')
      from jsonb_array_elements(coalesce(v.checks, '[]')) c left join users a on a.id::text = c ->> 'by') as checks,
    (select count(*)::int from connections c where c.instructor = i.id) as players,
    s.open, r.delivered, r.hours as "responseHours", p.earned, p."refundCount", p."refundCents",
    (select count(*)::int from ${sql(tableOf(requests))} q where q.asker = i.id) as requests
  from listed join instructors i using (id) join users u on u.id = i.id left join ${sql(tableOf(vettings))} v on v.instructor = i.id,
  lateral (
    select count(*) filter (where status in ('assigned', 'in-review'))::int as open
    from ${sql(tableOf(assignments))} where instructor = i.id and status <> 'ended'
  ) s,
  lateral (
    select ${medianHours(sql)} as hours, count(*)::int as delivered from ${sql(tableOf(responses))} where instructor = i.id and given is not null
  ) r,
  lateral (
    select coalesce(sum(share + tip) filter (where status = 'paid' and refunded < charged and dispute is distinct from 'lost'), 0)::int as earned,
      count(*) filter (where refunded > 0)::int as "refundCount", coalesce(sum(refunded), 0)::int as "refundCents"
    from ${sql(tableOf(payments))} where instructor = i.id
  ) p
  order by listed.place`

const shown =
  (now: Date) =>
  (found: Found): VettedInstructor => {
    const { open, delivered, refundCount, refundCents, checks, ...rest } = found
    return {
      ...rest,
      sessions: { open, delivered },
      refunds: { count: refundCount, cents: refundCents },
      checks: checks.map(({ by: _, byName, ...check }) => ({ ...check, by: byName, validity: validityOf(check, now) })),
    }
  }

/** Instructors with a status, for administrators, at most 200. `search` matches part of a name or of an email address. */
export async function vettedInstructors(
  sql: Sql,
  status: VettingStatus,
  search: string | undefined,
  now: Date,
): Promise<VettedInstructor[]> {
  const pattern = `%${(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const named = search ? sql`and (u.first_name || ' ' || u.last_name ilike ${pattern} or u.email ilike ${pattern})` : sql``
  return (await find(sql, sql`coalesce(v.status, 'pending') = ${status} ${named}`, now)).map(shown(now))
}

/** One instructor for administrators; undefined if there is no such instructor. */
export async function vettedInstructor(sql: Sql, instructor: string, now: Date): Promise<VettedInstructor | undefined> {
  return (await find(sql, sql`i.id = ${instructor}`, now)).map(shown(now))[0]
}

/** The number of instructors by status. */
export async function vettingCounts(sql: Sql): Promise<Record<VettingStatus, number>> {
  const rows = await sql<{ status: VettingStatus; count: number }[]>`
    select coalesce(v.status, 'pending') as status, count(*)::int as count
    from instructors i left join ${sql(tableOf(vettings))} v on v.instructor = i.id group by 1`
  return { pending: 0, approved: 0, suspended: 0, declined: 0, ...Object.fromEntries(rows.map(row => [row.status, row.count])) }
}
