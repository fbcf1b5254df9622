import { decisionReasonRules } from '../../administration/decision-reason-rules.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { type CommandWithReason, reasonFormKeyOf, sendCommandWithReason } from './command-with-reason.ts'
import { INSTRUCTOR_VETTING_QUERIES } from './instructor-vetting-queries.ts'

/** Asks for the reason of a decision, then sends the command. */
export function DecisionWithReasonDialog({
  command,
  title,
  about,
  hint,
  action,
  onClose,
}: {
  command: CommandWithReason
  title: string
  about: string
  /** Tells the administrator who will read the reason. */
  hint: string
  action: string
  onClose: () => void
}) {
  const form = usePersistentForm<{ reason: string }>(reasonFormKeyOf(command), { reason: '' })
  const { run, busy, message } = useCommand()
  const submit = form.handleSubmit(async ({ reason }) => {
    const done = await run(() => sendCommandWithReason(command, reason))
    // Another administrator may have made a decision in the meantime.
    if (command.what === 'hide') await refetchQueries('GET /api/admin/instructors/{instructor}/ratings')
    else await refetchQueries(...INSTRUCTOR_VETTING_QUERIES)
    if (!done) return
    form.forget()
    onClose()
  })
  return (
    <Dialog title={title} about={about} open onOpenChange={onClose}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <TextArea
          label="Reason"
          hint={hint}
          rows={3}
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
