import { useStore } from '@nanostores/react'
import { Check } from 'lucide-react'
import { Suspense } from 'react'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import type { ReviewPlayback } from './review-playback.ts'
import { GOAL_STATE_HEADINGS } from './review-playlist.ts'

const StageComparison = lazyWithRetry(() => import('./StageComparison.tsx').then(m => ({ default: m.StageComparison })))

/** What a playing review shows instead of the clip: a comparison, or a goal. */
export function GoalOrComparisonOverlay({ playback, session }: { playback: ReviewPlayback; session: ReviewedSession }) {
  const phase = useStore(playback.$phase)
  const segment = playback.playlist.segments[useStore(playback.$segment)]
  if (phase === 'idle' || phase === 'left' || !segment) return null
  if (segment.kind === 'comparison')
    return (
      <div className="absolute inset-0 isolate overflow-hidden bg-chalk">
        <Suspense fallback={null}>
          <StageComparison key={segment.comparison.id} {...{ playback, session }} comparison={segment.comparison} />
        </Suspense>
      </div>
    )
  if (segment.kind !== 'goal') return null
  const { goal } = segment
  return (
    <div role="status" className="absolute inset-0 grid place-items-center overflow-y-auto bg-chalk p-4 text-center text-ink">
      <div>
        {goal.state === 'fixed' && <Check aria-hidden="true" size={40} strokeWidth={2.5} className="mx-auto mb-2 text-field" />}
        <p className={goal.state === 'fixed' ? 'text-field' : 'text-clay'}>{GOAL_STATE_HEADINGS[goal.state]}</p>
        <p className="mt-1 max-w-measure text-22 font-medium wrap-anywhere sm:text-28">{goal.text}</p>
      </div>
    </div>
  )
}
