import type { Sql } from 'postgres'
import { escapeLikePattern } from '../modules/escape-like-pattern.ts'
import type { VettingStatus } from '../modules/instructors/contract.ts'
import { tableOf } from '../modules/kernel/projection.ts'
import { type PageOfRows, paginateRows } from '../modules/pagination.ts'
import type { InstructorVetting } from '../modules/vetting/contract.ts'
import { lastCheckExpiryDayToNotify, validityOfCheck } from '../modules/vetting/policy.ts'
import { assignments } from './assignments.ts'
import { payments } from './payments.ts'
import { medianResponseHoursSql, responseTimes } from './response-times.ts'
import { supportRequests } from './support-requests.ts'
import type { StoredCheck } from './vetting.ts'
import { vettings } from './vetting.ts'

/**
 * The sort key of the administrators' list of instructors: whether a check expires soon or has expired, when the status was decided (or, if
 * it has not been, when the instructor registered), and the id.
 */
export type InstructorVettingListCursor = [isExpiring: boolean, since: string, id: string]

type Found = Omit<InstructorVetting, 'checks' | 'sessions' | 'refunds'> & {
  checks: (StoredCheck & { byName: string | null })[]
  open: number
  delivered: number
  refundCount: number
  refundCents: number
  expiring: boolean
  since: string
}

interface VettedPage {
  after?: InstructorVettingListCursor | undefined
  limit: number
}

const find = (sql: Sql, which: ReturnType<Sql>, now: Date, { after, limit }: VettedPage) => sql<Found[]>`
  -- Choose the instructors of the page first, so that sessions and earnings are added up only for them.
  with listed as (
    -- Instructors with an expiring check come first, because an administrator has to act now; then those who have waited longest.
    select * from (
      select i.id, date_trunc('milliseconds', coalesce(v.decided, u.created)) as since, exists (
        select 1 from jsonb_array_elements(coalesce(v.checks, '[]')) c where c ->> 'expires' <= ${lastCheckExpiryDayToNotify(now)}
      ) as expiring
      from instructors i join users u on u.id = i.id left join ${sql(tableOf(vettings))} v on v.instructor = i.id
      where ${which}
    ) q
    where ${after ? sql`(not expiring, since, id) > (${!after[0]}, ${after[1]}::timestamptz, ${after[2]}::uuid)` : sql`true`}
    order by expiring desc, since, id limit ${limit}
  )
  select i.id, u.first_name as "firstName", u.last_name as "lastName", u.email, coalesce(v.email_confirmed, false) as "emailConfirmed",
    u.phone, u.born, u.created as registered, u.picture as "profilePicture", i.slug as "profileSlug", i.sports as type, i.skills, i.about,
    i.experience, coalesce(v.status, 'pending') as status, v.reason, v.decided,
    case when greatest(i.featured_until, v.featured) > ${now} then greatest(i.featured_until, v.featured) end as "featuredUntil",
    (select coalesce(json_agg(c || jsonb_build_object('byName', a.first_name || ' ' || a.last_name) order by c ->> 'recorded'), '[]')
      from jsonb_array_elements(coalesce(v.checks, '[]')) c left join users a on a.id = (c ->> 'by')::uuid) as checks,
    (select count(*)::int from connections c where c.instructor = i.id) as players,
    listed.expiring, listed.since, s.open, r.delivered, r.hours as "responseHours", p.earned, p."refundCount", p."refundCents",
    (select count(*)::int from ${sql(tableOf(supportRequests))} q where q.asker = i.id) as requests,
    c.complaints
  from listed join instructors i using (id) join users u on u.id = i.id left join ${sql(tableOf(vettings))} v on v.instructor = i.id,
  lateral (
    select count(*) filter (where status in ('assigned', 'in-review'))::int as open
    from ${sql(tableOf(assignments))} where instructor = i.id and status <> 'ended'
  ) s,
  lateral (
    select ${medianResponseHoursSql(sql)} as hours, count(*)::int as delivered from ${sql(tableOf(responseTimes))} where instructor = i.id and given is not null
  ) r,
  lateral (
    select coalesce(sum(share + tip) filter (where status = 'paid' and refunded < charged and dispute is distinct from 'lost'), 0)::int as earned,
      count(*) filter (where refunded > 0)::int as "refundCount", coalesce(sum(refunded), 0)::int as "refundCents"
    from ${sql(tableOf(payments))} where instructor = i.id
  ) p,
  lateral (
    -- Player by player, so that the requests of everybody else are not read.
    select coalesce(sum(of_player.issues), 0)::int as complaints
    from (select distinct player from ${sql(tableOf(assignments))} where instructor = i.id) theirs
    cross join lateral (
      select count(*) as issues from ${sql(tableOf(supportRequests))} q
      where q.asker = theirs.player and q.request_type = 'issue' and not q.by_system
    ) of_player
  ) c
  order by listed.expiring desc, listed.since, i.id`

const toInstructorVetting =
  (now: Date) =>
  (found: Found): InstructorVetting => {
    const { open, delivered, refundCount, refundCents, checks, expiring: _, since: __, ...rest } = found
    return {
      ...rest,
      sessions: { open, delivered },
      refunds: { count: refundCount, cents: refundCents },
      checks: checks.map(({ by: ___, byName, ...check }) => ({ ...check, by: byName, validity: validityOfCheck(check, now) })),
    }
  }

/** A page of the instructors with a status, for administrators. `search` matches part of a name or of an email address. */
export async function pageOfInstructorVettings(
  sql: Sql,
  status: VettingStatus,
  search: string | undefined,
  now: Date,
  { after, limit }: VettedPage,
): Promise<PageOfRows<InstructorVetting>> {
  const pattern = `%${escapeLikePattern(search ?? '')}%`
  const named = search ? sql`and (u.first_name || ' ' || u.last_name ilike ${pattern} or u.email ilike ${pattern})` : sql``
  const instructorRows = await find(sql, sql`coalesce(v.status, 'pending') = ${status} ${named}`, now, { after, limit: limit + 1 })
  const { rows, next } = paginateRows(instructorRows, limit, i => [i.expiring, i.since, i.id] satisfies InstructorVettingListCursor)
  return { rows: rows.map(toInstructorVetting(now)), next }
}

/** One instructor for administrators; undefined if there is no such instructor. */
export async function vettingOfInstructor(sql: Sql, instructor: string, now: Date): Promise<InstructorVetting | undefined> {
  return (await find(sql, sql`i.id = ${instructor}`, now, { limit: 1 })).map(toInstructorVetting(now))[0]
}

/** The number of instructors by status. */
export async function vettingCounts(sql: Sql): Promise<Record<VettingStatus, number>> {
  const rows = await sql<{ status: VettingStatus; count: number }[]>`
    select coalesce(v.status, 'pending') as status, count(*)::int as count
    from instructors i left join ${sql(tableOf(vettings))} v on v.instructor = i.id group by 1`
  return { pending: 0, approved: 0, suspended: 0, declined: 0, ...Object.fromEntries(rows.map(row => [row.status, row.count])) }
}
