import type { Folder } from '../../modules/folders/contract.ts'
import type { SessionRow } from '../../projections/assignments.ts'
import type { FolderRow } from '../../projections/folders.ts'
import { folderStoryOf } from '../../projections/story.ts'
import type { FolderViewerRole } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { folderLimitedToSession, folderPresenter, videoIdsOfSession } from './folder-presenter.ts'
import { assertFound } from './problem.ts'

/**
 * A folder with one of its sessions in full, and its history. `sessions`: those that the viewer may see, newest first. `session`: the id
 * of the one to show, the newest by default.
 * @throws Problem 404 if the viewer has no such session
 */
export async function folderReplyWithSession(
  deps: AppDependencies,
  there: FolderRow,
  viewer: FolderViewerRole,
  sessions: SessionRow[],
  session: string | undefined,
): Promise<Folder> {
  const shown = session === undefined ? sessions[0] : assertFound(sessions.find(s => s.id === session))
  const isInstructor = viewer === 'instructor'
  const row = isInstructor ? folderLimitedToSession(there, sessions[0]!) : there
  const share = { sessions: sessions.map(s => s.id), videos: sessions.flatMap(s => videoIdsOfSession(there, s)) }
  const view = await folderPresenter(deps, [there], viewer)
  const [folder, clips, whole, story] = await Promise.all([
    view.own(row, sessions),
    isInstructor ? [] : view.unassigned(row, sessions),
    shown ? view.session(there, shown) : null,
    folderStoryOf(deps.sql, there.id, isInstructor ? share : undefined),
  ])
  return { ...folder, clips, session: whole, story }
}
