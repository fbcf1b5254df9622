import type { Session } from '../../modules/folders/contract.ts'
import { type SessionRow, sessionsOfFolderOrPlayer } from '../../projections/assignments.ts'
import { type FolderRow, folderOf } from '../../projections/folders.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { folderPresenter } from './folder-presenter.ts'

export const hasDeliveredStatus = ({ status }: Pick<SessionRow, 'status'>) => status === 'feedback-given' || status === 'paid'

export const firstNameOf = (name: string) => name.split(' ')[0]!

/** A session as guests may see it, without personal data: first names only, no video names, and no messages besides the review. */
const withoutNames = (session: Session): Session => ({
  ...session,
  status: 'feedback-given',
  message: null,
  question: null,
  about: null,
  answer: null,
  clarification: 'none',
  answered: null,
  instructor: { ...session.instructor, name: firstNameOf(session.instructor.name), picture: null, slug: null },
  clips: session.clips.map((clip, i) => ({ ...clip, name: `Video ${i + 1}` })),
  compared: session.compared.map(clip => {
    const [name, folder] = clip.isModel ? ['Model clip', 'Model clip'] : ['Earlier video', 'Earlier session']
    return { ...clip, name, folder: { ...clip.folder, name: folder } }
  }),
})

/** A delivered session and its folder as a guest may see them; undefined if there is none. */
export async function findDeliveredSessionForGuests(
  deps: AppDependencies,
  folder: string,
  id: string,
): Promise<{ row: FolderRow; session: Session } | undefined> {
  const [row, lines] = await Promise.all([folderOf(deps.sql, folder), sessionsOfFolderOrPlayer(deps.sql, 'folder', folder)])
  const line = lines.find(s => s.id === id && hasDeliveredStatus(s))
  if (!row || !line) return undefined
  const view = await folderPresenter(deps, [row], 'guest')
  return { row, session: withoutNames(await view.session(row, line)) }
}
