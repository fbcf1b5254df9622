import { Check } from 'lucide-react'
import { GOAL_STATE_DISPLAY, type Goal } from '../folders/goals.ts'
import { cx } from '../ui/cx.ts'

/** All goals of a review with their states. */
export const GoalList = ({ goals }: { goals: Goal[] }) => (
  <section aria-labelledby="goals" className="rounded-card border border-line bg-paper p-4 sm:p-6">
    <h2 id="goals" className="text-18">
      Goals for next time
    </h2>
    <ol className="mt-3 flex flex-col divide-y divide-line">
      {goals.map(goal => (
        <li key={goal.id} className="flex items-start justify-between gap-3 py-3 last:pb-0">
          <span className={cx('min-w-0 wrap-anywhere', goal.state === 'fixed' && 'text-ink-2')}>{goal.text}</span>
          <span
            className={cx(
              'inline-flex shrink-0 items-center gap-1 rounded-full border px-2.5 py-0.5 text-13 font-medium',
              GOAL_STATE_DISPLAY[goal.state].on,
            )}
          >
            {goal.state === 'fixed' && <Check aria-hidden="true" size={14} strokeWidth={2.5} />}
            {GOAL_STATE_DISPLAY[goal.state].label}
          </span>
        </li>
      ))}
    </ol>
  </section>
)
