import { FolderPlus, Plus } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { MAX_VIDEOS_PER_SESSION, TYPICAL_FEEDBACK_TIME } from '../../../modules/folders/policy.ts'
import { isGuardianConsentMissing, usePollGuardianConsent } from '../../accounts/guardian-consent-polling.ts'
import { ScheduledDeletionDashboardNotice } from '../../accounts/ScheduledDeletionDashboardNotice.tsx'
import { UndeliverableEmailNotice } from '../../accounts/UndeliverableEmailNotice.tsx'
import type { User } from '../../client/login-session.ts'
import { useQuery } from '../../client/query.ts'
import { readSkeletonShape, saveSkeletonShape } from '../../client/skeleton-shape.ts'
import { errorMessage } from '../../client/use-command.ts'
import { useMorePages } from '../../client/use-more-pages.ts'
import { useReadMarks } from '../../folders/read-marks.ts'
import { readInstructorToConnect } from '../../instructors/stored-instructor-to-connect.ts'
import { usePageLocation } from '../../page-load/preloaded-page-data-context.ts'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { Button } from '../../ui/button.tsx'
import { ClientOnly } from '../../ui/client-only.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { LoadMoreFooter } from '../../ui/load-more-footer.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { readUnfinishedUploads } from '../../upload/unfinished-uploads.ts'
import { ActionItems, MAX_ACTION_ITEMS_SHOWN } from './ActionItems.tsx'
import { ArchivedFolders } from './ArchivedFolders.tsx'
import { actionItemsOf } from './action-items.ts'
import { FolderCard } from './FolderCard.tsx'
import { convertFoldersReplyToListPage, fetchNextFolderPage } from './folder-list-pages.ts'
import { FOLDER_GRID_CLASSES, PlayerDashboardSkeleton } from './PlayerDashboardSkeleton.tsx'

// Loaded when first shown, because forms make up most of this screen's code.
const NewFolderDialog = lazyWithRetry(() => import('./NewFolderDialog.tsx').then(m => ({ default: m.NewFolderDialog })))
const InstructorToConnectCard = lazyWithRetry(() =>
  import('./InstructorToConnectCard.tsx').then(m => ({ default: m.InstructorToConnectCard })),
)
const MissingConsentCard = lazyWithRetry(() =>
  import('../../accounts/MissingConsentCard.tsx').then(m => ({ default: m.MissingConsentCard })),
)

/**
 * How many posters load with the page. On a phone only the first one is in view, and more would delay its largest contentful paint
 * (benchmark F4); on wider screens the browser requests the others as soon as it has laid out the page.
 */
const EAGER_POSTERS = 1

const MORE_LINKS = [
  ['/player/progress', 'Progress'],
  ['/player/connect-instructor', 'Find an instructor'],
  ['/player/rewards', 'Rewards'],
] as const

function Dashboard({ user }: { user: User }) {
  const awake = useHydrated()
  const { search } = usePageLocation()
  const [creating, setCreating] = useState(() => new URLSearchParams(search).has('new'))
  // Players who pressed Connect on a public profile and then logged in come here. The card deletes the stored instructor, so read it once.
  const [wantedToConnect] = useState(() => readInstructorToConnect() !== undefined)
  const answer = useQuery('GET /api/folders')
  const billing = useQuery('GET /api/billing/open')
  // The action items are above the folders, so both lists appear together; otherwise late action items would push the folders down.
  const first = billing.data || billing.error ? answer.data : undefined
  const { rows: shown = [], ...paging } = useMorePages({
    first: first && convertFoldersReplyToListPage(first),
    load: fetchNextFolderPage,
    keyOf: f => f.id,
  })
  const unlisted = first?.unfinished.filter(f => !shown.some(listed => listed.id === f.id)) ?? []
  const all = first && [...shown, ...unlisted]
  const read = useReadMarks()
  const now = useNow()
  const isLoading = !all && !answer.error
  // A minor's bills are paid by the guardian.
  const bills = user.guardian === null ? (billing.data?.payments ?? []) : []
  const items = all && actionItemsOf(all, bills, awake ? readUnfinishedUploads(now) : [], read, now, !isGuardianConsentMissing(user))
  useEffect(() => {
    if (!all) return
    saveSkeletonShape('dashboard', { items: Math.min(MAX_ACTION_ITEMS_SHOWN, items!.length), folders: first!.folders.length })
    saveSkeletonShape('folders', Object.fromEntries(all.map(f => [f.id, f.status === 'feedback-given' || f.status === 'paid'])))
  })
  usePollGuardianConsent()
  const create = () => setCreating(true)
  const start = (
    // Invisible until the folders have loaded: if there are none, the button disappears, and a press just before that would be lost.
    <Button icon={<Plus aria-hidden="true" size={20} strokeWidth={1.75} />} onClick={create} className={cx(isLoading && 'invisible')}>
      New folder
    </Button>
  )
  return (
    <div className="page">
      <PageHeader
        title="Your folders"
        about={
          <nav aria-label="More" className="-mx-2 flex flex-wrap text-14">
            {MORE_LINKS.map(([href, label]) => (
              <a key={href} href={href} className="link inline-flex min-h-11 items-center px-2">
                {label}
              </a>
            ))}
          </nav>
        }
        action={(isLoading || shown.length > 0) && start}
      />
      <ScheduledDeletionDashboardNotice due={billing.data?.deletionDue} />
      {isGuardianConsentMissing(user) && (
        <ClientOnly fallback={<Skeleton className="mb-8 h-32" />}>
          <MissingConsentCard />
        </ClientOnly>
      )}
      {wantedToConnect && awake && (
        <Suspense fallback={<Skeleton className="mb-8 h-46.5 w-full rounded-card! sm:h-35.5" />}>
          <InstructorToConnectCard />
        </Suspense>
      )}
      {items && billing.data?.guardianUndeliverable && !isGuardianConsentMissing(user) && (
        <UndeliverableEmailNotice title="Our emails are not reaching your parent or guardian" className="mb-8">
          They may miss your requests and bills.{' '}
          <a href="/account#guardian" className="link">
            Check their address
          </a>
          .
        </UndeliverableEmailNotice>
      )}
      {items && <ActionItems items={items} read={read} />}
      {!all && answer.error && <ErrorState title="Your folders did not load" error={errorMessage(answer.error)} retry={answer.retry} />}
      {isLoading && <PlayerDashboardSkeleton {...readSkeletonShape('dashboard', { items: 1, folders: 3 })} />}
      {first && shown.length === 0 && (
        <EmptyState
          title={first.archived ? 'No open folders' : 'Your first folder'}
          action={
            <Button size="lg" icon={<FolderPlus aria-hidden="true" size={22} strokeWidth={1.75} />} onClick={create}>
              New folder
            </Button>
          }
        >
          Put up to {MAX_VIDEOS_PER_SESSION} videos of your swing, pitch or play in a folder, then send it to your instructor. Feedback
          usually takes {TYPICAL_FEEDBACK_TIME}, and you pay only after you have it.
        </EmptyState>
      )}
      {shown.length > 0 && (
        <section aria-label="Folders" className={FOLDER_GRID_CLASSES}>
          {shown.map((folder, i) => (
            <FolderCard key={folder.id} folder={folder} read={read} loadAtOnce={i < EAGER_POSTERS} />
          ))}
        </section>
      )}
      {first && (
        <div className="mt-6">
          <LoadMoreFooter shown={shown.length} total={first.total} {...paging} label="Show more folders" />
        </div>
      )}
      {!!first?.archived && <ArchivedFolders count={first.archived} />}
      {creating && awake && (
        <Suspense fallback={null}>
          <NewFolderDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </div>
  )
}

export default ({ preloaded }: { preloaded?: string | undefined }) => (
  <ProtectedPage role="player" preloaded={preloaded}>
    {user => <Dashboard user={user} />}
  </ProtectedPage>
)
