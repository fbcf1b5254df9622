import type { SessionRating } from '../../../modules/ratings/contract.ts'
import { MAX_RATING_TEXT_LENGTH } from '../../../modules/ratings/policy.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'

/** The form with which an instructor publicly answers a rating. Only one answer is possible, so render it only while there is none. */
export function RatingAnswerForm({ folder, session, rating }: { folder: string; session: string; rating: SessionRating }) {
  const form = usePersistentForm(`rating-answer:${session}`, { answer: '' })
  const { run, busy, message } = useCommand()
  const submit = form.handleSubmit(async ({ answer }) => {
    const done = await run(async () => {
      const to = { stars: rating.stars, comment: rating.comment }
      await sendCommand('POST /api/folders/{folder}/rating/answer', { params: { folder }, query: { session }, body: { answer, to } })
      await refetchQueries('GET /api/folders/{folder}')
    })
    if (!done) return
    form.forget()
    toast({ title: 'Answered', description: 'Your answer appears below the rating.' })
  })
  return (
    <form onSubmit={submit} noValidate className="flex w-full flex-col gap-3">
      <TextArea
        label="Answer this rating"
        hint="You can answer once. Everyone who sees the rating sees your answer."
        rows={2}
        error={form.formState.errors.answer?.message ?? message}
        {...form.register('answer', {
          validate: text => text.trim() !== '' || 'Write your answer',
          maxLength: { value: MAX_RATING_TEXT_LENGTH, message: `At most ${MAX_RATING_TEXT_LENGTH} characters` },
        })}
      />
      <Button type="submit" variant="secondary" busy={busy} className="self-start">
        Send the answer
      </Button>
    </form>
  )
}
