import { type Goal, nextGoal } from '../folders/goals.ts'

/** The first goal that is not yet `fixed`, shown large as the one thing to do until the next session. Renders nothing if there is none. */
export function NextGoalCard({ goals }: { goals: Goal[] | undefined }) {
  const goal = nextGoal(goals)
  if (!goal) return null
  return (
    <section aria-labelledby="one-thing" className="rounded-card border border-l-4 border-line border-l-clay bg-paper p-4 sm:p-6">
      <h2 id="one-thing" className="text-14 font-medium text-clay [font-stretch:100%]">
        The one thing to do next
      </h2>
      <p className="mt-1 max-w-measure text-22 font-medium wrap-anywhere">{goal.text}</p>
      {goal.state === 'tried' && <p className="mt-2 text-14 text-ink-2">You have tried it. Keep at it until it sticks.</p>}
    </section>
  )
}
