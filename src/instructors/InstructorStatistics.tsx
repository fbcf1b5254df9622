import { formatCents } from '../../modules/format-cents-and-counts.ts'
import type { Instructor } from '../../modules/instructors/contract.ts'
import { LOWEST_UNDISCOUNTED_SESSION_PRICE_CENTS } from '../../modules/payments/pricing.ts'
import { cx } from '../ui/cx.ts'
import { ratingLabel, responseTimeInWords, sessionCountLabel } from './statistics-and-rating-labels.ts'

/** An instructor's work statistics for players: ratings, price, number of sessions, and response time. */
export function InstructorStatistics({
  instructor: { rating, sessionsGiven, responseHours },
  className,
}: {
  instructor: Pick<Instructor, 'rating' | 'sessionsGiven' | 'responseHours'>
  className?: string
}) {
  const within = responseTimeInWords(responseHours)
  const facts = [
    rating && ratingLabel(rating),
    `From ${formatCents(LOWEST_UNDISCOUNTED_SESSION_PRICE_CENTS)} a session`,
    sessionCountLabel(sessionsGiven),
    within && `Usually answers within ${within}`,
  ].filter(fact => typeof fact === 'string')
  return (
    <ul className={cx('flex flex-wrap gap-x-4 gap-y-1 text-14 text-ink-2', className)}>
      {facts.map(fact => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  )
}
