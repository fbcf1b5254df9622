import { addDays } from '../../modules/dates.ts'
import { UNREAD_ANSWER_ACTION_ITEM_DAYS } from '../../modules/folders/policy.ts'
import type { TimeAndId } from '../../modules/pagination.ts'
import { sessionsOfFolders } from '../../projections/assignments.ts'
import { countCurrentAndArchivedFolders, type FolderRow, foldersThatMayNeedAction, pageOfFolders } from '../../projections/folders.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { folderPresenter } from './folder-presenter.ts'

interface FolderQuery {
  archived?: 'true' | undefined
  before?: TimeAndId | undefined
  limit: number
}

/** Converts folder rows, with their sessions, to the API's format for this viewer. */
async function ownFolders(deps: AppDependencies, rows: FolderRow[], viewer: 'player' | 'guardian') {
  const sessions = await sessionsOfFolders(
    deps.sql,
    rows.map(row => row.id),
  )
  const byFolder = Map.groupBy(sessions, s => s.folder)
  const view = await folderPresenter(deps, rows, viewer)
  return Promise.all(rows.map(row => view.own(row, byFolder.get(row.id) ?? [])))
}

/** A page of a player's folders with their sessions, how many folders of this kind there are (`total`), and how many are archived. */
export async function folderList(
  deps: AppDependencies,
  player: string,
  viewer: 'player' | 'guardian',
  { archived, before, limit }: FolderQuery,
) {
  const isArchived = archived !== undefined
  const [{ rows, next }, counts] = await Promise.all([
    pageOfFolders(deps.sql, player, { isArchived, before, limit }),
    countCurrentAndArchivedFolders(deps.sql, player),
  ])
  const folders = await ownFolders(deps, rows, viewer)
  return { rows, list: { folders, next, total: isArchived ? counts.archived : counts.current, archived: counts.archived } }
}

/** The folders on the second and later pages that may still need an action by the player; empty if there is only one page. */
export async function laterFoldersThatMayNeedAction(
  deps: AppDependencies,
  player: string,
  page: { rows: FolderRow[]; list: { next: string | null } },
) {
  if (page.list.next === null) return []
  const since = addDays(deps.clock(), -UNREAD_ANSWER_ACTION_ITEM_DAYS)
  return ownFolders(deps, await foldersThatMayNeedAction(deps.sql, player, page.rows, since), 'player')
}
