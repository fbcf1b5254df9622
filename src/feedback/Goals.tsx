import { Check } from 'lucide-react'
import { GOAL_STATES, type Goal, nextGoal } from '../folders/goals.ts'
import { cx } from '../ui/cx.ts'

/** The first goal that is open, large: what to do until the next session. Nothing where all are fixed. */
export function OneThing({ goals }: { goals: Goal[] | undefined }) {
  const goal = nextGoal(goals)
  if (!goal) return null
  return (
    <section aria-labelledby="one-thing" className="rounded-card border border-l-4 border-line border-l-clay bg-paper p-4 sm:p-6">
      <h2 id="one-thing" className="text-14 font-medium text-clay [font-stretch:100%]">
        The one thing to do next
      </h2>
      <p className="mt-1 max-w-measure text-22 font-medium wrap-anywhere">{goal.text}</p>
      {goal.state === 'tried' && <p className="mt-2 text-14 text-ink-2">You have tried it. Keep at it until it holds.</p>}
    </section>
  )
}

/** All goals of a review with what became of them. */
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
              GOAL_STATES[goal.state].on,
            )}
          >
            {goal.state === 'fixed' && <Check aria-hidden="true" size={14} strokeWidth={2.5} />}
            {GOAL_STATES[goal.state].label}
          </span>
        </li>
      ))}
    </ol>
  </section>
)
