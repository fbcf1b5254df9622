import type { QueuedSession } from '../../../modules/folders/contract.ts'
import { sessionPath } from '../../folders/urls.ts'
import { Poster } from '../../player/Poster.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { RelativeTime, useNow } from '../../ui/relative-time.tsx'
import { waitingTime } from './waiting-time.ts'

const barColors = { field: 'bg-field', gold: 'bg-gold', clay: 'bg-clay' }
const textColors = { field: 'text-field', gold: 'text-gold', clay: 'text-clay' }

/** How much of the promised 48 hours has passed, with a mark at 24. */
function WaitingBar({ assigned }: { assigned: string }) {
  const { part, tone, words } = waitingTime(assigned, useNow())
  return (
    <span className="flex flex-col gap-1.5">
      <span className={cx('text-14 font-medium', textColors[tone])}>{words}</span>
      <span aria-hidden="true" className="relative block h-1.5 w-full rounded-full bg-line">
        {/* In steps of 5%: the server renders this page, and its Content-Security-Policy lists a hash for each inline style. */}
        <span
          className={cx('block h-full rounded-full', barColors[tone])}
          style={{ width: `${Math.max(5, Math.round(part * 20) * 5)}%` }}
        />
        <span className="absolute -top-0.5 left-1/2 h-2.5 w-px bg-edge" />
      </span>
    </span>
  )
}

/** '3 videos, 1 being prepared': how many there are, and how many of them cannot be watched yet, or at all. */
function videoSummary({ videos, preparing, unseen }: QueuedSession) {
  const all = videos === 1 ? '1 video' : `${videos} videos`
  const parts = [
    preparing > 0 && `${videos === 1 ? '' : `${preparing} `}being prepared`,
    unseen > 0 && `${videos === 1 ? '' : `${unseen} `}cannot be played`,
  ]
  return [all, ...parts.filter(part => part !== false)].join(', ')
}

/** A folder in the queue. `action` labels its button; `showWaitingTime` adds how long the player has waited. */
export function QueueRow({
  folder,
  action,
  primary = false,
  showWaitingTime = false,
}: {
  folder: QueuedSession
  action: string
  primary?: boolean
  showWaitingTime?: boolean
}) {
  const page = sessionPath('instructor', folder.id, folder.assignment!)
  const message = folder.question ?? folder.message
  return (
    <li className="flex flex-col gap-3 p-3 sm:flex-row sm:items-center sm:gap-4 sm:p-4">
      <div className="flex min-w-0 flex-1 items-center gap-3 sm:gap-4">
        <Poster src={folder.poster} className="w-24 shrink-0 rounded-field sm:w-32" />
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">
            {folder.player.name}
            <span className="font-normal text-ink-2"> · {folder.name}</span>
          </p>
          {message && <p className="line-clamp-2 text-14 text-ink-2">“{message}”</p>}
          <p className="text-13 text-ink-2">
            {/* A delivered folder shows when its feedback went out, any other when it was assigned. */}
            {videoSummary(folder)} · <RelativeTime at={folder.given ?? folder.assigned} />
          </p>
        </div>
      </div>
      {showWaitingTime && (
        <div className="sm:w-44">
          <WaitingBar assigned={folder.assigned} />
        </div>
      )}
      <ButtonLink
        href={folder.question === null ? page : `${page}#question`}
        variant={primary ? 'primary' : 'secondary'}
        aria-label={`${action}: ${folder.name} of ${folder.player.name}`}
        className="sm:w-28"
      >
        {action}
      </ButtonLink>
    </li>
  )
}
