import type { QueuedSession } from '../../modules/folders/contract.ts'
import { heldDeliveriesOf } from '../../modules/folders/held-deliveries.ts'
import {
  countDeliveredSessions,
  countWaitingSessions,
  pageOfDeliveredSessionRows,
  pageOfWaitingSessionRows,
  type SessionRow,
  sessionsInProgress,
} from '../../projections/assignments.ts'
import { foldersById } from '../../projections/folders.ts'
import type { ApiDependencies } from './dependencies.ts'
import { presentFolders } from './folder-view.ts'

/** Page size of waiting and of delivered sessions; the screen loads more on request. */
const SESSIONS_PER_PAGE = 50

/** Presents sessions as rows of their instructor's queue. */
async function queueRows(deps: ApiDependencies, sessions: SessionRow[]) {
  const rows = new Map((await foldersById(deps.sql, [...new Set(sessions.map(s => s.folder))])).map(row => [row.id, row]))
  // The projections run independently, so a session may appear a moment before its folder.
  const sessionsWithFolder = sessions.filter(s => rows.has(s.folder))
  const view = await presentFolders(deps, [...rows.values()], 'instructor')
  return Promise.all(sessionsWithFolder.map(s => view.queued(rows.get(s.folder)!, s)))
}

/** A page of the sessions that an instructor has delivered, newest first. */
export async function pageOfDeliveredSessions(deps: ApiDependencies, instructor: string, before?: string) {
  const [{ rows, next }, total] = await Promise.all([
    pageOfDeliveredSessionRows(deps.sql, instructor, { before, limit: SESSIONS_PER_PAGE }),
    countDeliveredSessions(deps.sql, instructor),
  ])
  return { folders: await queueRows(deps, rows), total, next }
}

/** A page of the sessions whose review an instructor has not started, oldest first. */
export async function pageOfWaitingSessions(deps: ApiDependencies, instructor: string, after?: string) {
  const [{ rows, next }, total] = await Promise.all([
    pageOfWaitingSessionRows(deps.sql, instructor, { after, limit: SESSIONS_PER_PAGE }),
    countWaitingSessions(deps.sql, instructor),
  ])
  return { folders: await queueRows(deps, await withHeldDeliveries(deps, rows)), total, next }
}

/** A delivery that can still be undone needs no more work, so the queue lists it as delivered. */
async function withHeldDeliveries(deps: ApiDependencies, sessions: SessionRow[]): Promise<SessionRow[]> {
  const held = await heldDeliveriesOf(
    deps.sql,
    sessions.filter(s => !s.given).map(s => s.id),
  )
  return sessions.map(s => {
    const due = held.get(s.id)?.until
    return due ? { ...s, status: 'feedback-given', given: due } : s
  })
}

/**
 * An instructor's queue, oldest assignment first: all sessions that the instructor reviews or has to answer, and the first page of those
 * that wait and of those that were delivered.
 */
export async function instructorQueue(deps: ApiDependencies, instructor: string) {
  const [rows, waiting, delivered] = await Promise.all([
    sessionsInProgress(deps.sql, instructor),
    pageOfWaitingSessions(deps, instructor),
    pageOfDeliveredSessions(deps, instructor),
  ])
  const inProgress = await queueRows(deps, await withHeldDeliveries(deps, rows))
  const folders = [...delivered.folders, ...inProgress, ...waiting.folders].sort((a, b) => a.assigned.localeCompare(b.assigned))
  const isHeld = (s: QueuedSession) => s.status === 'feedback-given' && s.clarification !== 'asked'
  const heldBeforeStart = waiting.folders.filter(isHeld).length
  const held = inProgress.filter(isHeld).length + heldBeforeStart
  return {
    folders,
    waiting: { total: waiting.total - heldBeforeStart, next: waiting.next },
    delivered: { total: delivered.total + held, next: delivered.next },
  }
}
