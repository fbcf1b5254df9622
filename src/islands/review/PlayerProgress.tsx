import type { GoalThread, Progress } from '../../../modules/progress/contract.ts'
import { GOAL_STATES_IN_ORDER } from '../../folders/goals.ts'
import { GOAL_STATE_LABELS } from '../../progress/GoalCards.tsx'
import { PositionTimingCard } from '../../progress/PositionTimingCard.tsx'
import { ProgressChart } from '../../progress/ProgressChart.tsx'
import { gradeSeriesByInstructor, type ProgressDot, skillsWithGradeOrTiming } from '../../progress/progress-series.ts'
import { capitalize } from '../../ui/capitalize.ts'
import { dateFormatter } from '../../ui/date-formatter.ts'

const day = dateFormatter({ month: 'short', day: 'numeric' })
const fullDate = dateFormatter({ dateStyle: 'medium' })

/** 'Given Oct 29 → Tried Nov 20': the day on which the goal first reached each state. */
const goalHistory = (goal: GoalThread) =>
  GOAL_STATES_IN_ORDER.flatMap(state => {
    const word = goal.words.find(w => w.state === state)
    return word ? [`${GOAL_STATE_LABELS[state]} ${day(new Date(word.at))}`] : []
  }).join(' → ')

/** A player's goals, grades and position timings across sessions with this instructor. `onOpen` receives the session of the pressed dot. */
export function PlayerProgress({ progress, onOpen }: { progress: Progress; onOpen: (session: string) => void }) {
  const { sessions, goals } = progress
  const open = (dot: ProgressDot) => onOpen(dot.session.id)
  return (
    <>
      {goals.length > 0 && (
        <section aria-labelledby="goals-so-far">
          <h2 id="goals-so-far" className="mb-2 text-14">
            Goals so far
          </h2>
          <ul className="flex flex-col gap-2">
            {goals.map(goal => (
              <li key={goal.id} className="text-14">
                <span className="block wrap-anywhere">{goal.text}</span>
                <span className="block text-13 text-ink-2">{goalHistory(goal)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {skillsWithGradeOrTiming(progress).map(skill => {
        const grades = gradeSeriesByInstructor(sessions, skill)
        return (
          <section key={skill} aria-label={`${capitalize(skill)} over time`} className="flex flex-col gap-4">
            <h2 className="text-14">{capitalize(skill)}</h2>
            {grades.length > 0 && (
              <ProgressChart
                small
                lines={grades.map(s => s.dots)}
                low={20}
                high={80}
                ticks={[20, 50, 80]}
                label={d => `${capitalize(skill)} ${d.value}, ${fullDate(d.at)}`}
                onOpen={open}
              />
            )}
            <PositionTimingCard sessions={sessions} skill={skill} onOpen={open} />
          </section>
        )
      })}
    </>
  )
}
