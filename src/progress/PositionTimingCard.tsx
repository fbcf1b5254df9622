import type { Skill } from '../../modules/accounts/contract.ts'
import type { ProgressSession } from '../../modules/progress/contract.ts'
import { capitalize } from '../ui/capitalize.ts'
import { cx } from '../ui/cx.ts'
import { dateFormatter } from '../ui/date-formatter.ts'
import { ProgressChart } from './ProgressChart.tsx'
import { hasUnknownFrameTimes, type ProgressDot, positionTimings, reviewPath } from './progress-series.ts'
import { roundedAxisEnd } from './time-axis.ts'

const day = dateFormatter({ dateStyle: 'medium' })
const ms = (value: number) => `${Math.round(value)} ms`

/**
 * Times between the positions of a swing over the sessions, with one dot per swing. On the instructor's screen, pressing a dot calls
 * `onOpen`; without it, dots link to the player's reviews.
 */
export function PositionTimingCard({
  sessions,
  skill,
  onOpen,
}: {
  sessions: readonly ProgressSession[]
  skill: Skill
  onOpen?: (dot: ProgressDot) => void
}) {
  const timings = positionTimings(sessions, skill)
  const missing = hasUnknownFrameTimes(sessions, skill)
  if (!timings.length && !missing) return null
  const words = (d: ProgressDot) => `${ms(d.value)}, ${day(d.at)}, by ${d.session.instructor.name}`
  return (
    <section aria-labelledby={`times-${skill}`} className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h3 id={`times-${skill}`} className="text-16">
        Time between positions
      </h3>
      <p className="mt-1 text-13 text-ink-2">
        Milliseconds of real time, as {onOpen ? 'you' : 'your instructor'} set the positions. Each dot is one video.
      </p>
      <ul className={cx('mt-4 grid gap-x-8 gap-y-6', !onOpen && 'sm:grid-cols-2')}>
        {timings.map(({ from, to, dots }) => {
          const high = roundedAxisEnd(Math.max(...dots.map(d => d.value)))
          return (
            <li key={`${from} ${to}`} className="min-w-0">
              <p className="mb-2 flex items-baseline justify-between gap-2">
                <span className="text-14 font-medium">
                  {capitalize(from)} → {to}
                </span>
                <span className="text-18 font-heavy text-gold">{ms(dots.at(-1)!.value)}</span>
              </p>
              <ProgressChart
                small
                joined={false}
                lines={[dots]}
                low={0}
                high={high}
                ticks={[0, high / 2, high]}
                label={words}
                {...(onOpen ? { onOpen } : { href: (dot: ProgressDot) => reviewPath(dot, 'player') })}
              />
            </li>
          )
        })}
      </ul>
      {missing && <p className="mt-4 text-14 text-ink-2">The frame times of some videos are unknown, so those videos are left out.</p>}
    </section>
  )
}
