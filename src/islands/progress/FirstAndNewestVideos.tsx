import { Columns2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Skill } from '../../../modules/accounts/contract.ts'
import type { ProgressSession } from '../../../modules/progress/contract.ts'
import { sessionPath } from '../../folders/folder-page-urls-and-query.ts'
import { VideoPoster } from '../../player/VideoPoster.tsx'
import { firstAndNewestVideos } from '../../progress/progress-series.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const FirstAndNewestComparison = lazyWithRetry(() =>
  import('./FirstAndNewestComparison.tsx').then(m => ({ default: m.FirstAndNewestComparison })),
)

const day = dateFormatter({ dateStyle: 'medium' })

/** Posters of the first and the newest session about a skill; "Compare" plays both videos in sync. */
export function FirstAndNewestVideos({ sessions, skill }: { sessions: readonly ProgressSession[]; skill: Skill }) {
  const [comparing, setComparing] = useState(false)
  const pair = firstAndNewestVideos(sessions, skill)
  if (!pair) return null
  return (
    <section
      aria-labelledby={`swings-${skill}`}
      className={cx('min-w-0 rounded-card border border-line bg-paper p-4 sm:p-6', comparing && 'lg:col-span-2')}
    >
      <div className="mb-4 flex items-center justify-between gap-3">
        <h3 id={`swings-${skill}`} className="text-16">
          First and newest
        </h3>
        <Button
          variant="secondary"
          size="sm"
          aria-pressed={comparing}
          icon={<Columns2 aria-hidden="true" size={18} strokeWidth={1.75} />}
          onClick={() => setComparing(!comparing)}
        >
          Compare
        </Button>
      </div>
      {comparing && (
        <div className="mb-4 overflow-hidden rounded-field border border-line">
          <Suspense fallback={<Skeleton className="aspect-video w-full" />}>
            <FirstAndNewestComparison {...pair} />
          </Suspense>
        </div>
      )}
      <div className={cx('grid grid-cols-2 gap-3', comparing && 'sm:max-w-md')}>
        {[pair.first, pair.newest].map(({ session }, i) => (
          <a key={session.id} href={sessionPath('player', session.folder, session.id)} className="group block min-w-0 rounded-field">
            {!comparing && <VideoPoster src={session.poster} className="mb-2 rounded-field" />}
            <span className="block text-14 font-medium group-hover:underline">{i === 0 ? 'First' : 'Newest'}</span>
            <span className="block truncate text-14">{session.name}</span>
            <span className="block text-13 text-ink-2">{day(new Date(session.given))}</span>
          </a>
        ))}
      </div>
    </section>
  )
}
