import { CircleCheck, Film, OctagonAlert } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { countWithNoun } from '../../../modules/format-cents-and-counts.ts'
import type { ListedMediaJob } from '../../../modules/media/contract.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { LoadMoreFooter } from '../../ui/load-more-footer.tsx'
import { CollapsibleCardSection } from './CollapsibleCardSection.tsx'
import { MediaJobList } from './MediaJobList.tsx'
import { OverviewCardLoadingOrError } from './OverviewCardLoadingOrError.tsx'

const RefuseMediaJobDialog = lazyWithRetry(() => import('./RefuseMediaJobDialog.tsx').then(m => ({ default: m.RefuseMediaJobDialog })))

const QUERY = 'GET /api/admin/media'
/** The poll interval while videos are waiting or being processed. */
const POLL_MS = 3000

const LISTED_AT_FIRST = 8
const icon = { 'aria-hidden': true, size: 20, strokeWidth: 1.75 } as const

/**
 * The queue of videos, voice-overs and review videos to prepare: those that are waiting, those in preparation with their progress, and
 * those that failed or were refused, with the reason.
 */
export function MediaQueue() {
  const heading = useRef<HTMLHeadingElement>(null)
  const [refusing, setRefusing] = useState<ListedMediaJob>()
  const [listed, setListed] = useState(LISTED_AT_FIRST)
  const { data, error, retry } = useQuery(QUERY)
  const { waiting = 0, preparing = 0, refused = 0 } = data?.counts ?? {}
  const moves = waiting + preparing > 0
  useEffect(() => {
    if (!moves) return
    const timer = setInterval(() => refetchQueries(QUERY), POLL_MS)
    return () => clearInterval(timer)
  }, [moves])
  if (!data) return <OverviewCardLoadingOrError error={error} retry={retry} className="h-25.75" />
  const counts = `${preparing} being prepared · ${waiting} waiting${refused ? ` · ${refused} failed` : ''}`
  const Icon = refused ? OctagonAlert : moves ? Film : CircleCheck
  return (
    <section aria-labelledby="media" className="overflow-hidden rounded-card border border-line bg-paper">
      <h2 id="media" ref={heading} tabIndex={-1} className="flex items-center gap-2 p-4 text-16">
        <Icon {...icon} className={refused ? 'text-red' : 'text-field'} />
        {refused
          ? `${countWithNoun(refused, 'video')} could not be prepared`
          : moves
            ? `${countWithNoun(waiting + preparing, 'video')} being prepared`
            : 'All videos are ready'}
      </h2>
      {/* Closed at first, so that the log below does not move when the list arrives. */}
      <CollapsibleCardSection summary={counts}>
        {data.works.length === 0 ? (
          <p className="px-4 pb-4 text-14 text-ink-2">No video is waiting.</p>
        ) : (
          <MediaJobList works={data.works.slice(0, listed)} onRefuse={setRefusing} onRetried={() => heading.current?.focus()} />
        )}
        {data.works.length > LISTED_AT_FIRST && (
          <div className="border-t border-line p-4">
            <LoadMoreFooter
              shown={Math.min(listed, data.works.length)}
              total={waiting + preparing + refused}
              more={listed < data.works.length ? () => setListed(data.works.length) : undefined}
              busy={false}
              message={undefined}
              label="Show more videos"
            />
          </div>
        )}
      </CollapsibleCardSection>
      {refusing && (
        <Suspense fallback={null}>
          <RefuseMediaJobDialog job={refusing} onClose={() => setRefusing(undefined)} onRefused={() => heading.current?.focus()} />
        </Suspense>
      )}
    </section>
  )
}
