import { Play } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import still from '../../demo/clips/swing.jpg?url'
import { useSignalHydration } from '../../page-load/signal-hydration.ts'
import { Spinner } from '../../ui/spinner.tsx'

const PublicSampleReview = lazy(() => import('./PublicSampleReview.tsx').then(m => ({ default: m.PublicSampleReview })))

/** A sample review for public pages: a still with a button that loads the review when pressed. */
export default function ClickToPlaySampleReview() {
  const root = useSignalHydration<HTMLDivElement>()
  const [open, setOpen] = useState(false)
  const cover = (
    <div className="relative aspect-video overflow-hidden rounded-card border border-line bg-[#12241d]">
      <img src={still} alt="" width={640} height={360} loading="lazy" decoding="async" className="size-full object-cover" />
      <button
        type="button"
        onClick={() => setOpen(true)}
        disabled={open}
        // The label is at the bottom, so that it does not cover the batter.
        className="group absolute inset-0 flex items-end rounded-card p-3 sm:p-6"
      >
        <span className="flex min-h-13 items-center gap-3 rounded-full bg-field px-6 text-18 font-medium text-on-fill shadow-float transition-transform group-active:scale-95">
          {open ? <Spinner /> : <Play aria-hidden="true" size={20} fill="currentColor" strokeWidth={0} />}
          Play a sample review
        </span>
      </button>
    </div>
  )
  return (
    <div ref={root}>
      {open ? (
        <Suspense fallback={cover}>
          <PublicSampleReview />
        </Suspense>
      ) : (
        cover
      )}
    </div>
  )
}
