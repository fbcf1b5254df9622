import { Suspense } from 'react'
import type { Folder } from '../../modules/folders/contract.ts'
import { FolderVideosPlayer } from '../clips/FolderVideosPlayer.tsx'
import { FolderStory } from '../folders/FolderStory.tsx'
import { TWO_COLUMN_LAYOUT } from '../folders/page-layouts.ts'
import { SessionNav } from '../folders/SessionNav.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-and-error-states.tsx'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { RatingCard } from './RatingCard.tsx'
import { LazyReviewVideoCard } from './share/LazyReviewVideoCard.tsx'
import { ReviewLinksButtonCard } from './share/ReviewLinksButtonCard.tsx'

const ReadOnlyFeedback = lazyWithRetry(() => import('./ReadOnlyFeedback.tsx').then(m => ({ default: m.ReadOnlyFeedback })))

/** The content of a folder for a viewer who may only read it: an administrator, or the guardian of its player. */
export function ReadOnlyFolderContents({ folder, viewer }: { folder: Folder; viewer: 'admin' | 'family' }) {
  const { session } = folder
  const reviewed = session?.review && { ...session, review: session.review }
  const story = <FolderStory folder={folder} viewer={viewer} you="" />
  const clips = [...(session?.clips ?? []), ...folder.clips]
  const isNewestSession = session?.id === folder.sessions[0]?.id
  return (
    <>
      <SessionNav folder={folder} shown={session?.id} viewer={viewer} />
      {/* Above the feedback, because a guardian may have to approve a follow-up with these videos. */}
      {reviewed && isNewestSession && folder.clips.length > 0 && (
        <section aria-labelledby="next-session" className="mb-8 flex flex-col gap-4">
          <h2 id="next-session" className="text-18">
            For the next session
          </h2>
          <FolderVideosPlayer folder={folder.id} clips={folder.clips} />
        </section>
      )}
      {reviewed ? (
        <Suspense fallback={<Skeleton className="aspect-video w-full" />}>
          <ReadOnlyFeedback
            folder={folder}
            session={reviewed}
            aside={
              <div className="flex min-w-0 flex-col gap-4 sm:gap-6">
                <RatingCard folder={folder.id} session={reviewed} viewer={viewer} />
                {viewer === 'family' && (
                  <>
                    <LazyReviewVideoCard requester={{ is: 'guardian', child: folder.player.id, session: reviewed.id }} session={reviewed} />
                    <ReviewLinksButtonCard sharer={{ is: 'guardian', child: folder.player.id, session: reviewed.id }} />
                  </>
                )}
                {story}
              </div>
            }
          />
        </Suspense>
      ) : (
        <div className={TWO_COLUMN_LAYOUT}>
          <div className="flex min-w-0 flex-col gap-4 sm:gap-6">
            {clips.length ? (
              <FolderVideosPlayer folder={folder.id} clips={clips} />
            ) : (
              <EmptyState title="No videos here">The player has not added any yet.</EmptyState>
            )}
            {session?.message && (
              <Card>
                <h2 className="text-18">Message from {folder.player.name.split(' ')[0]}</h2>
                <p className="mt-2 max-w-measure wrap-anywhere whitespace-pre-line">{session.message}</p>
              </Card>
            )}
          </div>
          {story}
        </div>
      )}
    </>
  )
}
