import type { FormEvent } from 'react'
import type { ModelClip } from '../../../modules/model-clips/contract.ts'
import { ApiError } from '../../client/api.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/field.tsx'
import { ModelClipFields, readModelClipFields } from './ModelClipFields.tsx'

const FORM = 'model-clip'

/** Changes a model clip's name, movement, side or angle. */
export function EditModelClipDialog({ clip, onClose }: { clip: ModelClip; onClose: () => void }) {
  const save = useCommand()
  const errors = save.error instanceof ApiError ? save.error.fields : {}
  async function submit(e: FormEvent<HTMLFormElement>) {
    e.preventDefault()
    const body = readModelClipFields(e.currentTarget)
    const isSaved = await save.run(() => sendCommand('PUT /api/model-clips/{clip}', { params: { clip: clip.video.id }, body }))
    if (!isSaved) return
    await refetchQueries('GET /api/model-clips')
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Edit model clip"
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={FORM} busy={save.busy}>
            Save
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <ModelClipFields details={clip} errors={errors} />
        <FormError>{Object.keys(errors).length ? undefined : save.message}</FormError>
      </form>
    </Dialog>
  )
}
