import type { ReactNode } from 'react'
import type { Folder } from '../../modules/folders/contract.ts'
import { BeforeAfter } from '../comparison/BeforeAfter.tsx'
import { TWO_COLUMN_LAYOUT } from '../folders/page-layouts.ts'
import type { ReviewedSession } from '../folders/reviewed-session.ts'
import { useStageMoments } from './jump-to-stage-moment.ts'
import { QuestionMoment } from './QuestionMoment.tsx'
import { ReviewPlayer } from './ReviewPlayer.tsx'
import { ReviewText } from './ReviewText.tsx'
import { UnansweredQuestion } from './UnansweredQuestion.tsx'

/** A delivered review as its player sees it, with the question to the instructor and the answer. */
export function DeliveredFeedback({ folder, session, story }: { folder: Folder; session: ReviewedSession; story: ReactNode }) {
  const { jump, show } = useStageMoments()
  const { question, about, answer, message } = session
  const quote = (who: string, words: string) => (
    <div>
      <p className="text-14 font-medium">{who}</p>
      <p className="max-w-measure wrap-anywhere whitespace-pre-line">{words}</p>
    </div>
  )
  return (
    <div className={TWO_COLUMN_LAYOUT}>
      <div className="min-w-0 lg:col-span-2">
        <ReviewPlayer folder={folder.id} session={session} jump={jump} />
        <BeforeAfter folder={folder.id} session={session} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 sm:gap-6">
        <ReviewText session={session} />
        {(message || question) && (
          <section aria-labelledby="messages" className="flex flex-col gap-4 rounded-card border border-line bg-paper p-4 sm:p-6">
            <h2 id="messages" className="text-18">
              Messages
            </h2>
            {message && quote(folder.player.name, message)}
            {question && quote(folder.player.name, question)}
            {about && <QuestionMoment about={about} clips={session.clips} onShow={show} />}
            {answer && quote(session.instructor.name, answer)}
            {question && !answer && session.instructorStatus && <UnansweredQuestion session={session} />}
          </section>
        )}
      </div>
      {story}
    </div>
  )
}
