import { Avatar } from '../../ui/avatar.tsx'
import { cx } from '../../ui/cx.ts'
import { Time } from '../../ui/time.tsx'
import { GoalList, OneThing } from './Goals.tsx'
import { Grades } from './Grades.tsx'
import type { Reviewed } from './Watch.tsx'

/**
 * The summary in the instructor's words, the one thing to do next, the grades and all goals. `places`: classes that put each of them where
 * it belongs; `progress`: where grades and goals are seen over time.
 */
export function Read({
  session,
  places,
  progress,
}: {
  session: Reviewed
  places?: { summary: string; grades: string }
  progress?: string
}) {
  const { instructor, review, given } = session
  return (
    <>
      <section aria-labelledby="summary" className={cx('rounded-card border border-line bg-paper p-4 sm:p-6', places?.summary)}>
        <div className="flex items-center gap-3">
          <Avatar name={instructor.name} picture={instructor.picture} instructor={instructor.id} />
          <div>
            <h2 id="summary" className="text-18">
              {instructor.name} sums it up
            </h2>
            <p className="text-13 text-ink-2">{given && <Time at={given} />}</p>
          </div>
        </div>
        <p className="mt-4 max-w-measure text-18 wrap-anywhere whitespace-pre-line">{review.summary}</p>
      </section>

      <OneThing goals={review.goals} className={places?.summary} />

      {review.grades.length > 0 && (
        <div className={places?.grades}>
          <Grades grades={review.grades} progress={progress} />
        </div>
      )}
      {!!review.goals?.length && (
        <div className={places?.grades}>
          <GoalList goals={review.goals} />
        </div>
      )}
    </>
  )
}
