import { useState } from 'react'
import { CheckKind } from '../../../modules/instructors/contract.ts'
import { NewCheck } from '../../../modules/vetting/contract.ts'
import { CHECK_NAMES } from '../../../modules/vetting/event-sentences.ts'
import { ApiError } from '../../client/api.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { capitalize } from '../../ui/capitalize.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError, SelectField, TextField } from '../../ui/field.tsx'
import { QUERIES_TO_REFETCH_AFTER_VETTING } from './queries-to-refetch-after-vetting.ts'

type Fields = Record<'check' | 'checked' | 'reference' | 'expires', string>

/** Records a check of an instructor; the event log names the administrator who recorded it. */
export function NewCheckDialog({ instructor, name, onClose }: { instructor: string; name: string; onClose: () => void }) {
  const form = usePersistentForm<Fields>(`check-${instructor}`, { check: '', checked: '', reference: '', expires: '' })
  const command = useCommand()
  const [wrong, setWrong] = useState<Partial<Fields>>({})
  const refused = command.error instanceof ApiError ? command.error.fields : {}
  const submit = form.handleSubmit(async typed => {
    const parsed = NewCheck.safeParse({ ...typed, expires: typed.expires || null })
    setWrong(parsed.success ? {} : Object.fromEntries(parsed.error.issues.map(issue => [issue.path[0], issue.message])))
    if (!parsed.success) return
    const done = await command.run(async () => {
      await sendCommand('POST /api/admin/instructors/{instructor}/checks', { params: { instructor }, body: parsed.data })
      await refetchQueries(...QUERIES_TO_REFETCH_AFTER_VETTING)
    })
    if (!done) return
    form.forget()
    onClose()
  })
  const errorOf = (field: keyof Fields) => wrong[field] ?? refused[field]
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Record a check for ${name}`}
      about="Players see which checks were done, and in which month."
      footer={
        <Button type="submit" form="new-check" busy={command.busy}>
          Record the check
        </Button>
      }
    >
      <form id="new-check" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <SelectField label="What was checked" error={errorOf('check')} {...form.register('check')}>
          <option value="">Choose</option>
          {CheckKind.options.map(kind => (
            <option key={kind} value={kind}>
              {capitalize(CHECK_NAMES[kind])}
            </option>
          ))}
        </SelectField>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <TextField label="Checked on" type="date" error={errorOf('checked')} {...form.register('checked')} />
          <TextField
            label="Expires on"
            optional
            type="date"
            hint="The last day it is valid."
            error={errorOf('expires')}
            {...form.register('expires')}
          />
        </div>
        <TextField
          label="Reference"
          hint="Where it can be looked up: a report number, or who was asked."
          autoComplete="off"
          error={errorOf('reference')}
          {...form.register('reference')}
        />
        <FormError>{!Object.keys(refused).length && command.message}</FormError>
      </form>
    </Dialog>
  )
}
