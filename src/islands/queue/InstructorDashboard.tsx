import { UserRoundPen } from 'lucide-react'
import { useState } from 'react'
import type { QueuedSession } from '../../../modules/folders/contract.ts'
import { errorMessage } from '../../client/command.ts'
import { useQuery } from '../../client/query.ts'
import { nextInQueue } from '../../folders/next-review.ts'
import { InviteCard } from '../../instructors/InviteCard.tsx'
import { useRefreshWhilePreparing } from '../../player/preparation.ts'
import { Protected } from '../../shell/Protected.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EarningsCard } from './EarningsCard.tsx'
import { EmptyQueue } from './EmptyQueue.tsx'
import { IncompleteProfileCard } from './IncompleteProfileCard.tsx'
import { QueueRow } from './QueueRow.tsx'
import { QueueSkeleton } from './QueueSkeleton.tsx'
import { VettingCard } from './VettingCard.tsx'

const DELIVERED_SHOWN = 5

function QueueSection({
  title,
  id,
  folders,
  children,
}: {
  title: string
  id: string
  folders: QueuedSession[]
  children: (folder: QueuedSession, i: number) => React.ReactNode
}) {
  const [all, setAll] = useState(false)
  if (!folders.length) return null
  const shown = all ? folders : folders.slice(0, id === 'delivered' ? DELIVERED_SHOWN : undefined)
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 text-18">
        {title} <span className="font-normal text-ink-2">{folders.length}</span>
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-paper">{shown.map(children)}</ul>
      {shown.length < folders.length && (
        <Button variant="quiet" onClick={() => setAll(true)} className="mt-2">
          Show all {folders.length}
        </Button>
      )}
    </section>
  )
}

/** The line under the title: how many folders and questions are open. */
function queueSummary(waiting: number, questions: number) {
  const parts = [
    waiting && (waiting === 1 ? '1 folder is waiting for you' : `${waiting} folders are waiting for you`),
    questions && (questions === 1 ? '1 player has a question' : `${questions} players have a question`),
  ].filter(Boolean)
  return parts.length ? `${parts.join(', and ')}. Oldest first.` : 'All caught up.'
}

function Queue({ ready, slug }: { ready: boolean; slug: string | null | undefined }) {
  const { data, error, retry } = useQuery('GET /api/queue')
  useRefreshWhilePreparing('GET /api/queue', data?.folders.some(f => f.preparing > 0) ?? false)
  if (error && !data) return <ErrorState title="Your queue did not load" error={errorMessage(error)} retry={retry} />
  if (!data || !ready) return <QueueSkeleton />
  const of = (status: string) => data.folders.filter(f => f.status === status)
  const questions = data.folders.filter(f => f.clarification === 'asked')
  const waiting = of('assigned')
  const reviewing = of('in-review')
  const delivered = data.folders.filter(f => ['feedback-given', 'paid'].includes(f.status) && f.clarification !== 'asked').reverse()
  const next = nextInQueue(data.folders)?.assignment
  if (!data.folders.length) return <EmptyQueue slug={slug} />
  return (
    <div className="flex flex-col gap-8">
      <p className="-mt-4 text-ink-2">{queueSummary(waiting.length + reviewing.length, questions.length)}</p>
      <QueueSection id="reviewing" title="In review" folders={reviewing}>
        {f => <QueueRow key={f.assignment} folder={f} action="Continue" showWaitingTime primary={f.assignment === next} />}
      </QueueSection>
      <QueueSection id="waiting" title="Waiting" folders={waiting}>
        {f => <QueueRow key={f.assignment} folder={f} action="Review" showWaitingTime primary={f.assignment === next} />}
      </QueueSection>
      <QueueSection id="questions" title="Questions" folders={questions}>
        {f => <QueueRow key={f.assignment} folder={f} action="Answer" primary={f.assignment === next} />}
      </QueueSection>
      <QueueSection id="delivered" title="Delivered" folders={delivered}>
        {f => <QueueRow key={f.assignment} folder={f} action="Open" />}
      </QueueSection>
    </div>
  )
}

function Dashboard() {
  const queue = useQuery('GET /api/queue')
  const profile = useQuery('GET /api/profile')
  // The card about the profile stands above the queue: shown later, it would push the queue down.
  const ready = Boolean((queue.data || queue.error) && (profile.data || profile.error))
  return (
    <div className="page">
      <PageHeader
        title="Your queue"
        action={
          <ButtonLink
            variant="quiet"
            href="/instructor/profile-editor"
            className="-mr-4"
            icon={<UserRoundPen aria-hidden="true" size={20} strokeWidth={1.75} />}
          >
            Edit profile
          </ButtonLink>
        }
      />
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div>
          {ready && <VettingCard vetting={profile.data?.vetting} />}
          {ready && <IncompleteProfileCard profile={profile.data} />}
          <Queue ready={ready} slug={profile.data?.user.profileSlug} />
        </div>
        {/* On a phone these cards follow the queue, so they would jump down when it arrives: they wait for it. */}
        <div className={cx('grid grid-cols-1 items-start gap-4 sm:grid-cols-2 lg:grid-cols-1', !ready && 'max-lg:hidden')}>
          <InviteCard />
          <EarningsCard />
        </div>
      </div>
    </div>
  )
}

export default ({ preloaded }: { preloaded?: string | undefined }) => (
  <Protected role="instructor" preloaded={preloaded}>
    {() => <Dashboard />}
  </Protected>
)
