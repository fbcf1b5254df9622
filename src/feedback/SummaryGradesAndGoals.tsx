import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { Avatar } from '../ui/avatar.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { GoalList } from './GoalList.tsx'
import { GradeBars } from './GradeBars.tsx'
import { NextGoalCard } from './NextGoalCard.tsx'

/** The instructor's summary and the next goal, side by side if there is room. */
export function SummaryAndNextGoal({ session: { instructor, review, given } }: { session: ReviewedSession }) {
  return (
    <div className="grid items-start gap-4 sm:gap-6 lg:grid-cols-[repeat(auto-fit,minmax(24rem,1fr))]">
      <section aria-labelledby="summary" className="rounded-card border border-line bg-paper p-4 sm:p-6">
        <div className="flex items-center gap-3">
          <Avatar name={instructor.name} picture={instructor.picture} instructor={instructor.id} />
          <div>
            <h2 id="summary" className="text-18">
              {instructor.name} sums it up
            </h2>
            <p className="text-13 text-ink-2">{given && <RelativeTime at={given} />}</p>
          </div>
        </div>
        <p className="mt-4 max-w-measure text-18 wrap-anywhere whitespace-pre-line">{review.summary}</p>
      </section>

      <NextGoalCard goals={review.goals} />
    </div>
  )
}

/** The grades and all goals. `progress`: URL of the progress page, if the viewer has one. */
export const GradesAndGoals = ({ session: { review }, progress }: { session: ReviewedSession; progress?: string }) => (
  <>
    {review.grades.length > 0 && <GradeBars grades={review.grades} progress={progress} />}
    {!!review.goals?.length && <GoalList goals={review.goals} />}
  </>
)

/** The written parts of a review: summary, grades and goals. */
export const SummaryGradesAndGoals = ({ session }: { session: ReviewedSession }) => (
  <>
    <SummaryAndNextGoal session={session} />
    <GradesAndGoals session={session} />
  </>
)
