import { useState } from 'react'
import type { ModelClip } from '../../../modules/model-clips/contract.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/field.tsx'

const keptText = (count: number) =>
  count === 1
    ? 'One delivered review shows this clip, and keeps it for your player.'
    : `${count} delivered reviews show this clip, and keep it for your players.`

interface DeleteModelClipDialogProps {
  clip: ModelClip
  /** Whether the clip was already deleted from the library, so that it can only be deleted from reviews. */
  isRetained?: boolean
  onClose: () => void
}

/** Deletes a model clip after saying what happens to the reviews that show it. */
export function DeleteModelClipDialog({ clip, isRetained = false, onClose }: DeleteModelClipDialogProps) {
  const { title, reviews, video } = clip
  const [everywhere, setEverywhere] = useState(isRetained)
  const remove = useCommand()
  async function confirm() {
    const query = everywhere ? { everywhere: 'true' as const } : {}
    const isDeleted = await remove.run(() => sendCommand('DELETE /api/model-clips/{clip}', { params: { clip: video.id }, query }))
    if (!isDeleted) return
    await refetchQueries('GET /api/model-clips')
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={isRetained ? `Delete “${title}” from reviews?` : `Delete “${title}”?`}
      about={
        isRetained
          ? `${reviews === 1 ? 'One delivered review shows' : `${reviews} delivered reviews show`} this clip. The comparisons will then say that a video is missing.`
          : reviews
            ? `${keptText(reviews)} You can no longer choose it for new reviews.`
            : 'No delivered review shows this clip, so its file will be deleted for good.'
      }
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Keep it
          </Button>
          <Button variant="danger" busy={remove.busy} onClick={confirm}>
            {isRetained ? 'Delete from reviews' : everywhere ? 'Delete everywhere' : 'Delete'}
          </Button>
        </>
      }
    >
      {reviews > 0 && !isRetained && (
        <Choice
          checked={everywhere}
          onChange={e => setEverywhere(e.currentTarget.checked)}
          label="Delete it from these reviews, too"
          detail="For when the person in the clip no longer agrees. The comparisons then say that a video is missing."
        />
      )}
      <FormError>{remove.message}</FormError>
    </Dialog>
  )
}
