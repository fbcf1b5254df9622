import { usePersistentForm } from '../client/persistent-form.ts'
import { useCommand } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextArea } from '../ui/field.tsx'
import { decisionReasonRules } from './decision-reason-rules.ts'

interface Props {
  /** Identifies the decision, so that a reason that was begun for one decision does not appear in the form for another. */
  formKey: string
  title: string
  about: string
  /** Tells the administrator who will read the reason. */
  hint: string
  /** The label of the button. */
  action: string
  /** The height of the field, in lines. */
  rows?: number
  send: (reason: string) => Promise<unknown>
  /** Called whether sending succeeded or not, because another administrator may have made a decision in the meantime. */
  refetch: () => Promise<unknown>
  onDone?: () => void
  onClose: () => void
  onClosed?: () => void
}

/** Asks an administrator for the reason for a decision, and sends it. */
export function ReasonDialog({ formKey, title, about, hint, action, rows = 3, send, refetch, onDone, onClose, onClosed }: Props) {
  const form = usePersistentForm<{ reason: string }>(formKey, { reason: '' })
  const { run, busy, message } = useCommand()
  const submit = form.handleSubmit(async ({ reason }) => {
    const done = await run(() => send(reason))
    await refetch()
    if (!done) return
    form.forget()
    onDone?.()
    onClose()
  })
  return (
    <Dialog title={title} about={about} open onOpenChange={onClose} onClosed={onClosed}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <TextArea
          label="Reason"
          hint={hint}
          rows={rows}
          error={form.formState.errors.reason?.message ?? message}
          {...form.register('reason', decisionReasonRules)}
        />
        <Button type="submit" variant="danger" busy={busy} className="self-start">
          {action}
        </Button>
      </form>
    </Dialog>
  )
}
