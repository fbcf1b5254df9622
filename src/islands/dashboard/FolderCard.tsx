import type { FolderSummary } from '../../../modules/folders/contract.ts'
import { FolderProgressDiamond, FolderStatusBadge } from '../../folders/folder-status.tsx'
import { feedbackReadMark, type ReadMarks } from '../../folders/read-marks.ts'
import { VideoPoster } from '../../player/VideoPoster.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

export const videoCountLabel = (count: number) => (count === 0 ? 'No videos yet' : count === 1 ? '1 video' : `${count} videos`)

/**
 * A folder in its player's list: a row on a phone, a card with a poster on larger screens. `read`: the player's read marks; `loadAtOnce`:
 * load the poster with the page instead of when it scrolls into view.
 */
export const FolderCard = ({ folder, read, loadAtOnce }: { folder: FolderSummary; read: ReadMarks; loadAtOnce: boolean }) => (
  <a
    href={`/player/folder/${folder.id}`}
    className="group flex overflow-hidden rounded-card border border-line bg-paper transition-[border-color] hover:border-ink-2 sm:flex-col"
  >
    <VideoPoster src={folder.poster} eager={loadAtOnce} className="w-32 shrink-0 self-stretch max-sm:aspect-auto sm:w-full" />
    <span className="flex min-w-0 flex-1 flex-col gap-1.5 p-3 sm:p-4">
      <span className="flex items-start justify-between gap-2">
        <span className="line-clamp-2 font-medium wrap-anywhere group-hover:underline">{folder.name}</span>
        <FolderProgressDiamond folder={folder} className="size-7 shrink-0" />
      </span>
      <span className="text-14 text-ink-2">
        {videoCountLabel(folder.videos)}
        {folder.instructor && ` · ${folder.instructor.name}`}
      </span>
      <span className="mt-auto flex flex-wrap items-center justify-between gap-2 pt-1">
        <FolderStatusBadge status={folder.status} read={folder.assignment !== null && read.includes(feedbackReadMark(folder.assignment))} />
        <span className="text-13 text-ink-2">
          <RelativeTime at={folder.updated} />
        </span>
      </span>
    </span>
  </a>
)
