import { useEffect } from 'react'
import type { VideoMoment } from '../../modules/folders/contract.ts'
import { MAX_SESSION_TEXT_LENGTH } from '../../modules/folders/policy.ts'
import { usePersistentForm } from '../client/persistent-form.ts'
import { refetchQueries } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { useCommand } from '../client/use-command.ts'
import { folderQueryInput } from '../folders/folder-page-urls-and-query.ts'
import { markAsRead } from '../folders/read-marks.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { site } from '../site.ts'
import { Button } from '../ui/button.tsx'
import { TextArea } from '../ui/field.tsx'
import { toast } from '../ui/toast.ts'
import { useScrollToHash } from '../ui/use-scroll-to-hash.ts'
import { PendingAnswerStatus } from './PendingAnswerStatus.tsx'
import { QuestionMoment } from './QuestionMoment.tsx'

/**
 * The one free question about a session's feedback, and its answer, which is marked as read. If `readOnly` is set or the instructor has
 * deleted their account, renders nothing unless a question was asked. `about` is the moment chosen on the stage for the question; `onShow`
 * shows a moment on the stage.
 */
export function FollowUpQuestion({
  folder,
  session,
  readOnly,
  needsConsent,
  about,
  onShow,
}: {
  folder: string
  session: ReviewedSession
  readOnly: boolean
  /** Whether the player is under 18 and a guardian's consent is missing; until it is given, nothing can be sent. */
  needsConsent: boolean
  about: VideoMoment | undefined
  onShow: (moment: VideoMoment) => void
}) {
  const { id, instructor: by, instructorStatus, answer } = session
  const form = usePersistentForm<{ question: string; about?: VideoMoment | undefined }>(`question:${id}`, { question: '' })
  const { setValue } = form
  const moment = form.watch('about')
  const ask = useCommand()
  const place = useScrollToHash<HTMLElement>('question')
  const name = by.name.split(' ')[0]
  useEffect(() => {
    if (answer) markAsRead(id)
  }, [answer, id])
  useEffect(() => {
    if (about) setValue('about', about)
  }, [about, setValue])
  const submit = form.handleSubmit(async ({ question, about }) => {
    const done = await ask.run(async () => {
      await sendCommand('POST /api/folders/{folder}/question', { ...folderQueryInput(folder, id), body: { question, about } })
      await refetchQueries('GET /api/folders/{folder}')
    })
    if (!done) return
    form.forget()
    toast({ title: 'Question sent', description: `${name} has it now. The answer will appear here.` })
  })
  if ((readOnly || instructorStatus === 'gone') && !session.question) return null
  return (
    <section ref={place} aria-labelledby="question" className="scroll-mt-20 rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="question" className="text-18">
        {session.question ? 'Your question' : `Ask ${name} one question`}
      </h2>
      {session.question ? (
        <div className="mt-3 flex flex-col gap-3">
          <p className="max-w-measure wrap-anywhere whitespace-pre-line">{session.question}</p>
          {session.about && <QuestionMoment about={session.about} clips={session.clips} onShow={onShow} />}
          {answer ? (
            <div className="border-l-2 border-field pl-4">
              <p className="text-14 font-medium">{by.name}</p>
              <p className="max-w-measure wrap-anywhere whitespace-pre-line">{answer}</p>
            </div>
          ) : (
            <PendingAnswerStatus session={session} />
          )}
        </div>
      ) : instructorStatus === 'unavailable' ? (
        <p className="mt-3 text-ink-2">
          {name} is not available on {site.name} right now. Your one free question waits until {name} is back.
        </p>
      ) : needsConsent ? (
        <p className="mt-3 text-ink-2">You can ask once your parent or guardian agrees. Your one free question waits until then.</p>
      ) : (
        <form onSubmit={submit} noValidate className="mt-3 flex flex-col gap-3">
          {moment && <QuestionMoment about={moment} clips={session.clips} onShow={onShow} onRemove={() => setValue('about', undefined)} />}
          <TextArea
            label="Your question"
            hint="It is free, and you have one for each session, so make it count."
            error={form.formState.errors.question?.message ?? ask.message}
            {...form.register('question', {
              validate: text => text.trim() !== '' || 'Write your question',
              maxLength: { value: MAX_SESSION_TEXT_LENGTH, message: `At most ${MAX_SESSION_TEXT_LENGTH} characters` },
            })}
          />
          <Button type="submit" variant="secondary" busy={ask.busy} className="self-start">
            Ask
          </Button>
        </form>
      )}
    </section>
  )
}
