import { useEffect, useState } from 'react'
import type { QueuedSession } from '../../../modules/folders/contract.ts'
import { callApi, type Reply } from '../../client/api.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { useMorePages } from '../../client/use-more-pages.ts'
import { queueProgressAndTimeLeftText, reviewsDoneAndMinutesLeft } from '../../folders/instructor-review-progress-and-minutes-left.ts'
import { nextInstructorTask } from '../../folders/next-folder-in-instructor-queue.ts'
import { useRefreshWhilePreparing } from '../../player/clip-preparation-status.ts'
import { CompactSelect } from '../../ui/compact-select.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { LoadMoreFooter } from '../../ui/load-more-footer.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { DeliveredSection } from './DeliveredSection.tsx'
import { EmptyQueue } from './EmptyQueue.tsx'
import { QueueRow } from './QueueRow.tsx'
import { QueueSection } from './QueueSection.tsx'
import { QueueSkeleton } from './QueueSkeleton.tsx'
import { QUEUE_ORDERS, type QueueOrder, searchLoadingOrNoMatchText, searchQueue, sortQueue } from './sort-and-search-queue.ts'
import { useQueueShortcuts } from './use-queue-shortcuts.ts'

/** A shorter queue can be scanned by eye, so it gets no search field. */
const MIN_SEARCHABLE_SESSIONS = 6

const isDelivered = (f: QueuedSession) => ['feedback-given', 'paid'].includes(f.status) && f.clarification !== 'asked'
const pageOf = ({ folders, next }: Reply<'GET /api/queue/waiting' | 'GET /api/queue/delivered'>) => ({ rows: folders, next })
const loadWaiting = async (after: string) => pageOf(await callApi('GET /api/queue/waiting', { query: { after } }))
const loadDelivered = async (before: string) => pageOf(await callApi('GET /api/queue/delivered', { query: { before } }))

/** The delivered sessions, newest first, page by page. */
function useDeliveredPages(queue: Reply<'GET /api/queue'> | undefined) {
  const { rows = [], ...paging } = useMorePages({
    first: queue && { rows: queue.folders.filter(isDelivered).reverse(), next: queue.delivered.next },
    load: loadDelivered,
    keyOf: f => f.assignment!,
  })
  return { rows, paging }
}

/** The line under the title: the number of questions and of waiting folders, and the instructor's progress in this sitting. */
function QueueSummary({ queue }: { queue: Reply<'GET /api/queue'> }) {
  const progress = reviewsDoneAndMinutesLeft(queue, useNow())
  const questions = queue.folders.filter(f => f.clarification === 'asked').length
  const { waiting } = progress
  const parts = [
    questions && (questions === 1 ? '1 player has a question' : `${questions} players have a question`),
    waiting && (waiting === 1 ? '1 folder is waiting for you' : `${waiting} folders are waiting for you`),
  ].filter(Boolean)
  const text = queueProgressAndTimeLeftText(progress)
  return (
    <p className="-mt-4 text-ink-2">
      {parts.length ? `${parts.join(', and ')}.` : 'All caught up.'}
      {text && <span className="tabular-nums"> {`${text.charAt(0).toUpperCase()}${text.slice(1)}`}.</span>}
    </p>
  )
}

/**
 * The sessions that `GET /api/queue` returned and the waiting ones that were loaded after them, and the paging of the waiting ones.
 * Searching and sorting need every waiting session, so with `loadAll` the remaining pages load one after another.
 */
function useQueuePages(queue: Reply<'GET /api/queue'> | undefined, loadAll: boolean) {
  const { rows = [], ...paging } = useMorePages({
    first: queue && { rows: queue.folders.filter(f => f.status === 'assigned'), next: queue.waiting.next },
    load: loadWaiting,
    keyOf: f => f.assignment!,
  })
  const { more, busy, message } = paging
  const isLoading = loadAll && !!more && message === undefined
  useEffect(() => {
    if (isLoading && !busy) more()
  }, [isLoading, busy, more])
  const others = queue?.folders.filter(f => f.status !== 'assigned') ?? []
  const startedMeanwhile = new Set(others.map(f => f.assignment))
  return { folders: [...others, ...rows.filter(f => !startedMeanwhile.has(f.assignment))], paging, isLoading }
}

/** The instructor's sessions in sections: questions first, then started reviews, waiting ones, and delivered ones. */
export function ReviewQueue({ ready, slug, isClosed }: { ready: boolean; slug: string | null | undefined; isClosed: boolean }) {
  const { data, error, retry } = useQuery('GET /api/queue')
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<QueueOrder>('oldest')
  useRefreshWhilePreparing('GET /api/queue', data?.folders.some(f => f.preparing > 0) ?? false)
  const isSearched = search.trim() !== ''
  const { folders, paging, isLoading } = useQueuePages(data, isSearched || order !== 'oldest')
  const delivered = useDeliveredPages(data)
  useQueueShortcuts()
  if (error && !data) return <ErrorState title="Your queue did not load" error={errorMessage(error)} retry={retry} />
  if (!data || !ready) return <QueueSkeleton />
  if (!folders.length) return <EmptyQueue slug={slug} isClosed={isClosed} />
  const shown = sortQueue(searchQueue(folders, search), order)
  const of = (status: string) => shown.filter(f => f.status === status)
  const waiting = of('assigned')
  const next = nextInstructorTask(folders)?.assignment
  const status = searchLoadingOrNoMatchText(search, {
    isLoading,
    matches: shown.length + searchQueue(delivered.rows, search).length,
    hasMoreWaiting: !!paging.more,
    hasMoreDelivered: !!delivered.paging.more,
  })
  return (
    <div className="flex flex-col gap-8">
      <QueueSummary queue={data} />
      {folders.length >= MIN_SEARCHABLE_SESSIONS && (
        <search className="-mt-4 flex flex-wrap items-center gap-3">
          <input
            type="search"
            aria-label="Find a player or folder"
            placeholder="Find a player or folder"
            value={search}
            onChange={e => setSearch(e.currentTarget.value)}
            className="h-11 min-w-40 flex-1 rounded-field border border-edge bg-paper px-3 placeholder:text-ink-2"
          />
          <CompactSelect label="Order" framed value={order} options={QUEUE_ORDERS} onChange={to => setOrder(to as QueueOrder)} />
          <p className="text-13 text-ink-2 max-sm:hidden pointer-coarse:hidden">
            <kbd className="font-sans font-medium text-ink">J</kbd> and <kbd className="font-sans font-medium text-ink">K</kbd> move,{' '}
            <kbd className="font-sans font-medium text-ink">Enter</kbd> opens
          </p>
        </search>
      )}
      {status && <p role="status">{status}</p>}
      <QueueSection id="questions" title="Questions" folders={shown.filter(f => f.clarification === 'asked')}>
        {f => <QueueRow key={f.assignment} folder={f} action="Answer" isNext={f.assignment === next} />}
      </QueueSection>
      <QueueSection id="reviewing" title="In review" folders={of('in-review')}>
        {f => <QueueRow key={f.assignment} folder={f} action="Continue" showWaitingTime isNext={f.assignment === next} />}
      </QueueSection>
      <div className="flex flex-col gap-4 empty:hidden">
        <QueueSection id="waiting" title="Waiting" folders={waiting} count={isSearched ? waiting.length : data.waiting.total}>
          {f => <QueueRow key={f.assignment} folder={f} action="Review" showWaitingTime isNext={f.assignment === next} />}
        </QueueSection>
        {(paging.more || waiting.length > 0) && (
          <LoadMoreFooter
            shown={waiting.length}
            total={isSearched ? null : data.waiting.total}
            {...paging}
            label="Show more waiting sessions"
          />
        )}
      </div>
      <DeliveredSection {...delivered} total={data.delivered.total} search={search} />
    </div>
  )
}
