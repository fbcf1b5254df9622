import { type FormEvent, useState } from 'react'
import type { NewModelClip } from '../../../modules/model-clips/contract.ts'
import { MODEL_CLIP_RIGHTS_STATEMENT } from '../../../modules/model-clips/policy.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, ChoiceGroup } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useFocusFirstError } from '../../ui/use-focus-first-error.ts'
import { ModelClipFields, readModelClipFields } from './ModelClipFields.tsx'

const FORM = 'new-model-clip'
const nameWithoutEnding = (name: string) => name.replace(/\.\w{2,4}$/, '')

/** Asks for the details of a chosen file, and for a confirmation that the instructor may show it, before the upload starts. */
export function NewModelClipDetailsDialog({
  file,
  onUpload,
  onClose,
}: {
  file: File
  onUpload: (clip: NewModelClip) => void
  onClose: () => void
}) {
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [submits, setSubmits] = useState(0)
  const form = useFocusFirstError(submits)
  function submit(e: FormEvent<HTMLFormElement>) {
    e.preventDefault()
    const details = readModelClipFields(e.currentTarget)
    const isConfirmed = new FormData(e.currentTarget).get('rights') === 'on'
    const found = {
      ...(!details.title && { title: 'Give the clip a name' }),
      ...(!isConfirmed && { rights: 'Confirm that you may show this clip to your players' }),
    }
    setErrors(found)
    if (Object.keys(found).length) setSubmits(submits + 1)
    else onUpload({ ...details, rightsConfirmed: true })
  }
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="New model clip"
      about={file.name}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={FORM}>
            Upload
          </Button>
        </>
      }
    >
      <form ref={form} id={FORM} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <ModelClipFields
          details={{ title: nameWithoutEnding(file.name), skill: 'hitting', side: 'right', angle: 'side' }}
          errors={errors}
        />
        <ChoiceGroup legend="Permission" className="grid grid-cols-1" error={errors.rights}>
          <Choice name="rights" label={MODEL_CLIP_RIGHTS_STATEMENT} />
        </ChoiceGroup>
      </form>
    </Dialog>
  )
}
