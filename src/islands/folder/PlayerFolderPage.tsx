import { Suspense, useEffect, useRef, useState } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { usePollGuardianConsent } from '../../accounts/guardian-consent-polling.ts'
import type { User } from '../../client/login-session.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { removeQueryParams } from '../../client/remove-query-params.ts'
import { readSkeletonShape } from '../../client/skeleton-shape.ts'
import { FolderVideosPlayer } from '../../clips/FolderVideosPlayer.tsx'
import { FolderLoadError } from '../../folders/FolderLoadError.tsx'
import { FolderStory } from '../../folders/FolderStory.tsx'
import { folderIdInUrl, useFolderQueryInput } from '../../folders/folder-page-urls-and-query.ts'
import { FolderStatusBadge } from '../../folders/folder-status.tsx'
import { LAYOUT_BEFORE_FEEDBACK } from '../../folders/page-layouts.ts'
import { feedbackReadMark, useReadMarks } from '../../folders/read-marks.ts'
import { SessionNav } from '../../folders/SessionNav.tsx'
import { usePageLocation } from '../../page-load/preloaded-page-data-context.ts'
import { useSaveCardAfterStripeRedirect } from '../../payments/add-card-on-stripe-page.ts'
import { isBeingPrepared, mayNotBeQueuedYet, useRefreshWhilePreparing } from '../../player/clip-preparation-status.ts'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { site } from '../../site.ts'
import { Card } from '../../ui/card.tsx'
import { ClientOnly } from '../../ui/client-only.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-and-error-states.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { FolderTitle } from './FolderTitle.tsx'
import { FolderTitleButtons } from './FolderTitleButtons.tsx'
import { NextStep } from './NextStep.tsx'
import { OriginalVideoDownloads } from './OriginalVideoDownloads.tsx'
import { FeedbackWhilePlayerLoads, PlayerFolderSkeleton } from './PlayerFolderSkeleton.tsx'

const UploadArea = lazyWithRetry(() => import('../../upload/UploadArea.tsx').then(m => ({ default: m.UploadArea })))
const AssignDialog = lazyWithRetry(() => import('./AssignDialog.tsx').then(m => ({ default: m.AssignDialog })))
const PlayerDeliveredSession = lazyWithRetry(() =>
  import('./PlayerDeliveredSession.tsx').then(m => ({ default: m.PlayerDeliveredSession })),
)

function FolderScreen({ folder, user }: { folder: Folder; user: User }) {
  const awake = useHydrated()
  const { search } = usePageLocation()
  const [cameToAssign] = useState(() => new URLSearchParams(search).has('assign'))
  const [assigning, setAssigning] = useState(cameToAssign)
  const [renaming, setRenaming] = useState(false)
  const renameButton = useRef<HTMLButtonElement>(null)
  /** Closes the form and returns the focus to the button that opened it. */
  const closeRenaming = () => {
    setRenaming(false)
    setTimeout(() => renameButton.current?.focus())
  }
  const isSavingCard = useSaveCardAfterStripeRedirect(cameToAssign)
  usePollGuardianConsent()
  const { session } = folder
  const reviewed = session?.review && { ...session, review: session.review }
  // On the page of an earlier session, the player can ask, pay and rate, but cannot change the folder or its videos.
  const isEarlierSession = session !== null && session.id !== folder.sessions[0]?.id
  // The URL may name the newest session, as links in letters do. Once a newer one begins, because the player assigns the folder here or the
  // guardian approves, the browser goes to the folder's own URL, which shows the new session.
  const [newestAtLoad] = useState(folder.sessions[0]?.id)
  const isOvertaken = isEarlierSession && session.id === newestAtLoad
  useEffect(() => {
    if (isOvertaken) location.replace(`/player/folder/${folder.id}`)
  }, [isOvertaken, folder.id])
  useRefreshWhilePreparing(
    'GET /api/folders/{folder}',
    [...folder.clips, ...(session?.clips ?? [])].some(clip => isBeingPrepared(clip) || mayNotBeQueuedYet(clip)) ||
      (session?.voices.some(voice => voice.url === null) ?? false),
  )
  // Whether the player had read the feedback before this visit, which itself marks it as read.
  const readMarks = useReadMarks()
  const [wasRead] = useState(() => reviewed && readMarks.includes(feedbackReadMark(reviewed.id)))
  const canEditVideos = !isEarlierSession && (folder.status === 'open' || folder.status === 'paid')
  const newVideos = canEditVideos && folder.clips.length > 0 && <FolderVideosPlayer folder={folder.id} clips={folder.clips} canRemove />
  useEffect(() => {
    document.title = `${folder.name} · ${site.name}`
  }, [folder.name])

  const upload = canEditVideos && (
    <ClientOnly fallback={<Skeleton className="h-44" />}>
      <UploadArea
        folder={folder.id}
        videos={folder.clips.length}
        primary={folder.videos === 0}
        onAdded={() => {
          refetchQueries('GET /api/folders/{folder}', 'GET /api/folders/{folder}/quote')
          toast({ title: 'Video added', description: 'It is in your folder and ready to assign.' })
        }}
      />
    </ClientOnly>
  )
  return (
    <div className="page">
      <PageHeader
        title={<FolderTitle folder={folder} editing={renaming} onClose={closeRenaming} />}
        about={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <FolderStatusBadge status={isEarlierSession ? session.status : folder.status} read={Boolean(wasRead)} />
            {session && <span>{session.instructor.name}</span>}
          </span>
        }
        tools={!renaming && !isEarlierSession && <FolderTitleButtons {...{ folder, renameButton }} onRename={() => setRenaming(true)} />}
        back={{ href: '/player/dashboard', label: 'Your folders' }}
      />
      <SessionNav folder={folder} shown={session?.id} viewer="player" />
      {reviewed ? (
        <ClientOnly fallback={<FeedbackWhilePlayerLoads session={reviewed} />}>
          <PlayerDeliveredSession
            folder={folder}
            session={reviewed}
            user={user}
            next={!isEarlierSession && <NextStep folder={folder} user={user} onAssign={() => setAssigning(true)} />}
          >
            {canEditVideos && (
              <section aria-labelledby="next-session" className="flex flex-col gap-4">
                <h2 id="next-session" className="mt-4 -mb-1 text-18">
                  For the next session
                </h2>
                {newVideos}
                {upload}
              </section>
            )}
            <OriginalVideoDownloads folder={folder} />
          </PlayerDeliveredSession>
        </ClientOnly>
      ) : (
        <div className={LAYOUT_BEFORE_FEEDBACK.all}>
          <div className={LAYOUT_BEFORE_FEEDBACK.step}>
            <NextStep folder={folder} user={user} onAssign={() => setAssigning(true)} />
          </div>
          <div className={cx('flex flex-col gap-4 sm:gap-6', LAYOUT_BEFORE_FEEDBACK.videos)}>
            {newVideos || (
              <FolderVideosPlayer
                folder={folder.id}
                clips={session?.clips ?? folder.clips}
                canReplace={!isEarlierSession && folder.status !== 'archived'}
              />
            )}
            {upload}
            {folder.status === 'archived' && folder.videos === 0 && (
              <EmptyState title="No videos here">This folder was archived empty. Restore it to add videos.</EmptyState>
            )}
            {session?.message && (
              <Card>
                <h2 className="text-18">Your message</h2>
                <p className="mt-2 max-w-measure wrap-anywhere whitespace-pre-line">{session.message}</p>
              </Card>
            )}
          </div>
          <div className="flex min-w-0 flex-col gap-4 sm:gap-6 lg:col-start-2">
            <FolderStory folder={folder} viewer="player" you={user.id} />
            <OriginalVideoDownloads folder={folder} />
          </div>
        </div>
      )}
      {assigning && awake && !isSavingCard && canEditVideos && (
        <Suspense fallback={null}>
          <AssignDialog
            folder={folder}
            onClose={() => {
              removeQueryParams('assign')
              setAssigning(false)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

function Page({ user }: { user: User }) {
  const answer = useQuery('GET /api/folders/{folder}', useFolderQueryInput())
  if (answer.data) return <FolderScreen folder={answer.data} user={user} />
  if (!answer.error)
    return <PlayerFolderSkeleton reviewed={Boolean(readSkeletonShape<Record<string, boolean>>('folders', {})[folderIdInUrl()])} />
  return (
    <FolderLoadError
      error={answer.error}
      retry={answer.retry}
      missing="It may belong to another account, or the link may be incomplete."
      back={{ href: '/player/dashboard', label: 'Your folders' }}
    />
  )
}

export default ({ preloaded }: { preloaded?: string | undefined }) => (
  <ProtectedPage role="player" preloaded={preloaded}>
    {user => <Page user={user} />}
  </ProtectedPage>
)
