import { type ReactNode, useMemo, useState } from 'react'
import type { Folder } from '../../modules/folders/contract.ts'
import { ReviewComparisons } from '../comparison/ReviewComparisons.tsx'
import { LAYOUT_WITH_FEEDBACK } from '../folders/page-layouts.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { useStageJump } from './jump-to-stage-moment.ts'
import { PendingAnswerStatus } from './PendingAnswerStatus.tsx'
import { QuestionMoment } from './QuestionMoment.tsx'
import { ReviewPlayer } from './ReviewPlayer.tsx'
import { GradesAndGoals, SummaryAndNextGoal } from './SummaryGradesAndGoals.tsx'
import { reviewPlaylistOf } from './watch/review-playlist.ts'
import { WatchButton } from './watch/WatchButton.tsx'
import { createWatchButtonConnection } from './watch/watch-button-connection.ts'

/**
 * A delivered review for somebody who may only read it, in the order in which its player sees it, with the player's question and the
 * instructor's answer.
 */
export function ReadOnlyFeedback({ folder, session, aside }: { folder: Folder; session: ReviewedSession; aside: ReactNode }) {
  const { jump, show } = useStageJump()
  const [watch] = useState(createWatchButtonConnection)
  const { milliseconds } = useMemo(() => reviewPlaylistOf(session), [session])
  const { question, about, answer, message } = session
  const quote = (who: string, words: string) => (
    <div>
      <p className="text-14 font-medium">{who}</p>
      <p className="max-w-measure wrap-anywhere whitespace-pre-line">{words}</p>
    </div>
  )
  return (
    <div className={LAYOUT_WITH_FEEDBACK.all}>
      <div className={LAYOUT_WITH_FEEDBACK.summary}>
        <WatchButton {...{ session, watch, milliseconds }} />
        <SummaryAndNextGoal session={session} />
      </div>
      <div className={LAYOUT_WITH_FEEDBACK.stage}>
        <ReviewPlayer folder={folder.id} session={session} watch={watch} jump={jump} />
        <ReviewComparisons folder={folder.id} session={session} />
      </div>
      <div className={LAYOUT_WITH_FEEDBACK.more}>
        <GradesAndGoals session={session} />
        {(message || question) && (
          <section aria-labelledby="messages" className="flex flex-col gap-4 rounded-card border border-line bg-paper p-4 sm:p-6">
            <h2 id="messages" className="text-18">
              Messages
            </h2>
            {message && quote(folder.player.name, message)}
            {question && quote(folder.player.name, question)}
            {about && <QuestionMoment about={about} clips={session.clips} onShow={show} />}
            {answer && quote(session.instructor.name, answer)}
            {question && !answer && session.instructorStatus && <PendingAnswerStatus session={session} />}
          </section>
        )}
      </div>
      <div className={LAYOUT_WITH_FEEDBACK.aside}>{aside}</div>
    </div>
  )
}
