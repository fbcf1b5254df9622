import { useEffect, useRef } from 'react'
import type { Folder, Video } from '../../../modules/folders/contract.ts'
import { ApiError } from '../../client/api.ts'
import type { User } from '../../client/login-session.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { useFolderQueryInput } from '../../folders/folder-page-urls-and-query.ts'
import { UndoDeliveryNoticeOnOtherPages } from '../../folders/UndoDeliveryNoticeOnOtherPages.tsx'
import { isRenditionAwaited, useRefreshWhilePreparing } from '../../player/clip-preparation-status.ts'
import { StageSkeleton } from '../../player/StageSkeleton.tsx'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { site } from '../../site.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ClientOnly } from '../../ui/client-only.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { ReviewPageHeader, STACKED_STAGE_HEIGHT_CLASSES } from './ReviewPageHeader.tsx'

const studio = () => import('./Studio.tsx').then(m => ({ default: m.Studio }))
const Studio = lazyWithRetry(studio)
const HeldDeliveryScreen = lazyWithRetry(() => import('./HeldDeliveryScreen.tsx').then(m => ({ default: m.HeldDeliveryScreen })))
const InstructorDeliveredReview = lazyWithRetry(() =>
  import('./InstructorDeliveredReview.tsx').then(m => ({ default: m.InstructorDeliveredReview })),
)

// Most instructors come here to write a review, so the studio's code loads in parallel with the folder.
if ('document' in globalThis) studio().catch(() => {})

const back = <ButtonLink href="/instructor/dashboard">Your queue</ButtonLink>

/** The studio before its code has loaded: the header, and a still of the first video in the video's place. */
const StudioSkeleton = ({ folder, clip }: { folder: Folder; clip: Video | undefined }) => (
  <LoadingRegion label="Loading the studio" className="flex min-h-dvh flex-col lg:h-dvh">
    <ReviewPageHeader folder={folder}>
      <Skeleton className="h-11 w-22" />
    </ReviewPageHeader>
    <div className="min-h-0 flex-1 lg:grid lg:grid-cols-[minmax(0,1fr)_26rem]">
      <div
        className={cx(
          'flex min-h-0 min-w-0 flex-col border-line bg-paper max-lg:border-b short:flex-row-reverse',
          STACKED_STAGE_HEIGHT_CLASSES,
        )}
      >
        <div className="min-h-0 min-w-0 flex-1">{clip && <StageSkeleton fill clip={clip} />}</div>
        {folder.session!.clips.length > 1 && (
          <span className="flex gap-2 border-t border-line p-2 short:w-21 short:flex-col">
            {folder.session!.clips.map(({ id }) => (
              <Skeleton key={id} className="h-17 w-28 short:h-10 short:w-full" />
            ))}
          </span>
        )}
      </div>
      <div className="flex flex-col gap-4 border-line p-4 lg:border-l">
        <Skeleton className="h-11" />
        <Skeleton className="h-32" />
      </div>
    </div>
  </LoadingRegion>
)

const PageSkeleton = () => (
  <LoadingRegion label="Loading the folder" className="flex min-h-dvh flex-col">
    <h1 className="sr-only">Review</h1>
    <Skeleton className="m-2 h-10 w-64" />
    <span className="grid flex-1 gap-4 p-4 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <Skeleton className="max-lg:h-80" />
      <Skeleton className="max-lg:h-80" />
    </span>
  </LoadingRegion>
)

function Page({ user }: { user: User }) {
  const { data: folder, error, retry } = useQuery('GET /api/folders/{folder}', useFolderQueryInput())
  const name = folder?.name
  /** Id of the session open in the studio. If the review is delivered elsewhere, the studio stays open, so that no text is lost. */
  const studioSession = useRef<string>(undefined)
  useRefreshWhilePreparing('GET /api/folders/{folder}', folder?.session?.clips.some(isRenditionAwaited) ?? false)
  useEffect(() => {
    if (name) document.title = `${name} · ${site.name}`
  }, [name])
  if (!folder) {
    if (!error) return <PageSkeleton />
    const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 422)
    return (
      <>
        <ReviewPageHeader />
        <div className="page py-16">
          {isMissing ? (
            <ErrorState
              title="This folder is not assigned to you"
              error="It may have been taken back, or returned to the player."
              action={back}
            />
          ) : (
            <ErrorState title="The folder did not load" error={errorMessage(error)} retry={retry} />
          )}
        </div>
      </>
    )
  }
  const { session } = folder
  const held = session?.delivery?.until ? session.delivery : undefined
  const isOpen = !held && (session?.status === 'assigned' || session?.status === 'in-review')
  if (isOpen) studioSession.current = session.id
  const showsStudio = session && studioSession.current === session.id
  const coming = isOpen ? <StudioSkeleton folder={folder} clip={session.clips[0]} /> : <PageSkeleton />
  return (
    <ClientOnly fallback={coming}>
      {showsStudio ? (
        <Studio
          key={session.id}
          folder={folder}
          session={session}
          onDelivered={() => {
            studioSession.current = undefined
          }}
        />
      ) : session && held ? (
        <HeldDeliveryScreen folder={folder} session={session.id} undoMs={held.undoMs} />
      ) : session?.review ? (
        <InstructorDeliveredReview folder={folder} session={{ ...session, review: session.review }} user={user} />
      ) : (
        <>
          <ReviewPageHeader />
          <div className="page py-16">
            <ErrorState title="This folder is not assigned to you" error="It was taken back, or returned to the player." action={back} />
          </div>
        </>
      )}
    </ClientOnly>
  )
}

export default ({ preloaded }: { preloaded?: string | undefined }) => (
  <ProtectedPage role="instructor" preloaded={preloaded}>
    {user => (
      <>
        <Page user={user} />
        <ClientOnly fallback={null}>
          <UndoDeliveryNoticeOnOtherPages />
        </ClientOnly>
      </>
    )}
  </ProtectedPage>
)
