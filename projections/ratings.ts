import type postgres from 'postgres'
import { ADULT_AGE } from '../modules/accounts/policy.ts'
import { createRowOrThrow, projection, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import type { PersonForgotten } from '../modules/privacy/account-exports-and-deletion-decider.ts'
import type { AdminRating, PublicRating, SessionRating } from '../modules/ratings/contract.ts'
import { MAX_RATINGS_ON_PROFILE, MIN_RATINGS_TO_SHOW } from '../modules/ratings/policy.ts'
import type { RatingEvent } from '../modules/ratings/rating.ts'

/** Ratings of sessions: one row per rated session. */
export const ratings = projection<RatingEvent | PersonForgotten>()({
  name: 'ratings',
  version: 2,
  row: {
    session: 'uuid',
    folder: 'uuid',
    player: 'uuid',
    instructor: 'uuid',
    stars: 'int',
    comment: 'text?',
    rater: 'text',
    rated: 'timestamptz',
    until: 'timestamptz',
    answer: 'text?',
    /** Why an administrator hid the rating; null if it is visible. */
    hidden: 'text?',
  },
  index: ['instructor, rated desc'],
  key: e => (e.type === 'PersonForgotten' ? e.data.assignments : idOfStream(e.stream)),
  on: {
    SessionRated: (row, { stream, at, data }) =>
      createRowOrThrow(row, { ...data, session: idOfStream(stream), rated: at, answer: null, hidden: null }),
    RatingChanged: (row, { at, data: { stars, comment, rater } }) => row && { ...row, stars, comment, rater, rated: at, answer: null },
    RatingAnswered: (row, { data }) => row && { ...row, answer: data.answer },
    RatingHidden: (row, { data }) => row && { ...row, hidden: data.reason },
    RatingRestored: row => row && { ...row, hidden: null },
    PersonForgotten: () => null,
  },
})

const columns = (db: postgres.ISql) => db`r.stars, r.comment, r.rater, r.rated, r.until, r.answer, r.hidden`

/** The rating of one session; null if it has none. */
export async function ratingOfSession(sql: postgres.ISql, session: string): Promise<SessionRating | null> {
  const [row] = await sql<SessionRating[]>`select ${columns(sql)} from ${sql(tableOf(ratings))} r where r.session = ${session}`
  return row ?? null
}

/** SQL expression for an instructor's visible ratings as a `RatingSummary`; null while there are fewer than `MIN_RATINGS_TO_SHOW`. */
export const ratingSummarySql = (db: postgres.ISql, instructor: ReturnType<postgres.ISql>) => db`
  (select case when count(*) >= ${MIN_RATINGS_TO_SHOW} then json_build_object('average', round(avg(r.stars), 1)::float, 'count', count(*)::int) end
    from ${db(tableOf(ratings))} r where r.instructor = ${instructor} and r.hidden is null)`

/**
 * The latest visible ratings of an instructor as the public reads them, newest first, at most `MAX_RATINGS_ON_PROFILE`. Empty while there
 * are fewer than `MIN_RATINGS_TO_SHOW`.
 */
export async function publicRatingsOfInstructor(sql: postgres.ISql, instructor: string): Promise<PublicRating[]> {
  const rows = await sql<(PublicRating & { count: number })[]>`
    select r.stars, r.comment, r.rater, r.rated, r.answer, r.count,
      case when r.rater = 'player' and u.born <= (r.rated at time zone 'utc')::date - make_interval(years => ${ADULT_AGE}) then u.first_name end as name
    from (
      -- Names are looked up for the ratings that are listed, not for all.
      select *, count(*) over ()::int as count from ${sql(tableOf(ratings))}
      where instructor = ${instructor} and hidden is null order by rated desc, session limit ${MAX_RATINGS_ON_PROFILE}
    ) r left join users u on u.id = r.player
    order by r.rated desc, r.session`
  return rows.length && rows[0]!.count >= MIN_RATINGS_TO_SHOW ? rows.map(({ count: _, ...rating }) => rating) : []
}

/** Maximum number of an instructor's ratings that administrators see. */
const MAX_RATINGS_FOR_ADMIN = 200

/** An instructor's latest ratings for administrators: with the player of each, and including hidden ones. */
export async function ratingsForAdmin(sql: postgres.ISql, instructor: string): Promise<AdminRating[]> {
  return sql<AdminRating[]>`
    select r.session, r.folder, ${columns(sql)},
      json_build_object('id', r.player, 'name', coalesce(u.first_name || ' ' || u.last_name, 'A former player')) as player
    from (
      select * from ${sql(tableOf(ratings))} where instructor = ${instructor} order by rated desc, session limit ${MAX_RATINGS_FOR_ADMIN}
    ) r left join users u on u.id = r.player
    order by r.rated desc, r.session`
}
