import { Suspense } from 'react'
import type { Reply } from '../../client/api.ts'
import { isNotFound } from '../../client/is-not-found.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
import { SHARED_REVIEW_ENDPOINT, sharedReviewInput } from '../../folders/shared-review-query.ts'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { SharedReviewSkeleton } from './SharedReviewSkeleton.tsx'

const sharedReview = () => import('./SharedReviewContent.tsx').then(m => ({ default: m.SharedReviewContent }))
const SharedReviewContent = lazyWithRetry(sharedReview)
// The content's code, which includes the video player, loads in parallel with the review's data.
sharedReview().catch(() => {})

const hasReview = (session: Reply<'GET /api/shared/{token}'>['session']): session is ReviewedSession => session.review !== null

/** A delivered review for anyone who has its private link. */
export default function SharedReviewPage() {
  const { data, error, retry } = useQuery(SHARED_REVIEW_ENDPOINT, sharedReviewInput())
  if (data && hasReview(data.session)) {
    return (
      <Suspense fallback={<SharedReviewSkeleton />}>
        <SharedReviewContent player={data.player} session={data.session} />
      </Suspense>
    )
  }
  if (!error) return <SharedReviewSkeleton />
  return (
    <div className="page py-8 md:py-16">
      <h1 className="sr-only">A review to watch</h1>
      {isNotFound(error) ? (
        <ErrorState title="This link does not work" error="It has expired, or the family has revoked it. Ask them to send you a new one." />
      ) : (
        <ErrorState title="The review did not load" error={errorMessage(error)} retry={retry} />
      )}
    </div>
  )
}
