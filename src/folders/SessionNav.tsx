import type { Folder, SessionSummary } from '../../modules/folders/contract.ts'
import { capitalize } from '../ui/capitalize.ts'
import { cx } from '../ui/cx.ts'
import { RelativeTime } from '../ui/relative-time.tsx'
import { type FolderPageViewer, sessionPath } from './folder-page-urls-and-query.ts'
import { FolderStatusBadge } from './folder-status.tsx'

const gradesSummary = ({ grades }: SessionSummary) => grades.map(g => `${capitalize(g.skill)} ${g.grade}`).join(' · ')

/** The URL of a session. The newest session is shown on the folder's own page. */
export const sessionOrFolderPath = (viewer: FolderPageViewer, { id, sessions }: Pick<Folder, 'id' | 'sessions'>, session: string) =>
  session === sessions[0]?.id ? `/${viewer}/folder/${id}` : sessionPath(viewer, id, session)

/**
 * Links to the sessions of a folder, the newest first; renders nothing for fewer than two. `shown`: the id of the session on the screen.
 */
export function SessionNav({ folder, shown, viewer }: { folder: Folder; shown: string | undefined; viewer: FolderPageViewer }) {
  const { sessions } = folder
  if (sessions.length < 2) return null
  return (
    <nav aria-label="Sessions" className="mb-4 sm:mb-6">
      <ol className="flex gap-2 overflow-x-auto pb-1">
        {sessions.map((session, i) => (
          <li key={session.id} className="shrink-0">
            <a
              href={sessionOrFolderPath(viewer, folder, session.id)}
              aria-current={session.id === shown ? 'page' : undefined}
              className={cx(
                'flex h-full min-h-18 w-56 flex-col justify-between gap-1 rounded-field border-2 bg-paper p-3 transition-[border-color]',
                session.id === shown ? 'border-field' : 'border-line hover:border-edge',
              )}
            >
              <span className="flex flex-wrap items-baseline justify-between gap-x-2">
                <span className="font-medium">Session {sessions.length - i}</span>
                <span className="text-13 text-ink-2">
                  <RelativeTime at={session.given ?? session.assigned} />
                </span>
              </span>
              {viewer !== 'instructor' && <span className="truncate text-14">{session.instructor.name}</span>}
              <span className="text-13 text-ink-2">
                {session.given ? gradesSummary(session) || 'No grades' : <FolderStatusBadge status={session.status} viewer={viewer} />}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
