import { FolderPlus, Plus } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import type { OwnFolder } from '../../../modules/folders/contract.ts'
import { MAX_VIDEOS_PER_FOLDER, TYPICAL_FEEDBACK_TIME } from '../../../modules/folders/policy.ts'
import { needsConsent, usePollGuardianAnswer } from '../../accounts/guardian-answer.ts'
import { errorMessage, useCommand } from '../../client/command.ts'
import { refetchQueries, setQueryData, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import type { User } from '../../client/session.ts'
import { readSkeletonShape, saveSkeletonShape } from '../../client/skeleton-shape.ts'
import { useReadMarks } from '../../folders/read-marks.ts'
import { usePageAddress } from '../../page-load/preloaded-page.ts'
import { Protected } from '../../shell/Protected.tsx'
import { Button } from '../../ui/button.tsx'
import { ClientOnly } from '../../ui/client-only.tsx'
import { DisclosureChevron } from '../../ui/disclosure-chevron.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { unfinishedUploads } from '../../upload/unfinished-uploads.ts'
import { ActionItems, MAX_ITEMS_SHOWN } from './ActionItems.tsx'
import { actionItemsOf } from './action-items.ts'
import { DashboardSkeleton, FOLDER_GRID } from './DashboardSkeleton.tsx'
import { FolderCard, videoCount } from './FolderCard.tsx'

// Loaded when first shown, because forms make up most of this screen's code.
const NewFolderDialog = lazyWithRetry(() => import('./NewFolderDialog.tsx').then(m => ({ default: m.NewFolderDialog })))
const GuardianConsentCard = lazyWithRetry(() =>
  import('../../accounts/GuardianConsentCard.tsx').then(m => ({ default: m.GuardianConsentCard })),
)

/** The first folders are visible without scrolling, so their posters load at once. */
const EAGER_POSTERS = 3

const MORE_LINKS = [
  ['/player/progress', 'Progress'],
  ['/player/connect-instructor', 'Find an instructor'],
  ['/player/rewards', 'Rewards'],
] as const

function ArchivedFolders({ folders, all }: { folders: OwnFolder[]; all: OwnFolder[] }) {
  const restore = useCommand()
  async function restoreFolder(folder: OwnFolder) {
    setQueryData('GET /api/folders', {}, { folders: all.map(f => (f.id === folder.id ? { ...f, status: 'open' as const } : f)) })
    const done = await restore.run(async () => {
      try {
        await sendCommand('POST /api/folders/{folder}/restore', { params: { folder: folder.id } })
      } catch (error) {
        toast({ title: 'Not restored', description: errorMessage(error), variant: 'destructive' })
        throw error
      }
    })
    refetchQueries('GET /api/folders')
    if (done) toast({ title: 'Restored', description: `${folder.name} is back with your folders.` })
  }
  return (
    <details className="group mt-10 rounded-card border border-line bg-paper">
      <summary className="flex min-h-14 list-none items-center justify-between px-4 font-medium sm:px-6 [&::-webkit-details-marker]:hidden">
        Archived ({folders.length})
        <DisclosureChevron size={20} className="text-ink-2" />
      </summary>
      <ul className="divide-y divide-line border-t border-line">
        {folders.map(folder => (
          <li key={folder.id} className="flex items-center justify-between gap-3 px-4 py-2 sm:px-6">
            <a href={`/player/folder/${folder.id}`} className="min-w-0 py-2 hover:underline">
              <span className="block truncate font-medium">{folder.name}</span>
              <span className="block text-13 text-ink-2">{videoCount(folder.videos)}</span>
            </a>
            <Button
              variant="secondary"
              size="sm"
              disabled={restore.busy}
              onClick={() => restoreFolder(folder)}
              aria-label={`Restore ${folder.name}`}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Dashboard({ user }: { user: User }) {
  const awake = useHydrated()
  const { search } = usePageAddress()
  const [creating, setCreating] = useState(() => new URLSearchParams(search).has('new'))
  const answer = useQuery('GET /api/folders')
  const billing = useQuery('GET /api/billing')
  // Action items stand above the folders, so the lists wait for each other: otherwise the later one would push the other down.
  const all = billing.data || billing.error ? answer.data?.folders : undefined
  const shown = all?.filter(f => f.status !== 'archived') ?? []
  const archived = all?.filter(f => f.status === 'archived') ?? []
  const read = useReadMarks()
  const now = useNow()
  const isLoading = !all && !answer.error
  // A minor's bills are paid by the guardian.
  const bills = user.guardian === null ? (billing.data?.payments ?? []) : []
  const items = all && actionItemsOf(all, bills, awake ? unfinishedUploads() : [], read, now, !needsConsent(user))
  useEffect(() => {
    if (!all) return
    saveSkeletonShape('dashboard', { items: Math.min(MAX_ITEMS_SHOWN, items!.length), folders: shown.length })
    saveSkeletonShape('folders', Object.fromEntries(all.map(f => [f.id, f.status === 'feedback-given' || f.status === 'paid'])))
  })
  usePollGuardianAnswer()
  const create = () => setCreating(true)
  const start = (
    <Button icon={<Plus aria-hidden="true" size={20} strokeWidth={1.75} />} onClick={create}>
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
      {needsConsent(user) && (
        <ClientOnly fallback={<Skeleton className="mb-8 h-32" />}>
          <GuardianConsentCard />
        </ClientOnly>
      )}
      {items && <ActionItems items={items} read={read} />}
      {!all && answer.error && <ErrorState title="Your folders did not load" error={errorMessage(answer.error)} retry={answer.retry} />}
      {isLoading && <DashboardSkeleton {...readSkeletonShape('dashboard', { items: 1, folders: 3 })} />}
      {all && shown.length === 0 && (
        <EmptyState
          title={archived.length ? 'No open folders' : 'Your first folder'}
          action={
            <Button size="lg" icon={<FolderPlus aria-hidden="true" size={22} strokeWidth={1.75} />} onClick={create}>
              New folder
            </Button>
          }
        >
          Put up to {MAX_VIDEOS_PER_FOLDER} videos of your swing, pitch or play in a folder, then send it to your instructor. Feedback
          usually takes {TYPICAL_FEEDBACK_TIME}, and you pay only after you have it.
        </EmptyState>
      )}
      {shown.length > 0 && (
        <section aria-label="Folders" className={FOLDER_GRID}>
          {shown.map((folder, i) => (
            <FolderCard key={folder.id} folder={folder} read={read} loadAtOnce={i < EAGER_POSTERS} />
          ))}
        </section>
      )}
      {archived.length > 0 && <ArchivedFolders folders={archived} all={all!} />}
      {creating && awake && (
        <Suspense fallback={null}>
          <NewFolderDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </div>
  )
}

export default ({ preloaded }: { preloaded?: string | undefined }) => (
  <Protected role="player" preloaded={preloaded}>
    {user => <Dashboard user={user} />}
  </Protected>
)
