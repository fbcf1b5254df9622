import type postgres from 'postgres'
import type { Skill } from '../modules/accounts/contract.ts'
import type { ChildInstructorWithChecks, Review, SessionSummary, VideoMoment } from '../modules/folders/contract.ts'
import type { FolderEvent } from '../modules/folders/folder.ts'
import { hasHeldDeliverySql } from '../modules/folders/held-deliveries.ts'
import { createRowOrThrow, projection, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import { type PageOfRows, paginateRows } from '../modules/pagination.ts'
import type { PriceTerms } from '../modules/payments/pricing.ts'
import type { PersonForgotten } from '../modules/privacy/account-exports-and-deletion-decider.ts'
import type { TechniquePosition } from '../modules/reviews/contract.ts'
import { personJsonSql } from './folders.ts'
import { publicChecksSql } from './instructor-queries.ts'
import { vettings } from './vetting.ts'

type AssignmentEvent = Extract<FolderEvent, { data: { assignment: string } }>

/** Sessions as their players and instructors read them: one row per assignment. */
export const assignments = projection<AssignmentEvent | PersonForgotten>()({
  name: 'assignments',
  version: 5,
  row: {
    assignment: 'uuid',
    folder: 'uuid',
    player: 'uuid',
    instructor: 'uuid',
    /** The guardian who agreed to pay; null if the player pays. */
    guardian_payer: 'uuid?',
    /** Position of the assignment in the event log, by which sessions are sorted. */
    position: 'bigint',
    /** The session's status, or `ended` if the assignment was withdrawn or declined. */
    status: 'text',
    message: 'text?',
    /** Ids of the assigned videos. */
    videos: 'jsonb',
    assigned: 'timestamptz',
    given: 'timestamptz?',
    review: 'jsonb?',
    question: 'text?',
    /** The moment in a video that the question refers to. */
    about: 'jsonb?',
    answer: 'text?',
    answered: 'timestamptz?',
  },
  index: ['folder, position', 'player, position', 'instructor, status, position', 'guardian_payer'],
  key: e => (e.type === 'PersonForgotten' ? e.data.assignments : e.data.assignment),
  on: {
    FolderAssigned: (row, { stream, position, at, data: { assignment, player, instructor, message, videos, terms } }) =>
      createRowOrThrow(row, {
        assignment,
        folder: idOfStream(stream),
        player,
        instructor,
        guardian_payer: (terms as PriceTerms | null)?.payer ?? null,
        position,
        status: 'assigned',
        message,
        videos: videos.map(v => v.id),
        assigned: at,
        given: null,
        review: null,
        question: null,
        about: null,
        answer: null,
        answered: null,
      }),
    AssignmentWithdrawn: row => row && { ...row, status: 'ended' },
    AssignmentDeclined: row => row && { ...row, status: 'ended' },
    ReviewStarted: row => row && { ...row, status: 'in-review' },
    FeedbackGiven: (row, { at, data: { review } }) => row && { ...row, status: 'feedback-given', review, given: at },
    ClarificationAsked: (row, { data: { question, about } }) => row && { ...row, question, about: about ?? null },
    ClarificationAnswered: (row, { at, data: { answer } }) => row && { ...row, answer, answered: at },
    FolderPaid: row => row && { ...row, status: 'paid' },
    PersonForgotten: () => null,
  },
})

/** Summary of a session with its folder, the ids of its videos, the player's message and the unanswered question. */
export type SessionRow = Omit<SessionSummary, 'videos'> & {
  folder: string
  /** Position of the assignment in the event log. */
  position: string
  videos: string[]
  message: string | null
  waiting: string | null
}
/** A session whose review has not been delivered. */
export type OpenSession = Pick<SessionRow, 'id' | 'folder' | 'status'> & { instructor: { id: string } }
/** The parts of a session that only its own page shows. */
export interface SessionReviewAndQuestion {
  review: Review | null
  question: string | null
  about: VideoMoment | null
  answer: string | null
}

const lines = (sql: postgres.Sql) => sql`
  select s.assignment as id, s.folder, s.position::text, s.status, ${personJsonSql(sql, sql`s.instructor`, 'u', 'i')} as instructor, s.videos, s.assigned, s.given,
    coalesce(s.review -> 'grades', '[]') as grades, s.message,
    case when s.question is null then 'none' when s.answer is null then 'asked' else 'answered' end as clarification, s.answered,
    case when s.answer is null then s.question end as waiting
  from ${sql(tableOf(assignments))} s left join users u on u.id = s.instructor left join instructors i on i.id = s.instructor`

/** The sessions of one folder, or of all folders of one player, newest first, except withdrawn and declined ones. */
export const sessionsOfFolderOrPlayer = (sql: postgres.Sql, of: 'folder' | 'player', id: string) =>
  sql<SessionRow[]>`${lines(sql)} where s.${sql(of)} = ${id} and s.status <> 'ended' order by s.position desc`

/** The sessions of these folders, newest first, except withdrawn and declined ones. */
export const sessionsOfFolders = (sql: postgres.Sql, folders: string[]) =>
  sql<SessionRow[]>`${lines(sql)} where s.folder = any(${folders}::uuid[]) and s.status <> 'ended' order by s.position desc`

/** The instructors of these players' sessions, except withdrawn and declined ones, by name, with our checks that are valid today. */
export const instructorsOfPlayers = (sql: postgres.Sql, players: string[], now: Date) =>
  sql<ChildInstructorWithChecks[]>`
    select s.instructor as id, coalesce(u.first_name || ' ' || u.last_name, 'Someone who left') as name, ${publicChecksSql(sql, now)} as checks
    from (select distinct instructor from ${sql(tableOf(assignments))} where player = any(${players}::uuid[]) and status <> 'ended') s
    left join users u on u.id = s.instructor left join ${sql(tableOf(vettings))} v on v.instructor = s.instructor
    order by name, id`

/** Ids of all instructors to whom this player has ever assigned a folder. */
export async function instructorIdsOfPlayer(sql: postgres.Sql, player: string): Promise<string[]> {
  const rows = await sql<{ instructor: string }[]>`select distinct instructor from ${sql(tableOf(assignments))} where player = ${player}`
  return rows.map(row => row.instructor)
}

/** Ids of the sessions of this folder, and of the player's other sessions whose reviews show this video in a comparison. */
export async function assignmentIdsShowingVideo(
  sql: postgres.Sql,
  { folder, video }: { folder: string; video: string },
): Promise<string[]> {
  const comparing = { comparisons: [{ sides: [{ folder, video }] }] }
  const rows = await sql<{ assignment: string }[]>`
    with own as (select assignment, player from ${sql(tableOf(assignments))} where folder = ${folder})
    select assignment from own
    union select s.assignment from ${sql(tableOf(assignments))} s where s.player in (select player from own) and s.review @> ${sql.json(comparing)}`
  return rows.map(row => row.assignment)
}

export async function reviewAndQuestionOfSession(sql: postgres.Sql, assignment: string): Promise<SessionReviewAndQuestion | undefined> {
  const [row] = await sql<
    SessionReviewAndQuestion[]
  >`select review, question, about, answer from ${sql(tableOf(assignments))} where assignment = ${assignment}`
  return row
}

/**
 * The technique positions that were set in each of these sessions, by session id. The query does not read the rest of the reviews, because
 * there may be hundreds of them.
 */
export async function techniquePositionsOfSessions(sql: postgres.Sql, ids: string[]): Promise<Map<string, TechniquePosition[]>> {
  const rows = await sql<{ assignment: string; checkpoints: TechniquePosition[] }[]>`
    select assignment, review -> 'checkpoints' as checkpoints from ${sql(tableOf(assignments))}
    where assignment = any(${ids}::uuid[]) and review ? 'checkpoints'`
  return new Map(rows.map(row => [row.assignment, row.checkpoints]))
}

/** The id of the folder of an assignment; undefined if the assignment is unknown. */
export async function folderIdOfAssignment(sql: postgres.Sql, assignment: string): Promise<string | undefined> {
  const [row] = await sql<{ folder: string }[]>`select folder from ${sql(tableOf(assignments))} where assignment = ${assignment}`
  return row?.folder
}

/** The technique positions of one discipline in a delivered session. */
export type SessionTechniquePositions = Pick<SessionRow, 'folder' | 'instructor'> & {
  session: string
  given: string
  skill: Skill
  checkpoints: TechniquePosition[]
}

/**
 * The technique positions in a player's sessions, newest first: in sessions delivered before the time `before`, or in all if it is null;
 * by `instructor`, or by all instructors.
 */
export const techniquePositionsOfPlayer = (sql: postgres.Sql, of: { player: string; before: string | null; instructor?: string }) => sql<
  SessionTechniquePositions[]
>`
  select s.assignment as session, s.folder, ${personJsonSql(sql, sql`s.instructor`, 'u', 'i')} as instructor, s.given, p.skill, p.checkpoints
  from ${sql(tableOf(assignments))} s left join users u on u.id = s.instructor left join instructors i on i.id = s.instructor,
  lateral (
    select c ->> 'skill' as skill, jsonb_agg(c order by n) as checkpoints
    from jsonb_array_elements(s.review -> 'checkpoints') with ordinality as of (c, n) group by c ->> 'skill'
  ) p
  where s.player = ${of.player} ${of.instructor === undefined ? sql`` : sql`and s.instructor = ${of.instructor}`}
    and s.review ? 'checkpoints' and s.given < coalesce(${of.before}::timestamptz, 'infinity')
  order by s.given desc, s.position desc`

const isUnanswered = (sql: postgres.Sql) => sql`question is not null and answer is null`
/** SQL condition: the feedback was delivered, and the player has no unanswered question about it. */
const isDelivered = (sql: postgres.Sql) => sql`status in ('feedback-given', 'paid') and not (${isUnanswered(sql)})`

/** SQL condition: the instructor has not started the review of the session, and no delivery is held. */
const isWaiting = (sql: postgres.Sql) => sql`s.status = 'assigned' and not ${hasHeldDeliverySql(sql, sql`s.assignment`)}`

/**
 * What an instructor has to do, oldest first: the sessions whose review has started or whose player is waiting for an answer, those whose
 * delivery can still be undone, and the first `limit` whose review has not started. A single statement reads them all, so that a session
 * whose review starts in the meantime is neither missing nor listed twice.
 */
export const sessionsToDo = (sql: postgres.Sql, instructor: string, limit: number) => sql<SessionRow[]>`
  ${lines(sql)}
  where s.instructor = ${instructor} and (
    s.status = 'in-review' or s.status in ('feedback-given', 'paid') and ${isUnanswered(sql)} or s.status = 'assigned' and ${hasHeldDeliverySql(sql, sql`s.assignment`)}
    or s.assignment in (
      select s.assignment from ${sql(tableOf(assignments))} s
      where s.instructor = ${instructor} and ${isWaiting(sql)} order by s.position limit ${limit}
    )
  )
  order by s.position`

/** A page of the sessions whose review an instructor has not started, oldest first: those assigned after the log position `after`. */
export async function pageOfWaitingSessionRows(
  sql: postgres.Sql,
  instructor: string,
  { after, limit }: { after: string; limit: number },
): Promise<PageOfRows<SessionRow>> {
  const sessionRows = await sql<SessionRow[]>`
    ${lines(sql)} where s.instructor = ${instructor} and ${isWaiting(sql)} and s.position > ${after}::bigint
    order by s.position limit ${limit + 1}`
  return paginateRows(sessionRows, limit, s => [s.position])
}

/** How many of an instructor's sessions are waiting for their review to start. */
export async function countWaitingSessions(sql: postgres.Sql, instructor: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from ${sql(tableOf(assignments))} s where s.instructor = ${instructor} and ${isWaiting(sql)}`
  return row!.count
}

/**
 * A page of the sessions that an instructor has delivered, newest first: those assigned before the log position `before`, or the latest.
 * Sessions with an unanswered question are left out.
 */
export async function pageOfFinishedSessionRowsOfInstructor(
  sql: postgres.Sql,
  instructor: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<PageOfRows<SessionRow>> {
  // A subquery chooses the page by ids alone, because the rows contain whole reviews and sorting all of them would be slow.
  const sessionRows = await sql<SessionRow[]>`
    ${lines(sql)} where s.assignment in (
      select assignment from ${sql(tableOf(assignments))}
      where instructor = ${instructor} and ${isDelivered(sql)} ${before === undefined ? sql`` : sql`and position < ${before}::bigint`}
      order by position desc limit ${limit + 1}
    )
    order by s.position desc`
  return paginateRows(sessionRows, limit, s => [s.position])
}

/** How many sessions an instructor has delivered, not counting those with an unanswered question. */
export async function countFinishedSessionsOfInstructor(sql: postgres.Sql, instructor: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from ${sql(tableOf(assignments))} where instructor = ${instructor} and ${isDelivered(sql)}`
  return row!.count
}

/**
 * The undelivered sessions of a player or an instructor, oldest first, with only the fields that the server needs to end them.
 */
export const openSessionsOf = (sql: postgres.Sql, of: 'player' | 'instructor', person: string) => sql<OpenSession[]>`
  select assignment as id, folder, status, jsonb_build_object('id', instructor) as instructor from ${sql(tableOf(assignments))}
  where ${sql(of)} = ${person} and status in ('assigned', 'in-review') order by position`

/**
 * A page of an instructor's sessions, oldest first, except withdrawn and declined ones: those assigned after the log position `after`, or
 * the oldest.
 */
export const pageOfInstructorSessionsForExport = (
  sql: postgres.Sql,
  instructor: string,
  { after, limit }: { after?: string | undefined; limit: number },
) => sql<SessionRow[]>`
  ${lines(sql)}
  where s.instructor = ${instructor} and s.status <> 'ended' ${after === undefined ? sql`` : sql`and s.position > ${after}::bigint`}
  order by s.position limit ${limit}`
