import { heldDeliveriesOf } from '../../modules/folders/undoable-deliveries.ts'
import { countDeliveredSessions, pageOfDelivered, type SessionRow, sessionsToDo } from '../../projections/assignments.ts'
import { foldersById } from '../../projections/folders.ts'
import type { ApiDependencies } from './dependencies.ts'
import { presentFolders } from './folder-view.ts'

/** Page size of delivered sessions; the screen loads more on request. */
const DELIVERED_PER_PAGE = 50

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
    pageOfDelivered(deps.sql, instructor, { before, limit: DELIVERED_PER_PAGE }),
    countDeliveredSessions(deps.sql, instructor),
  ])
  return { folders: await queueRows(deps, rows), total, next }
}

/** An instructor's queue: all sessions that wait for the instructor, and the first page of delivered sessions; oldest assignment first. */
export async function instructorQueueWithLatestDeliveries(deps: ApiDependencies, instructor: string) {
  const [toDo, { folders: delivered, total, next }] = await Promise.all([
    sessionsToDo(deps.sql, instructor),
    pageOfDeliveredSessions(deps, instructor),
  ])
  const held = await heldDeliveriesOf(
    deps.sql,
    toDo.filter(s => !s.given).map(s => s.id),
  )
  let heldCount = 0
  // A delivery that can still be undone needs no more work, so the queue lists it as delivered.
  const sessions = toDo.map(s => {
    const due = held.get(s.id)?.until
    if (!due) return s
    heldCount++
    return { ...s, status: 'feedback-given' as const, given: due }
  })
  const waiting = await queueRows(deps, sessions)
  const folders = [...delivered, ...waiting].sort((a, b) => a.assigned.localeCompare(b.assigned))
  return { folders, delivered: { total: total + heldCount, next } }
}
