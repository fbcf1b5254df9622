import type { SessionRating } from '../../modules/ratings/contract.ts'
import { MAX_RATING_TEXT_LENGTH, MIN_RATINGS_TO_SHOW } from '../../modules/ratings/policy.ts'
import { usePersistentForm } from '../client/persistent-form.ts'
import { refetchQueries } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { useCommand } from '../client/use-command.ts'
import { folderQueryEndpointOfPage } from '../folders/folder-page-urls-and-query.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceGroup } from '../ui/choices.tsx'
import { TextArea } from '../ui/field.tsx'
import { StarInputs } from '../ui/stars.tsx'
import { toast } from '../ui/toast.ts'

interface Verdict {
  stars: string
  comment: string
}

/**
 * 1 to 5 stars and a short comment for a paid session. `asGuardian`: whether a guardian gives the rating; `isNamed`: whether the player's
 * first name is published with the rating.
 */
export function RatingForm({
  folder,
  session: { id, instructor },
  rating,
  asGuardian,
  isNamed,
  onDone,
}: {
  folder: string
  session: ReviewedSession
  rating: SessionRating | null
  asGuardian: boolean
  isNamed: boolean
  onDone: () => void
}) {
  const form = usePersistentForm<Verdict>(`rating:${id}`, { stars: rating ? `${rating.stars}` : '', comment: rating?.comment ?? '' })
  const { run, busy, message } = useCommand()
  const { errors } = form.formState
  const name = instructor.name.split(' ')[0]
  const submit = form.handleSubmit(async ({ stars, comment }) => {
    const input = { params: { folder }, query: { session: id }, body: { stars: Number(stars), comment } }
    const done = await run(async () => {
      await (asGuardian
        ? sendCommand('PUT /api/family/folders/{folder}/rating', input)
        : sendCommand('PUT /api/folders/{folder}/rating', input))
      await refetchQueries(folderQueryEndpointOfPage())
    })
    if (!done) return
    form.forget()
    toast({ title: 'Thanks for the rating', description: `${name} can read it now.` })
    onDone()
  })
  return (
    <form onSubmit={submit} noValidate className="mt-3 flex flex-col gap-3">
      <ChoiceGroup
        legend="Your rating"
        hint={`Shown on ${name}'s page once there are ${MIN_RATINGS_TO_SHOW} ratings, ${isNamed ? 'with your first name' : 'without a name'}.`}
        error={errors.stars?.message}
        className="-ml-2 flex"
      >
        <StarInputs value={Number(form.watch('stars'))} register={form.register('stars', { required: 'Choose 1 to 5 stars' })} />
      </ChoiceGroup>
      <TextArea
        label="In a few words (optional)"
        rows={2}
        error={errors.comment?.message ?? message}
        {...form.register('comment', {
          maxLength: { value: MAX_RATING_TEXT_LENGTH, message: `At most ${MAX_RATING_TEXT_LENGTH} characters` },
        })}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="secondary" busy={busy}>
          {rating ? 'Save the rating' : 'Send the rating'}
        </Button>
        {rating && (
          <Button
            type="button"
            variant="quiet"
            onClick={() => {
              form.forget()
              onDone()
            }}
          >
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}
