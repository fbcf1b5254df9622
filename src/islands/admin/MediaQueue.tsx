import { CircleCheck, Film, OctagonAlert } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { countWithNoun } from '../../../modules/format-text.ts'
import { callApi, type Reply } from '../../client/api.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/format.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { describeMedia } from '../../upload/describe-media.ts'
import { ExpandableRow } from './ExpandableRow.tsx'
import { OverviewCardPlaceholder } from './OverviewCardPlaceholder.tsx'

const RefuseVideoDialog = lazyWithRetry(() => import('./RefuseVideoDialog.tsx').then(m => ({ default: m.RefuseVideoDialog })))

const QUERY = 'GET /api/admin/media'
type MediaWork = Reply<typeof QUERY>['works'][number]
/** The poll interval while videos are waiting or being processed. */
const POLL_MS = 3000

const LISTED_AT_FIRST = 8
const icon = { 'aria-hidden': true, size: 20, strokeWidth: 1.75 } as const

/** The processing queue: the waiting videos, the progress of each video, and the failed videos with the reason. */
export function MediaQueue() {
  const heading = useRef<HTMLHeadingElement>(null)
  const [refusing, setRefusing] = useState<string>()
  const [listed, setListed] = useState(LISTED_AT_FIRST)
  const { data, error, retry } = useQuery(QUERY)
  const { waiting = 0, preparing = 0, refused = 0 } = data?.counts ?? {}
  const moves = waiting + preparing > 0
  useEffect(() => {
    if (!moves) return
    const timer = setInterval(() => refetchQueries(QUERY), POLL_MS)
    return () => clearInterval(timer)
  }, [moves])
  if (!data) return <OverviewCardPlaceholder error={error} retry={retry} className="h-25.75" />
  const counts = `${preparing} being prepared · ${waiting} waiting${refused ? ` · ${refused} given up` : ''}`
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
      <ExpandableRow summary={counts}>
        {data.works.length === 0 ? (
          <p className="px-4 pb-4 text-14 text-ink-2">No video is waiting.</p>
        ) : (
          <ul className="divide-y divide-line border-t border-line" aria-label="Videos in preparation">
            {data.works.slice(0, listed).map(work => (
              <MediaWorkRow
                key={work.video}
                work={work}
                onRefuse={() => setRefusing(work.video)}
                onRetried={() => heading.current?.focus()}
              />
            ))}
          </ul>
        )}
        {data.works.length > LISTED_AT_FIRST && (
          <div className="border-t border-line p-4">
            <ShowMore
              shown={Math.min(listed, data.works.length)}
              total={waiting + preparing + refused}
              more={listed < data.works.length ? () => setListed(data.works.length) : undefined}
              busy={false}
              message={undefined}
              label="Show more videos"
            />
          </div>
        )}
      </ExpandableRow>
      {refusing && (
        <Suspense fallback={null}>
          <RefuseVideoDialog video={refusing} onClose={() => setRefusing(undefined)} onRefused={() => heading.current?.focus()} />
        </Suspense>
      )}
    </section>
  )
}

const stateLabels = {
  waiting: 'Waiting',
  preparing: 'Being prepared',
  ready: 'Ready',
  refused: 'Given up',
}

function MediaWorkRow({ work, onRefuse, onRetried }: { work: MediaWork; onRefuse: () => void; onRetried: () => void }) {
  const { run, busy, message } = useCommand()
  const { kind, video, state, progress, tries, code, error, reason, media, bytes, asked, begun, ended, cpuSeconds } = work
  const about = [kind === 'review' && 'Video of a review', media && describeMedia(media), bytes > 0 && formatBytes(bytes)]
    .filter(Boolean)
    .join(' · ')
  const retry = async () => {
    const done = await run(() => callApi('POST /api/admin/media/{video}/retry', { params: { video } }))
    await refetchQueries(QUERY)
    // The pressed button disappears, so the focus moves to the heading.
    if (done) onRetried()
  }
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="font-medium">
          {stateLabels[state]}
          {state === 'preparing' && `, ${Math.floor(progress * 100)}%`}
          {code && `: ${code}`}
        </p>
        {state !== 'refused' && (
          <Button variant="secondary" size="sm" onClick={onRefuse} aria-label={`Refuse video ${video}`}>
            Refuse
          </Button>
        )}
        {state === 'refused' && (
          <Button variant="secondary" size="sm" busy={busy} onClick={retry} aria-label={`Try video ${video} again`}>
            Try again
          </Button>
        )}
      </div>
      <p className="text-14 wrap-anywhere text-ink-2">
        {about}
        <br />
        {reason && (
          <>
            “{reason}”
            <br />
          </>
        )}
        {error && (
          <>
            {error}
            <br />
          </>
        )}
        Video {video} · {tries === 1 ? '1 try' : `${tries} tries`} ·{' '}
        <RelativeTime at={ended ?? ((state === 'preparing' && begun) || asked)} />
        {cpuSeconds >= 1 && ` · ${Math.round(cpuSeconds)} s of CPU time`}
      </p>
      {message && (
        <p role="alert" className="text-14 font-medium text-red">
          {message}
        </p>
      )}
    </li>
  )
}
