import type postgres from 'postgres'
import { utcDayOf } from '../modules/dates.ts'
import type { InstructorAccountStatus } from '../modules/folders/contract.ts'
import type {
  ConnectedOrFollowedInstructor,
  Instructor,
  InstructorPageCursor,
  OwnVettingStatus,
  ProfileWithoutRatings,
  PublicCheck,
} from '../modules/instructors/contract.ts'
import { hasCompleteProfileSql } from '../modules/instructors/instructor-profile-and-connection-tables.ts'
import { tableOf } from '../modules/kernel/projection.ts'
import { type PageOfRows, paginateRows } from '../modules/pagination.ts'
import { uuidSchema } from '../modules/uuid-validation.ts'
import { ratingSummarySql } from './ratings.ts'
import { medianResponseHoursSql, responseTimes } from './response-times.ts'
import { vettings } from './vetting.ts'

/** The person for whom instructors are looked up. Minors cannot find an instructor who has an expired check. */
export interface ProfileViewer {
  /** Null for visitors. */
  id: string | null
  isMinor: boolean
  isAdmin: boolean
}
/** The viewer for content that is the same for everybody, such as cached public pages. */
export const ANONYMOUS_VIEWER: ProfileViewer = { id: null, isMinor: false, isAdmin: false }

const hasCheck = (db: postgres.ISql, comparison: ReturnType<postgres.ISql>) =>
  db`exists (select 1 from jsonb_array_elements(coalesce(v.checks, '[]')) c where c ->> 'expires' ${comparison})`

/** SQL condition: whether an administrator has suspended or declined the instructor. */
const isRefused = (db: postgres.ISql) => db`v.status in ('suspended', 'declined')`

/**
 * SQL condition: whether the instructor's picture and texts are withheld from the viewer. A minor sees them only if an administrator
 * has approved the instructor, even when the instructor has invited the minor.
 */
const isWithheld = (db: postgres.ISql, { isMinor }: Pick<ProfileViewer, 'isMinor'>) =>
  db`(${isMinor} and v.status is distinct from 'approved')`

/** The SQL equivalent of `reachabilityOf` (`src/api/instructor-reachability.ts`), which derives the same value from the event log. */
const standing = (db: postgres.ISql, { isMinor }: Pick<ProfileViewer, 'isMinor'>, now: Date) => db`
  case when v.leaving or ${isRefused(db)} then 'closed'
    when v.status = 'approved' and not (${isMinor} and ${hasCheck(db, db`< ${utcDayOf(now)}`)}) then 'open'
    else 'invited' end`

const isFeatured = (db: postgres.ISql, now: Date) => db`coalesce(greatest(i.featured_until, v.featured) > ${now}, false)`

/** The checks of an instructor (table `v`: `vettings`) that are valid today, as the public sees them. */
export const publicChecksSql = (db: postgres.ISql, now: Date) => db`
  (select coalesce(json_agg(json_build_object('kind', c -> 'kind', 'checked', c -> 'checked') order by c ->> 'checked', c ->> 'recorded'), '[]')
    from jsonb_array_elements(coalesce(v.checks, '[]')) c where coalesce(c ->> 'expires' >= ${utcDayOf(now)}, true))`

/** What a player's family reads about a session's instructor: our checks that are valid today, and whether the instructor can answer. */
export async function instructorChecksAndAvailability(
  db: postgres.ISql,
  instructor: string,
  now: Date,
): Promise<{ checks: PublicCheck[]; status: InstructorAccountStatus }> {
  const [row] = await db<{ checks: PublicCheck[]; status: InstructorAccountStatus }[]>`
    select ${publicChecksSql(db, now)} as checks,
      case when ${isRefused(db)} or v.closed then 'unavailable' else 'active' end as status
    from instructors i left join ${db(tableOf(vettings))} v on v.instructor = i.id where i.id = ${instructor}`
  return row ?? { checks: [], status: 'gone' }
}

const card = (db: postgres.ISql, viewer: Pick<ProfileViewer, 'isMinor'>, now: Date) => db`
  i.id, json_build_object('firstName', u.first_name, 'lastName', u.last_name, 'profileSlug', i.slug) as "user",
  case when not ${isWithheld(db, viewer)} then u.picture end as "profilePicture", i.sports as type, i.skills, ${isFeatured(db, now)} as featured,
  ${publicChecksSql(db, now)} as checks, w.hours as "responseHours", w.given as "sessionsGiven", ${ratingSummarySql(db, db`i.id`)} as rating`

/** Instructors `i`, their accounts `u`, their vetting `v`, and their response times `w`. */
const tables = (db: postgres.ISql) => db`
  instructors i join users u on u.id = i.id left join ${db(tableOf(vettings))} v on v.instructor = i.id
  cross join lateral (
    select ${medianResponseHoursSql(db)} as hours, count(*)::int as given from ${db(tableOf(responseTimes))} r
    where r.instructor = i.id and r.given is not null
  ) w`

/** Which instructors to find, and which page of them. An empty `name`, `sport` or `skill` filters nothing. */
export interface InstructorSearch {
  /** Every word must be part of the name; accents and capitals do not matter. */
  name?: string
  sport?: string
  skill?: string
  after?: InstructorPageCursor
  limit: number
}

/** Text without accents and capitals. Postgres' own `unaccent` is an extension that managed databases may lack. */
const plainText = (db: postgres.ISql, text: ReturnType<postgres.ISql>) =>
  db`lower(regexp_replace(normalize(${text}, nfd), '[\u0300-\u036f]', '', 'g'))`

const matches = (db: postgres.ISql, { name = '', sport, skill }: Partial<InstructorSearch>) => {
  const words = name.split(/\s+/).filter(Boolean)
  return db`
    ${words.length ? db`and not exists (select 1 from unnest(${words}::text[]) word where strpos(${plainText(db, db`u.first_name || ' ' || u.last_name`)}, ${plainText(db, db`word`)}) = 0)` : db``}
    ${sport ? db`and ${sport} = any(i.sports)` : db``}
    ${skill ? db`and ${skill} = any(i.skills)` : db``}`
}

/** SQL condition: whether everybody may find the instructor or, for a viewer who is a minor, whether every minor may. */
const isListed = (db: postgres.ISql, viewer: Pick<ProfileViewer, 'isMinor'>, now: Date) =>
  db`${hasCompleteProfileSql(db)} and ${standing(db, viewer, now)} = 'open'`

/**
 * A page of the instructors whom the viewer may find, featured ones first, then by the time they joined. `total` counts the matches on all
 * pages; it is 0 if this page is empty.
 */
export async function findInstructors(
  db: postgres.ISql,
  viewer: Pick<ProfileViewer, 'isMinor'>,
  now: Date,
  search: InstructorSearch,
): Promise<PageOfRows<Instructor> & { total: number }> {
  const { after, limit } = search
  const rest = after ? db`where (not featured, created, id) > (${!after[0]}, ${after[1]}::timestamptz, ${after[2]}::uuid)` : db``
  const instructorRows = await db<(Instructor & { joined: string; total: number })[]>`
    -- Ratings and response times are read only for this page, because they add up rows of every session.
    with listed as materialized (
      select i.id, ${isFeatured(db, now)} as featured, date_trunc('milliseconds', u.created) as created
      from instructors i join users u on u.id = i.id left join ${db(tableOf(vettings))} v on v.instructor = i.id
      where ${isListed(db, viewer, now)} ${matches(db, search)}
    ), page as (
      select * from listed ${rest} order by featured desc, created, id limit ${limit + 1}
    )
    select ${card(db, viewer, now)}, page.created as joined, (select count(*)::int from listed) as total
    from ${tables(db)} join page on page.id = i.id order by page.featured desc, page.created, page.id`
  const { rows, next } = paginateRows(
    instructorRows,
    limit,
    ({ featured, joined, id }) => [featured, joined, id] satisfies InstructorPageCursor,
  )
  return { rows: rows.map(({ joined: _, total: __, ...instructor }) => instructor), next, total: instructorRows[0]?.total ?? 0 }
}

/** The slugs of all public profiles, oldest account first. */
export async function publicSlugs(db: postgres.ISql, now: Date): Promise<string[]> {
  const rows = await db<{ slug: string }[]>`
    select i.slug from instructors i join users u on u.id = i.id left join ${db(tableOf(vettings))} v on v.instructor = i.id
    where ${isListed(db, ANONYMOUS_VIEWER, now)} order by u.created, i.id`
  return rows.map(row => row.slug)
}

/**
 * The instructor with this invitation code, even a pending one; null if no instructor has it or if nobody may connect with that instructor.
 * A minor gets neither the picture nor the text of an instructor who is not approved.
 */
export async function instructorCardByInviteCode(
  db: postgres.ISql,
  code: string,
  viewer: Pick<ProfileViewer, 'isMinor'>,
  now: Date,
): Promise<(Instructor & { about: string }) | null> {
  const [row] = await db<(Instructor & { about: string })[]>`
    select ${card(db, viewer, now)}, case when ${isWithheld(db, viewer)} then '' else i.about end as about from ${tables(db)}
    where i.invite_code = ${code.trim().toUpperCase()} and ${standing(db, ANONYMOUS_VIEWER, now)} <> 'closed'`
  return row ?? null
}

const profile = (db: postgres.ISql, viewer: Pick<ProfileViewer, 'isMinor'>, now: Date) => db`
  ${card(db, viewer, now)}, i.about, i.experience, u.created as since,
  (select count(*)::int from follows f where f.instructor = i.id) as followers`

/**
 * A profile by id, slug or former slug; an id takes precedence. Null if there is none, if it is incomplete, or if the viewer may not see
 * the instructor. A pending instructor is visible only to themselves, to their players who are of age and to administrators.
 */
export async function visibleProfileBySlugOrId(
  db: postgres.ISql,
  slugOrId: string,
  viewer: ProfileViewer,
  now: Date,
): Promise<ProfileWithoutRatings | null> {
  const key = slugOrId.toLowerCase()
  const [row] = await db<ProfileWithoutRatings[]>`
    select ${profile(db, viewer, now)} from ${tables(db)}
    where not ${isWithheld(db, viewer)} and ${hasCompleteProfileSql(db)}
      and i.id = any(array(
        select id from instructors where slug = ${key} or id = ${uuidSchema.safeParse(key).data ?? null}::uuid
        union select instructor from former_slugs where slug = ${key}))
      and (${viewer.isAdmin} or i.id = ${viewer.id}::uuid or ${standing(db, viewer, now)} = 'open'
        or ${standing(db, viewer, now)} = 'invited' and exists (select 1 from connections c where c.instructor = i.id and c.player = ${viewer.id}::uuid))
    order by i.id::text = ${key} desc, i.slug = ${key} desc limit 1`
  return row ?? null
}

/** The profile as its owner sees it, even an incomplete one, with the state of its vetting. */
export async function ownProfile(
  db: postgres.ISql,
  id: string,
  now: Date,
): Promise<(ProfileWithoutRatings & { vetting: OwnVettingStatus }) | null> {
  const [row] = await db<(ProfileWithoutRatings & { vetting: OwnVettingStatus })[]>`
    select ${profile(db, ANONYMOUS_VIEWER, now)}, json_build_object('status', coalesce(v.status, 'pending'), 'reason', v.reason,
      'emailConfirmed', coalesce(v.email_confirmed, false)) as vetting
    from ${tables(db)} where i.id = ${id}`
  return row ?? null
}

/** The instructors whom a player is connected to or follows, with that relation. */
export const connectedOrFollowedInstructorsOf = (db: postgres.ISql, player: { id: string; isMinor: boolean }, now: Date) => db<
  ConnectedOrFollowedInstructor[]
>`
  select ${card(db, player, now)}, c.player is not null as connected, f.player is not null as followed, ${standing(db, player, now)} as standing
  from ${tables(db)}
  left join connections c on c.instructor = i.id and c.player = ${player.id}
  left join follows f on f.instructor = i.id and f.player = ${player.id}
  -- Postgres chooses the few instructors of this player first, instead of joining all of them.
  where i.id = any(array(
    select instructor from connections where player = ${player.id} union select instructor from follows where player = ${player.id}
  ))
  order by c.since nulls last, f.since`
