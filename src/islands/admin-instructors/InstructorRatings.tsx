import { Suspense, useState } from 'react'
import type { AdminRating } from '../../../modules/ratings/contract.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { FormError } from '../../ui/field.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { Stars } from '../../ui/stars.tsx'
import { LazyDecisionWithReasonDialog } from './lazy-dialogs.ts'

const RATINGS = 'GET /api/admin/instructors/{instructor}/ratings'

function Rating({ rating: r, onHide }: { rating: AdminRating; onHide: () => void }) {
  const { run, busy, message } = useCommand()
  const restore = async () => {
    await run(() => sendCommand('POST /api/admin/ratings/{assignment}/restore', { params: { assignment: r.session } }))
    await refetchQueries(RATINGS)
  }
  return (
    <li className="flex flex-col items-start gap-1 py-3">
      <div className="flex w-full flex-wrap items-center gap-x-4 gap-y-1">
        <Stars value={r.stars} />
        <a href={`/admin/folder/${r.folder}?session=${r.session}`} className="link inline-flex min-h-11 items-center wrap-anywhere">
          {r.player.name}
        </a>
        {r.rater === 'guardian' && <Badge>By the guardian</Badge>}
        <span className="text-13 text-ink-2">
          <RelativeTime at={r.rated} />
        </span>
        {r.hidden === null ? (
          <Button variant="quiet" size="sm" className="ml-auto" aria-label={`Hide the rating by ${r.player.name}`} onClick={onHide}>
            Hide
          </Button>
        ) : (
          <Button
            variant="quiet"
            size="sm"
            className="ml-auto"
            busy={busy}
            aria-label={`Show the rating by ${r.player.name} again`}
            onClick={restore}
          >
            Show again
          </Button>
        )}
      </div>
      {r.comment && <p className="max-w-measure wrap-anywhere">{r.comment}</p>}
      {r.answer && <p className="max-w-measure border-l-2 border-field pl-4 wrap-anywhere">{r.answer}</p>}
      {r.hidden !== null && <p className="text-14 text-red wrap-anywhere">Hidden: {r.hidden}</p>}
      <FormError>{message}</FormError>
    </li>
  )
}

function List({ instructor }: { instructor: string }) {
  const { data, error, retry } = useQuery(RATINGS, { params: { instructor } })
  const [hiding, setHiding] = useState<AdminRating>()
  if (error && !data) return <ErrorState title="The ratings did not load" error={errorMessage(error)} retry={retry} />
  if (!data) {
    return (
      <LoadingRegion label="Loading the ratings">
        <Skeleton className="h-16" />
      </LoadingRegion>
    )
  }
  if (!data.ratings.length) return <p className="py-2 text-14 text-ink-2">Nobody has rated a session yet.</p>
  return (
    <>
      <ul className="divide-y divide-line">
        {data.ratings.map(rating => (
          <Rating key={rating.session} rating={rating} onHide={() => setHiding(rating)} />
        ))}
      </ul>
      <Suspense fallback={null}>
        {hiding && (
          <LazyDecisionWithReasonDialog
            command={{ what: 'hide', instructor, rating: hiding.session }}
            title={`Hide the rating by ${hiding.player.name}?`}
            about="It no longer counts, and public pages no longer show it."
            hint="The player, the guardian and the instructor see it beside the rating."
            action="Hide"
            onClose={() => setHiding(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

/** Players' ratings of an instructor, loaded when the section is opened; an administrator can hide each from the public. */
export function InstructorRatings({ instructor }: { instructor: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={e => setOpen(e.currentTarget.open)}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-medium text-field">Ratings by players</summary>
      {isOpen && <List instructor={instructor} />}
    </details>
  )
}
