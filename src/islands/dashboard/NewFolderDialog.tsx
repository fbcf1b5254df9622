import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { v7 } from 'uuid'
import { MAX_FOLDER_NAME_LENGTH, MAX_VIDEOS_PER_SESSION } from '../../../modules/folders/policy.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'

/** Asks for a name, creates the folder, and opens its page. */
export function NewFolderDialog({ onClose }: { onClose: () => void }) {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { name: '' } })
  const create = useCommand()
  const attempt = useRef({ id: '', name: '' })
  const submit = handleSubmit(async ({ name }) => {
    // If the response is lost and the player presses again, reusing the id prevents a second folder.
    if (attempt.current.name !== name) attempt.current = { id: v7(), name }
    const { id } = attempt.current
    const done = await create.run(() => sendCommand('POST /api/folders', { body: { id, name } }))
    if (done) location.assign(`/player/folder/${id}`)
  })
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="New folder"
      about={`One folder is one feedback session: up to ${MAX_VIDEOS_PER_SESSION} videos of what you are working on.`}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="new-folder" busy={create.busy}>
            Create folder
          </Button>
        </>
      }
    >
      <form id="new-folder" onSubmit={submit} noValidate>
        <TextField
          label="Name"
          hint="For example: Tee work, Saturday bullpen, Double plays"
          autoComplete="off"
          autoFocus
          error={formState.errors.name?.message ?? create.message}
          {...register('name', {
            validate: name => name.trim() !== '' || 'Give the folder a name',
            maxLength: { value: MAX_FOLDER_NAME_LENGTH, message: `A name has at most ${MAX_FOLDER_NAME_LENGTH} characters` },
          })}
        />
      </form>
    </Dialog>
  )
}
