import type postgres from 'postgres'
import type { Person, Review } from '../modules/folders/contract.ts'
import type { FolderEvent } from '../modules/folders/folder.ts'
import { createRowOrThrow, projection, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import type { PersonForgotten } from '../modules/privacy/account-exports-and-deletion-decider.ts'
import type { SessionWithGoals } from '../modules/progress/goals.ts'
import { personJsonSql } from './folders.ts'

type ProgressEvent = Extract<FolderEvent, { type: 'FolderAssigned' | 'AssignmentWithdrawn' | 'AssignmentDeclined' | 'FeedbackGiven' }>

/** What each session contributes to its player's progress: one row per assignment, without the text and drawings of its review. */
export const progress = projection<ProgressEvent | PersonForgotten>()({
  name: 'progress',
  version: 2,
  row: {
    assignment: 'uuid',
    folder: 'uuid',
    player: 'uuid',
    instructor: 'uuid',
    /** Ids in the order in which the player assigned them. */
    videos: 'jsonb',
    /** Log positions of the assignment and of its feedback, and the time of the feedback. */
    assigned: 'bigint',
    position: 'bigint?',
    given: 'timestamptz?',
    grades: 'jsonb',
    goals: 'jsonb',
    checkpoints: 'jsonb',
  },
  index: ['player, position'],
  key: e => (e.type === 'PersonForgotten' ? e.data.assignments : e.data.assignment),
  on: {
    FolderAssigned: (row, { stream, position, data: { assignment, player, instructor, videos } }) =>
      createRowOrThrow(row, {
        assignment,
        folder: idOfStream(stream),
        player,
        instructor,
        videos: videos.map(v => v.id),
        assigned: position,
        position: null,
        given: null,
        grades: [],
        goals: [],
        checkpoints: [],
      }),
    AssignmentWithdrawn: () => null,
    AssignmentDeclined: () => null,
    PersonForgotten: () => null,
    FeedbackGiven: (row, { at, position, data: { review } }) =>
      row && {
        ...row,
        position,
        given: at,
        grades: review.grades,
        goals: review.goals ?? [],
        checkpoints: review.checkpoints ?? [],
      },
  },
})

/** A delivered session in a player's progress. */
export type DeliveredSessionRow = SessionWithGoals<Person> & {
  videos: string[]
  grades: Review['grades']
  checkpoints: NonNullable<Review['checkpoints']>
}

/** A player's delivered sessions, oldest first; with `instructor`, only the sessions by that instructor. */
export const deliveredSessionsOfPlayer = (sql: postgres.Sql, player: string, instructor?: string) => sql<DeliveredSessionRow[]>`
  select s.assignment as id, s.folder, ${personJsonSql(sql, sql`s.instructor`, 'u', 'i')} as instructor, s.videos, s.assigned, s.position, s.given,
    s.grades, s.goals, s.checkpoints
  from ${sql(tableOf(progress))} s left join users u on u.id = s.instructor left join instructors i on i.id = s.instructor
  where s.player = ${player} and s.given is not null ${instructor === undefined ? sql`` : sql`and s.instructor = ${instructor}`}
  order by s.position`

/** The other sessions that this session's instructor has delivered to the same player, oldest first. */
export const deliveredSessionsOfSamePlayerAndInstructor = (sql: postgres.Sql, assignment: string) => sql<SessionWithGoals[]>`
  select s.assignment as id, s.folder, s.instructor, s.assigned, s.position, s.given, s.goals
  from ${sql(tableOf(progress))} s join ${sql(tableOf(progress))} this using (player, instructor)
  where this.assignment = ${assignment} and s.assignment <> this.assignment and s.given is not null
  order by s.position`

/**
 * Whether this player has a session with this instructor, delivered or not; without `instructor`, with anybody. Withdrawn and declined
 * sessions do not count.
 */
export async function hasOpenOrDeliveredSession(sql: postgres.Sql, player: string, instructor?: string): Promise<boolean> {
  const [row] = await sql`
    select 1 from ${sql(tableOf(progress))} where player = ${player} ${instructor === undefined ? sql`` : sql`and instructor = ${instructor}`} limit 1`
  return row !== undefined
}
