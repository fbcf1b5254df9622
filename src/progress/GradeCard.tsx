import type { Skill } from '../../modules/accounts/contract.ts'
import type { ProgressSession } from '../../modules/progress/contract.ts'
import { gradeMeaning } from '../folders/grades.ts'
import { dateFormatter } from '../ui/date-formatter.ts'
import { DisclosureChevron } from '../ui/disclosure-chevron.tsx'
import { LegendMark, ProgressChart } from './ProgressChart.tsx'
import { gradeSeriesByInstructor, type ProgressDot, reviewPath } from './progress-series.ts'

const day = dateFormatter({ dateStyle: 'medium' })
const SCALE = [20, 30, 40, 50, 60, 70, 80]

/** Grades of one skill over time: the newest as a large number, and all of them as dots that link to their reviews. */
export function GradeCard({
  sessions,
  skill,
  viewer = 'player',
}: {
  sessions: readonly ProgressSession[]
  skill: Skill
  viewer?: 'player' | 'family'
}) {
  const href = (dot: ProgressDot) => reviewPath(dot, viewer)
  const series = gradeSeriesByInstructor(sessions, skill)
  const all = series.flatMap(s => s.dots).sort((a, b) => a.at - b.at)
  const newest = all.at(-1)
  if (!newest) return null
  const before = series.find(s => s.dots.includes(newest))!.dots.at(-2)
  const change = before && newest.value - before.value
  const words = (d: ProgressDot) => `${d.value}, ${gradeMeaning(d.value)}, ${day(d.at)}, by ${d.session.instructor.name}`
  return (
    <section aria-labelledby={`grades-${skill}`} className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h3 id={`grades-${skill}`} className="text-16">
        Grades
      </h3>
      <p className="mt-1 mb-5 flex flex-wrap items-baseline gap-x-3">
        <span className="text-48 leading-none font-heavy text-gold [font-stretch:112%]">{newest.value}</span>
        <span className="font-medium">{gradeMeaning(newest.value)}</span>
        <span className="text-14 text-ink-2">
          {before
            ? `${change! > 0 ? `+${change}` : change! < 0 ? `−${-change!}` : 'the same as'} ${change ? 'since' : 'on'} ${day(before.at)}`
            : `on ${day(newest.at)}`}
        </span>
      </p>
      <ProgressChart lines={series.map(s => s.dots)} low={20} high={80} ticks={SCALE} label={words} href={href} />
      {series.length > 1 && (
        <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-14">
          {series.map((s, i) => (
            <li key={s.instructor.id} className="flex items-center gap-2">
              <LegendMark line={i} />
              {s.instructor.name}
            </li>
          ))}
        </ul>
      )}
      {all.length > 1 && (
        <details className="group mt-2">
          <summary className="inline-flex min-h-11 cursor-pointer items-center gap-1 text-14 font-medium">
            All grades ({all.length})
            <DisclosureChevron />
          </summary>
          <ol className="divide-y divide-line border-t border-line">
            {all.toReversed().map(d => (
              <li key={d.id}>
                <a href={href(d)} className="flex min-h-11 items-center gap-3 py-1 hover:bg-ink-wash">
                  <span className="w-8 text-18 font-heavy text-gold">{d.value}</span>
                  <span className="min-w-0 flex-1 truncate">{d.session.name}</span>
                  <span className="shrink-0 text-13 text-ink-2">{day(d.at)}</span>
                </a>
              </li>
            ))}
          </ol>
        </details>
      )}
      <p className="mt-2 text-13 text-ink-2">
        {all.length === 1
          ? 'One grade so far. The next one shows you a trend.'
          : 'The 20–80 scale that scouts use; 50 is average for your level. Tap a dot for its review.'}
      </p>
    </section>
  )
}
