import { useForm } from 'react-hook-form'
import type { Folder } from '../../../modules/folders/contract.ts'
import { MAX_FOLDER_NAME_LENGTH } from '../../../modules/folders/policy.ts'
import { refetchQueries, setQueryData } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { folderQueryInput } from '../../folders/folder-page-urls-and-query.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'

/** A form in place of the folder's title. Once the server accepts the new name, the page shows it without waiting for the refetch. */
export function RenameFolderForm({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { name: folder.name } })
  const rename = useCommand()
  const submit = handleSubmit(async ({ name }) => {
    const { params } = folderQueryInput(folder.id)
    const done = await rename.run(async () => {
      await sendCommand('PATCH /api/folders/{folder}', { params, body: { name } })
    })
    if (!done) return
    setQueryData('GET /api/folders/{folder}', folderQueryInput(folder.id), { ...folder, name: name.trim() })
    refetchQueries('GET /api/folders/{folder}')
    onClose()
  })
  return (
    <form
      onSubmit={submit}
      noValidate
      onKeyDown={e => e.key === 'Escape' && onClose()}
      className="flex w-full max-w-xl flex-wrap items-end gap-2 text-16 font-normal [font-stretch:100%]"
    >
      <TextField
        label="Folder name"
        autoComplete="off"
        autoFocus
        className="min-w-48 flex-1"
        error={formState.errors.name?.message ?? rename.message}
        {...register('name', {
          validate: name => name.trim() !== '' || 'Give the folder a name',
          maxLength: { value: MAX_FOLDER_NAME_LENGTH, message: `A name has at most ${MAX_FOLDER_NAME_LENGTH} characters` },
        })}
      />
      <span className="flex gap-2">
        <Button type="submit" busy={rename.busy}>
          Save
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </span>
    </form>
  )
}
