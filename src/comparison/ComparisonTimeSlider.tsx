import { useStore } from '@nanostores/react'
import type { Shape } from '../../modules/reviews/contract.ts'
import { FRAMES_PER_LARGE_STEP } from '../player/stage-keys.ts'
import { RANGE_INPUT_CLASS } from './PlainSlider.tsx'
import type { SyncedComparisonController } from './synced-comparison.ts'

/** Formats a time in ms relative to the sync point of both clips as seconds: '+0.25 s'. */
export const formatTimeFromSyncPoint = (at: number) => `${at < -0.5 ? '−' : '+'}${Math.abs(at / 1000).toFixed(2)} s`

const NO_SHAPES: readonly Shape[] = []

/** The time slider for both clips. Its gold mark is their sync point; the other marks show where drawings appear. */
export function ComparisonTimeSlider({
  comparer,
  sides,
}: {
  comparer: SyncedComparisonController
  sides: readonly { shapes?: readonly Shape[] | undefined }[]
}) {
  const at = useStore(comparer.$time)
  const [a, b] = useStore(comparer.$dueFrames)
  useStore(comparer.$state)
  const { from, to } = comparer.range()
  const percentAlong = (moment: number) => `${to > from ? Math.max(0, Math.min(100, ((moment - from) / (to - from)) * 100)) : 0}%`
  const drawingMarks = sides.flatMap(({ shapes = NO_SHAPES }, which) =>
    shapes.map(s => percentAlong(comparer.timeOfFrame(which as 0 | 1, s.from))),
  )
  return (
    <div className="relative h-11">
      <span aria-hidden="true" className="absolute inset-x-2 top-1/2 h-1 -translate-y-1/2 rounded-full bg-line">
        <span className="block h-full rounded-full bg-field" style={{ width: percentAlong(at) }} />
        {[...new Set(drawingMarks)].map(left => (
          <span key={left} data-drawn className="absolute top-1/2 h-3 w-1 -translate-1/2 rounded-full bg-clay" style={{ left }} />
        ))}
        <span className="absolute top-1/2 size-2.5 -translate-1/2 rotate-45 rounded-[2px] bg-gold" style={{ left: percentAlong(0) }} />
      </span>
      <input
        type="range"
        aria-label="Position of both clips"
        aria-valuetext={`${formatTimeFromSyncPoint(at)} from the sync point, frames ${a + 1} and ${b + 1}`}
        min={from}
        max={to}
        step="any"
        value={at}
        onChange={e => {
          comparer.pause()
          comparer.seek(Number(e.currentTarget.value))
        }}
        onKeyDown={e => {
          const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[e.key]
          if (!by) return
          e.preventDefault()
          comparer.step(by * (e.shiftKey ? FRAMES_PER_LARGE_STEP : 1))
        }}
        className={RANGE_INPUT_CLASS}
      />
    </div>
  )
}
