import type { EarlierTechniquePositions } from '../../modules/folders/contract.ts'
import { techniquePositionsOfPlayer } from '../../projections/assignments.ts'
import { foldersWithIds } from '../../projections/folders.ts'
import type { FolderViewerRole } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { folderPresenter } from './folder-presenter.ts'

/**
 * For each skill, the latest delivered session with technique positions. `of` selects the player, and may limit the search to one
 * instructor's sessions and to those delivered before a time.
 */
export async function latestTechniquePositionsBySkill(
  deps: AppDependencies,
  of: Parameters<typeof techniquePositionsOfPlayer>[1],
  viewer: FolderViewerRole,
): Promise<EarlierTechniquePositions[]> {
  const last = [...Map.groupBy(await techniquePositionsOfPlayer(deps.sql, of), e => e.skill).values()].map(([newest]) => newest!)
  const rows = new Map((await foldersWithIds(deps.sql, [...new Set(last.map(e => e.folder))])).map(row => [row.id, row]))
  const view = await folderPresenter(deps, [...rows.values()], viewer)
  const techniqueOfSessions = last.map(async e => {
    const row = rows.get(e.folder)
    return row ? [{ ...e, clips: await view.videos(row, [...new Set(e.checkpoints.map(c => c.video))]) }] : []
  })
  return (await Promise.all(techniqueOfSessions)).flat()
}
