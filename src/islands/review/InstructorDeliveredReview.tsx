import type { Folder, VideoMoment } from '../../../modules/folders/contract.ts'
import { MAX_SESSION_TEXT_LENGTH } from '../../../modules/folders/policy.ts'
import type { User } from '../../client/login-session.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { ReviewComparisons } from '../../comparison/ReviewComparisons.tsx'
import { SessionZipDownloadCard } from '../../download/SessionZipDownloadCard.tsx'
import { useStageJump } from '../../feedback/jump-to-stage-moment.ts'
import { QuestionMoment } from '../../feedback/QuestionMoment.tsx'
import { RatingCard } from '../../feedback/RatingCard.tsx'
import { ReviewPlayer } from '../../feedback/ReviewPlayer.tsx'
import { SummaryGradesAndGoals } from '../../feedback/SummaryGradesAndGoals.tsx'
import { LazyReviewVideoCard } from '../../feedback/share/LazyReviewVideoCard.tsx'
import { FolderStory } from '../../folders/FolderStory.tsx'
import { folderQueryInput } from '../../folders/folder-page-urls-and-query.ts'
import { FolderStatusBadge } from '../../folders/folder-status.tsx'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
import { SessionNav } from '../../folders/SessionNav.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { RatingAnswerForm } from './RatingAnswerForm.tsx'
import { ReviewPageHeader } from './ReviewPageHeader.tsx'

function AnswerSection({ folder, session, onShow }: { folder: Folder; session: ReviewedSession; onShow: (moment: VideoMoment) => void }) {
  const form = usePersistentForm(`answer:${session.id}`, { answer: '' })
  const command = useCommand()
  const first = folder.player.name.split(' ')[0]
  const submit = form.handleSubmit(async ({ answer }) => {
    const done = await command.run(async () => {
      await sendCommand('POST /api/folders/{folder}/answer', { ...folderQueryInput(folder.id, session.id), body: { answer } })
      await refetchQueries('GET /api/folders/{folder}')
    })
    if (!done) return
    form.forget()
    toast({ title: 'Answered', description: `${first} can read it now.` })
  })
  return (
    <section aria-labelledby="question" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="question" className="text-18">
        {first} asks
      </h2>
      <p className="mt-2 max-w-measure wrap-anywhere whitespace-pre-line">{session.question}</p>
      {session.about && (
        <div className="mt-3">
          <QuestionMoment about={session.about} clips={session.clips} onShow={onShow} />
        </div>
      )}
      {session.answer ? (
        <div className="mt-4 border-l-2 border-field pl-4">
          <p className="text-14 font-medium">You</p>
          <p className="max-w-measure wrap-anywhere whitespace-pre-line">{session.answer}</p>
        </div>
      ) : (
        <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-3">
          <TextArea
            label="Your answer"
            error={form.formState.errors.answer?.message ?? command.message}
            {...form.register('answer', {
              validate: text => text.trim() !== '' || 'Write your answer',
              maxLength: { value: MAX_SESSION_TEXT_LENGTH, message: `At most ${MAX_SESSION_TEXT_LENGTH} characters` },
            })}
          />
          <Button type="submit" busy={command.busy} className="self-start">
            Send the answer
          </Button>
        </form>
      )}
    </section>
  )
}

/** A delivered review as its instructor sees it: what the player sees, the question with the answer, the rating, and the history. */
export function InstructorDeliveredReview({ folder, session, user }: { folder: Folder; session: ReviewedSession; user: User }) {
  const { jump, show } = useStageJump()
  return (
    <>
      <ReviewPageHeader folder={folder}>
        <FolderStatusBadge status={session.status} viewer="instructor" />
      </ReviewPageHeader>
      <div className="page grid items-start gap-4 py-4 sm:gap-6 sm:py-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="-mb-4 min-w-0 empty:hidden sm:-mb-6 lg:col-span-2">
          <SessionNav folder={folder} shown={session.id} viewer="instructor" />
        </div>
        {session.question && !session.answer && (
          <div className="lg:col-span-2">
            <AnswerSection folder={folder} session={session} onShow={show} />
          </div>
        )}
        <div className="min-w-0 lg:col-span-2">
          <ReviewPlayer folder={folder.id} session={session} jump={jump} />
          <ReviewComparisons folder={folder.id} session={session} />
        </div>
        <div className="flex min-w-0 flex-col gap-4 sm:gap-6">
          <SummaryGradesAndGoals session={session} />
          {session.question && session.answer && <AnswerSection folder={folder} session={session} onShow={show} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4 sm:gap-6">
          <RatingCard folder={folder.id} session={session} viewer="instructor">
            {session.rating && session.rating.answer === null && (
              <RatingAnswerForm folder={folder.id} session={session.id} rating={session.rating} />
            )}
          </RatingCard>
          <LazyReviewVideoCard requester={{ is: 'member', folder: folder.id, session: session.id }} session={session} />
          <SessionZipDownloadCard folder={folder} session={session} />
          <FolderStory folder={folder} viewer="instructor" you={user.id} />
        </div>
      </div>
    </>
  )
}
