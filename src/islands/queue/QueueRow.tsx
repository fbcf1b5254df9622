import type { QueuedSession } from '../../../modules/folders/contract.ts'
import { sessionPath } from '../../folders/folder-page-urls-and-query.ts'
import { VideoPoster } from '../../player/VideoPoster.tsx'
import { cx } from '../../ui/cx.ts'
import { RelativeTime, useNow } from '../../ui/relative-time.tsx'
import { QUEUE_ROW_ATTRIBUTE } from './use-queue-shortcuts.ts'
import { describeWaitingTime } from './waiting-time.ts'

const TONE_COLORS = { field: 'text-field', gold: 'text-gold', clay: 'text-clay' }

/** The player's waiting time, colored by how much of the promised 48 hours has passed. */
function WaitingTime({ assigned }: { assigned: string }) {
  const { tone, words } = describeWaitingTime(assigned, useNow())
  return <span className={cx('font-medium', TONE_COLORS[tone])}>{words}</span>
}

/** '3 videos, 1 being prepared': the number of videos, and how many of them cannot be watched yet, or at all. */
function videoSummary({ videos, preparing, unseen }: QueuedSession) {
  const all = videos === 1 ? '1 video' : `${videos} videos`
  const parts = [
    preparing > 0 && `${videos === 1 ? '' : `${preparing} `}being prepared`,
    unseen > 0 && `${videos === 1 ? '' : `${unseen} `}cannot be played`,
  ]
  return [all, ...parts.filter(part => part !== false)].join(', ')
}

/**
 * A session in the queue as one large link. `action` is the link's label; `isNext` highlights the next task; `showWaitingTime` shows how
 * long the player has waited, instead of when the session was delivered or assigned.
 */
export function QueueRow({
  folder,
  action,
  isNext = false,
  showWaitingTime = false,
}: {
  folder: QueuedSession
  action: string
  isNext?: boolean
  showWaitingTime?: boolean
}) {
  const page = sessionPath('instructor', folder.id, folder.assignment!)
  const message = folder.question ?? folder.message
  return (
    <li>
      <a
        href={folder.question === null ? page : `${page}#question`}
        aria-label={`${action}: ${folder.name} from ${folder.player.name}`}
        {...{ [QUEUE_ROW_ATTRIBUTE]: '' }}
        className="flex min-h-11 flex-wrap items-center gap-x-3 px-2 py-1 hover:bg-ink-wash focus-visible:-outline-offset-2 sm:h-11 sm:flex-nowrap sm:px-3 sm:py-0"
      >
        <VideoPoster src={folder.poster} className="w-14 shrink-0 rounded-base" />
        <span className="min-w-24 flex-1 sm:flex sm:items-baseline sm:gap-3">
          <span className="block font-medium wrap-anywhere sm:max-w-[60%] sm:shrink-0 sm:truncate">
            {folder.player.name}
            <span className="font-normal text-ink-2"> · {folder.name}</span>
          </span>
          {message && <span className="line-clamp-1 text-14 wrap-anywhere text-ink-2">“{message}”</span>}
        </span>
        <span className="flex min-w-0 flex-col items-end text-13 text-ink-2 sm:shrink-0 sm:flex-row sm:items-baseline sm:gap-3">
          <span>{videoSummary(folder)}</span>
          {/* A delivered session shows when its feedback was delivered. */}
          {showWaitingTime ? <WaitingTime assigned={folder.assigned} /> : <RelativeTime at={folder.given ?? folder.assigned} />}
        </span>
        <span
          className={cx(
            'shrink-0 rounded-field px-3 py-1 text-14 font-medium max-sm:hidden sm:w-21 sm:text-center',
            isNext ? 'bg-field text-on-fill' : 'border border-edge',
          )}
        >
          {action}
        </span>
      </a>
    </li>
  )
}
