import { Columns2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { sortNotes } from '../folders/notes.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { VideoPoster } from '../player/VideoPoster.tsx'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { isComparisonOfTwoSessionClips, twoAngleComparisonOfNote } from './comparison-from-two-angle-note.ts'
import { comparisonTitle, type LabeledClip, labeledClipsOfComparison, labeledClipsOfReview, pairLabel } from './labeled-clips.ts'

const Playing = lazyWithRetry(() => import('./ComparisonPlayer.tsx').then(m => ({ default: m.ComparisonPlayer })))

/** For each note with a second angle, a comparison that opens at the note's moment, titled “Note 2, from two angles”. */
const notesWithTwoAngles = ({ review, clips }: ReviewedSession): Comparison[] =>
  sortNotes(review.notes, clips).flatMap((note, i) => {
    const comparison = twoAngleComparisonOfNote(note, review, clips)
    return comparison ? [{ ...comparison, title: `Note ${i + 1}, from two angles` }] : []
  })

/** The comparisons of a review and of its notes with two angles. Clips load only when the viewer opens their comparison. */
export function ReviewComparisons({ folder, session }: { folder: string; session: ReviewedSession }) {
  const comparisons = [...(session.review.comparisons ?? []), ...notesWithTwoAngles(session)]
  const [open, setOpen] = useState<string>()
  const clips = labeledClipsOfReview(folder, session)
  if (!comparisons.length) return null
  return (
    <section aria-labelledby="before-after" className="mt-4 overflow-clip rounded-card border border-line bg-paper sm:mt-6">
      <h2 id="before-after" className="px-4 pt-4 text-18 sm:px-6 sm:pt-6">
        {comparisons.every(c => isComparisonOfTwoSessionClips(c, session.clips)) ? 'From two angles' : 'Before and after'}
      </h2>
      <ul className="flex flex-col gap-2 px-4 py-4 sm:px-6">
        {comparisons.map(c => (
          <li key={c.id}>
            <ComparisonRow
              comparison={c}
              clips={clips}
              open={open === c.id}
              onOpen={() => setOpen(before => (before === c.id ? undefined : c.id))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ComparisonRow({
  comparison,
  clips,
  open,
  onOpen,
}: {
  comparison: Comparison
  clips: LabeledClip[]
  open: boolean
  onOpen: () => void
}) {
  const pair = labeledClipsOfComparison(comparison, clips)
  const title = comparisonTitle(comparison, pair)
  if (!pair) return <p className="text-ink-2">{title}: one of its videos is no longer there.</p>
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={onOpen}
        className="flex min-h-11 w-full items-center gap-3 rounded-field text-left hover:bg-ink-wash"
      >
        <span aria-hidden="true" className="relative flex shrink-0 gap-0.5">
          {pair.map(({ clip }, i) => (
            <span key={i === 0 ? 'first' : 'second'} className="block w-16 overflow-hidden rounded-base sm:w-24">
              <VideoPoster src={clip.poster} />
            </span>
          ))}
          {!open && (
            <span className="absolute inset-0 grid place-items-center">
              <span className="grid size-8 place-items-center rounded-full bg-ink text-paper">
                <Columns2 size={16} strokeWidth={1.75} />
              </span>
            </span>
          )}
        </span>
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">{title}</span>
          {comparison.title && <span className="block text-13 text-ink-2">{pairLabel(pair)}</span>}
        </span>
      </button>
      {open && (
        <div className="-mx-4 mt-2 sm:mx-0">
          <Suspense fallback={<Skeleton className="h-72" />}>
            <Playing comparison={comparison} pair={pair} />
          </Suspense>
        </div>
      )}
    </>
  )
}
