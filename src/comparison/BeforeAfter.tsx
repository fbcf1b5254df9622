import { Play } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import type { ReviewedSession } from '../folders/reviewed-session.ts'
import { Poster } from '../player/Poster.tsx'
import { lazily } from '../ui/lazily.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { bothOf, clipsOf, type Named, pairOf, titleOf } from './named.ts'

const Playing = lazily(() => import('./Playing.tsx').then(m => ({ default: m.Playing })))

/** The comparisons of a review, to play: nothing of them is loaded before one is opened. */
export function BeforeAfter({ folder, session }: { folder: string; session: ReviewedSession }) {
  const { comparisons = [] } = session.review
  const [open, setOpen] = useState<string>()
  const clips = clipsOf(folder, session)
  if (!comparisons.length) return null
  return (
    <section aria-labelledby="before-after" className="mt-4 overflow-clip rounded-card border border-line bg-paper sm:mt-6">
      <h2 id="before-after" className="px-4 pt-4 text-18 sm:px-6 sm:pt-6">
        Before and after
      </h2>
      <ul className="flex flex-col gap-2 px-4 py-4 sm:px-6">
        {comparisons.map(c => (
          <li key={c.id}>
            <One comparison={c} clips={clips} open={open === c.id} onOpen={() => setOpen(before => (before === c.id ? undefined : c.id))} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function One({ comparison, clips, open, onOpen }: { comparison: Comparison; clips: Named[]; open: boolean; onOpen: () => void }) {
  const pair = pairOf(comparison, clips)
  const title = titleOf(comparison, pair)
  if (!pair) return <p className="text-ink-2">{title}: a video of it is not there anymore.</p>
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
              <Poster src={clip.poster} />
            </span>
          ))}
          {!open && (
            <span className="absolute inset-0 grid place-items-center">
              <span className="grid size-8 place-items-center rounded-full bg-ink text-paper">
                <Play size={16} strokeWidth={1.75} fill="currentColor" className="translate-x-px" />
              </span>
            </span>
          )}
        </span>
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">{title}</span>
          {comparison.title && <span className="block text-13 text-ink-2">{bothOf(pair)}</span>}
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
