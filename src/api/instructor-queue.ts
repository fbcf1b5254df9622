import { heldDeliveriesByAssignment } from '../../modules/folders/held-deliveries.ts'
import { paginateRows } from '../../modules/pagination.ts'
import {
  countFinishedSessionsOfInstructor,
  countWaitingSessions,
  pageOfFinishedSessionRowsOfInstructor,
  pageOfWaitingSessionRows,
  type SessionRow,
  sessionsToDo,
} from '../../projections/assignments.ts'
import { foldersWithIds } from '../../projections/folders.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { folderPresenter } from './folder-presenter.ts'

/** Page size of waiting and of delivered sessions; the screen loads more on request. */
const SESSIONS_PER_PAGE = 50

/** Converts sessions to rows of their instructor's queue, in the API's format. */
async function queueRows(deps: AppDependencies, sessions: SessionRow[]) {
  const rows = new Map((await foldersWithIds(deps.sql, [...new Set(sessions.map(s => s.folder))])).map(row => [row.id, row]))
  // The projections run independently, so a session may appear a moment before its folder.
  const sessionsWithFolder = sessions.filter(s => rows.has(s.folder))
  const view = await folderPresenter(deps, [...rows.values()], 'instructor')
  return Promise.all(sessionsWithFolder.map(s => view.queued(rows.get(s.folder)!, s)))
}

/** A page of the sessions that an instructor has delivered and that have no unanswered question, newest first. */
export async function pageOfDeliveredSessions(deps: AppDependencies, instructor: string, before?: string) {
  const [{ rows, next }, total] = await Promise.all([
    pageOfFinishedSessionRowsOfInstructor(deps.sql, instructor, { before, limit: SESSIONS_PER_PAGE }),
    countFinishedSessionsOfInstructor(deps.sql, instructor),
  ])
  return { folders: await queueRows(deps, rows), total, next }
}

/** A page of the sessions whose review an instructor has not started, oldest first. */
export async function pageOfWaitingSessions(deps: AppDependencies, instructor: string, after: string) {
  const [{ rows, next }, total] = await Promise.all([
    pageOfWaitingSessionRows(deps.sql, instructor, { after, limit: SESSIONS_PER_PAGE }),
    countWaitingSessions(deps.sql, instructor),
  ])
  return { folders: await queueRows(deps, rows), total, next }
}

/** The sessions from `sessionsToDo`. One whose delivery can still be undone counts as delivered, because it needs no more work. */
async function rowsToDo(deps: AppDependencies, instructor: string): Promise<SessionRow[]> {
  const rows = await sessionsToDo(deps.sql, instructor, SESSIONS_PER_PAGE + 1)
  const held = await heldDeliveriesByAssignment(
    deps.sql,
    rows.filter(s => !s.given).map(s => s.id),
  )
  return rows.map(s => {
    const due = held.get(s.id)?.until
    return due ? { ...s, status: 'feedback-given', given: due } : s
  })
}

/**
 * An instructor's queue, oldest assignment first: all sessions that are under review or have an unanswered question or a delivery that can
 * still be undone, and the first page of waiting and of delivered sessions.
 */
export async function instructorQueue(deps: AppDependencies, instructor: string) {
  const [toDo, waitingTotal, delivered] = await Promise.all([
    rowsToDo(deps, instructor),
    countWaitingSessions(deps.sql, instructor),
    pageOfDeliveredSessions(deps, instructor),
  ])
  const isWaiting = (s: SessionRow) => s.status === 'assigned'
  const waiting = paginateRows(toDo.filter(isWaiting), SESSIONS_PER_PAGE, s => [s.position])
  const others = toDo.filter(s => !isWaiting(s))
  const held = others.filter(s => s.status === 'feedback-given' && s.clarification !== 'asked')
  const rows = await queueRows(deps, [...others, ...waiting.rows])
  return {
    folders: [...delivered.folders, ...rows].sort((a, b) => a.assigned.localeCompare(b.assigned)),
    waiting: { total: waitingTotal, next: waiting.next },
    delivered: { total: delivered.total + held.length, next: delivered.next },
  }
}
