import type { GoalThread } from '../../modules/progress/contract.ts'
import { sessionPath } from '../folders/folder-page-urls-and-query.ts'
import { GOAL_STATES_IN_ORDER, type GoalState } from '../folders/goals.ts'
import { cx } from '../ui/cx.ts'
import { dateFormatter } from '../ui/date-formatter.ts'
import { DisclosureChevron } from '../ui/disclosure-chevron.tsx'
import { EmptyState } from '../ui/empty-and-error-states.tsx'

const day = dateFormatter({ month: 'short', day: 'numeric' })
export const GOAL_STATE_LABELS: Record<GoalState, string> = { given: 'Given', tried: 'Tried', fixed: 'Fixed' }

/** The role whose pages the links lead to. */
type GoalViewer = 'player' | 'family'

/** The three states of a goal, drawn as a row of bases. Each state that was reached has its date and a link to the session that set it. */
const GoalSteps = ({ goal, viewer }: { goal: GoalThread; viewer: GoalViewer }) => (
  <ol aria-label="Progress" className="flex">
    {GOAL_STATES_IN_ORDER.map((state, i) => {
      const word = goal.words.find(w => w.state === state)
      const reached = word !== undefined && GOAL_STATES_IN_ORDER.indexOf(goal.state) >= i
      // A goal may become `fixed` without ever having been `tried`.
      const passed = GOAL_STATES_IN_ORDER.indexOf(goal.state) > i
      return (
        <li key={state} className="relative flex-1">
          {i > 0 && (
            <span
              aria-hidden="true"
              className={cx('absolute top-[7px] right-1/2 left-[-50%] h-0.5', reached || passed ? 'bg-field' : 'bg-line')}
            />
          )}
          <span className="relative z-10 flex flex-col items-center gap-1 text-center">
            <span
              aria-hidden="true"
              className={cx(
                'z-10 size-3.5 rotate-45 rounded-[2px] border-2',
                reached || passed ? 'border-field bg-field' : 'border-edge bg-paper',
              )}
            />
            {reached ? (
              <a
                href={sessionPath(viewer, word.folder, word.session)}
                className="-my-1.5 inline-flex min-h-11 flex-col justify-center px-2 text-13 hover:underline"
              >
                <span className="font-medium">{GOAL_STATE_LABELS[state]}</span>
                <span className="text-ink-2">{day(new Date(word.at))}</span>
              </a>
            ) : (
              <span className="text-13 text-ink-2">{GOAL_STATE_LABELS[state]}</span>
            )}
          </span>
        </li>
      )
    })}
  </ol>
)

const Cards = ({ goals, viewer }: { goals: GoalThread[]; viewer: GoalViewer }) => (
  <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
    {goals.map(goal => (
      <li key={goal.id} className="flex flex-col justify-between gap-4 rounded-card border border-line bg-paper p-4">
        <div>
          <p className="text-18 font-medium wrap-anywhere">{goal.text}</p>
          <p className="mt-1 text-13 text-ink-2">{goal.instructor.name}</p>
        </div>
        <GoalSteps goal={goal} viewer={viewer} />
      </li>
    ))}
  </ul>
)

const CollapsedGoals = ({ name, goals, viewer }: { name: string; goals: GoalThread[]; viewer: GoalViewer }) =>
  goals.length > 0 && (
    <details className="group mt-4">
      <summary className="inline-flex min-h-11 cursor-pointer items-center gap-1 font-medium">
        {name} ({goals.length})
        <DisclosureChevron />
      </summary>
      <div className="mt-2">
        <Cards goals={goals} viewer={viewer} />
      </div>
    </details>
  )

/** The open goals; below them, collapsed, the fixed ones and those that a later review left out. */
export function GoalCards({ goals, viewer = 'player' }: { goals: GoalThread[]; viewer?: GoalViewer }) {
  const open = goals.filter(g => g.open)
  const noOpenGoals = goals.every(g => g.state === 'fixed') ? 'Every goal is done' : 'No open goals'
  return (
    <section aria-labelledby="goals">
      <h2 id="goals" className="mb-3 text-22">
        Goals
      </h2>
      {open.length > 0 ? (
        <Cards goals={open} viewer={viewer} />
      ) : (
        <EmptyState title={goals.length ? noOpenGoals : 'No goals yet'}>
          {goals.length
            ? 'New ones can come with the next session.'
            : 'Your instructor can give you goals for next time with the feedback. You can follow them here until they are fixed.'}
        </EmptyState>
      )}
      <CollapsedGoals name="Fixed" goals={goals.filter(g => g.state === 'fixed')} viewer={viewer} />
      <CollapsedGoals name="Dropped" goals={goals.filter(g => !g.open && g.state !== 'fixed')} viewer={viewer} />
    </section>
  )
}
