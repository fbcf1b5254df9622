import type { PublicRating } from '../../modules/ratings/contract.ts'
import { RelativeTime } from '../ui/relative-time.tsx'
import { Stars } from '../ui/stars.tsx'
import { raterLabel } from './statistics-and-rating-labels.ts'

/** Players' ratings of an instructor, with the instructor's answers; renders nothing if there are none. */
export function RatingList({ ratings, instructor }: { ratings: readonly PublicRating[]; instructor: string }) {
  if (!ratings.length) return null
  return (
    <section aria-labelledby="ratings">
      <h2 id="ratings" className="mb-4 text-18">
        What players say
      </h2>
      <ul className="flex max-w-measure flex-col gap-5">
        {ratings.map((rating, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ratings have no id, because nobody may learn who wrote them
          <li key={`${rating.rated} ${i}`} className="flex flex-col items-start gap-1">
            <Stars value={rating.stars} />
            {rating.comment && <p className="wrap-anywhere">{rating.comment}</p>}
            <p className="text-13 text-ink-2">
              {raterLabel(rating)}, <RelativeTime at={rating.rated} />
            </p>
            {rating.answer && (
              <div className="mt-1 border-l-2 border-field pl-4">
                <p className="text-14 font-medium">{instructor}</p>
                <p className="wrap-anywhere">{rating.answer}</p>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
