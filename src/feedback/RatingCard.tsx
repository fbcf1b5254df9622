import { type ReactNode, Suspense, useState } from 'react'
import type { SessionRating } from '../../modules/ratings/contract.ts'
import type { FolderPageViewer } from '../folders/folder-page-urls-and-query.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { Button } from '../ui/button.tsx'
import { dateFormatter } from '../ui/date-formatter.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Stars } from '../ui/stars.tsx'

// Loaded on demand, because the form is larger than the card and most sessions show the card without it.
const RatingForm = lazyWithRetry(() => import('./RatingForm.tsx').then(m => ({ default: m.RatingForm })))

const day = dateFormatter({ dateStyle: 'medium' })

/** The rating of a session, and its instructor's answer. */
function GivenRating({ rating, instructor, children }: { rating: SessionRating; instructor: string; children?: ReactNode }) {
  const { stars, comment, answer, hidden } = rating
  return (
    <div className="mt-3 flex flex-col items-start gap-3">
      <Stars value={stars} />
      {comment && <p className="max-w-measure wrap-anywhere">{comment}</p>}
      {answer && (
        <div className="border-l-2 border-field pl-4">
          <p className="text-14 font-medium">{instructor}</p>
          <p className="max-w-measure wrap-anywhere">{answer}</p>
        </div>
      )}
      {hidden !== null && (
        <p className="text-14 text-ink-2 wrap-anywhere">An administrator hid this from the public page. The reason: {hidden}</p>
      )}
      {children}
    </div>
  )
}

const TITLES: Record<FolderPageViewer, string> = {
  player: 'Your rating',
  family: 'Rating',
  instructor: 'Their comment',
  admin: 'Rating',
}

/**
 * The rating of a paid session. Its player, or the guardian of a minor, gives and changes it; others read it. Renders nothing if there is
 * no rating and the viewer may not give one. `children` are further controls for the viewer.
 */
export function RatingCard({
  folder,
  session,
  viewer,
  isNamed = false,
  needsConsent = false,
  children,
}: {
  folder: string
  session: ReviewedSession
  viewer: FolderPageViewer
  /** Whether the player's first name is shown with the rating. */
  isNamed?: boolean
  /** Whether the player is under 18 and a guardian's consent is missing; until it is given, nothing can be sent. */
  needsConsent?: boolean
  children?: ReactNode
}) {
  const [isChanging, setChanging] = useState(false)
  const { rating, instructor, status } = session
  const mayRate = (viewer === 'player' || viewer === 'family') && status === 'paid'
  if (!rating && !mayRate) return null
  const isForm = mayRate && (!rating || isChanging)
  const mayChange = mayRate && !needsConsent && rating && new Date(rating.until) > new Date()
  return (
    <section aria-labelledby="rating" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="rating" className="text-18">
        {rating ? TITLES[viewer] : `How was ${instructor.name.split(' ')[0]}'s feedback?`}
      </h2>
      {isForm && needsConsent ? (
        <p className="mt-3 text-ink-2">You can rate this feedback once your parent or guardian agrees.</p>
      ) : isForm ? (
        <Suspense fallback={<Skeleton className="mt-3 h-64" />}>
          <RatingForm {...{ folder, session, rating, isNamed }} asGuardian={viewer === 'family'} onDone={() => setChanging(false)} />
        </Suspense>
      ) : (
        rating && (
          <GivenRating rating={rating} instructor={instructor.name}>
            {mayChange && (
              <p className="flex flex-wrap items-center gap-x-3 text-14 text-ink-2">
                <Button variant="secondary" size="sm" onClick={() => setChanging(true)}>
                  Change the rating
                </Button>
                Until {day(new Date(rating.until))}
              </p>
            )}
            {children}
          </GivenRating>
        )
      )}
    </section>
  )
}
