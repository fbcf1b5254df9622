import type { Queued } from '../../../modules/folders/contract.ts'
import { sessionPath } from '../../folders/urls.ts'
import { Poster } from '../../player/Poster.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { RelativeTime, useNow } from '../../ui/relative-time.tsx'
import { age } from './age.ts'

const fills = { field: 'bg-field', gold: 'bg-gold', clay: 'bg-clay' }
const inks = { field: 'text-field', gold: 'text-gold', clay: 'text-clay' }

/** How much of the promised 48 hours is used up, with a mark at 24. */
function Wait({ assigned }: { assigned: string }) {
  const { part, tone, words } = age(assigned, useNow())
  return (
    <span className="flex flex-col gap-1.5">
      <span className={cx('text-14 font-medium', inks[tone])}>{words}</span>
      <span aria-hidden="true" className="relative block h-1.5 w-full rounded-full bg-line">
        {/* In steps: a page's policy names each style that it comes with. */}
        <span className={cx('block h-full rounded-full', fills[tone])} style={{ width: `${Math.max(5, Math.round(part * 20) * 5)}%` }} />
        <span className="absolute -top-0.5 left-1/2 h-2.5 w-px bg-edge" />
      </span>
    </span>
  )
}

/** How many videos there are, and what becomes of those that are not ready to be watched. */
function videos({ videos, preparing, unseen }: Queued) {
  const all = videos === 1 ? '1 video' : `${videos} videos`
  const parts = [
    preparing > 0 && `${videos === 1 ? '' : `${preparing} `}being prepared`,
    unseen > 0 && `${videos === 1 ? '' : `${unseen} `}cannot be played`,
  ]
  return [all, ...parts.filter(part => part !== false)].join(', ')
}

/** A folder in the queue. `action` says what opening it is for; `wait` shows the clock that runs. */
export function Row({
  folder,
  action,
  primary = false,
  wait = false,
}: {
  folder: Queued
  action: string
  primary?: boolean
  wait?: boolean
}) {
  const page = sessionPath('instructor', folder.id, folder.assignment!)
  const says = folder.question ?? folder.message
  return (
    <li className="flex flex-col gap-3 p-3 sm:flex-row sm:items-center sm:gap-4 sm:p-4">
      <div className="flex min-w-0 flex-1 items-center gap-3 sm:gap-4">
        <Poster src={folder.poster} className="w-24 shrink-0 rounded-field sm:w-32" />
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">
            {folder.player.name}
            <span className="font-normal text-ink-2"> · {folder.name}</span>
          </p>
          {says && <p className="line-clamp-2 text-14 text-ink-2">“{says}”</p>}
          <p className="text-13 text-ink-2">
            {/* Of what is delivered, when it went out. */}
            {videos(folder)} · <RelativeTime at={folder.given ?? folder.assigned} />
          </p>
        </div>
      </div>
      {wait && (
        <div className="sm:w-44">
          <Wait assigned={folder.assigned} />
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
