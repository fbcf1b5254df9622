import { useState } from 'react'
import { v7 } from 'uuid'
import type { AdminPerson } from '../../../modules/admin-person/contract.ts'
import { formatCents } from '../../../modules/format-text.ts'
import { decisionReasonRules } from '../../administration/decision-reason-rules.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'

/** Waives what an instructor owes, for a reason that the instructor reads. */
export function WaiveInstructorDebtDialog({ instructor: { id, name, debt }, onClose }: { instructor: AdminPerson; onClose: () => void }) {
  const form = usePersistentForm<{ reason: string }>(`waive-debt:${id}`, { reason: '' })
  const [waiver] = useState(() => v7())
  // What the administrator saw when the dialog opened, so that a debt that has grown since is not waived unseen.
  const [cents] = useState(debt ?? 0)
  const { run, busy, message } = useCommand()
  const submit = form.handleSubmit(async ({ reason }) => {
    const done = await run(async () => {
      try {
        await sendCommand('POST /api/admin/instructors/{instructor}/debt-waivers', {
          params: { instructor: id },
          body: { waiver, cents, reason },
        })
      } finally {
        await refetchQueries('GET /api/admin/people/{person}', 'GET /api/admin/events')
      }
    })
    if (!done) return
    form.forget()
    toast({ title: 'Debt waived', description: `${name} does not have to pay back ${formatCents(cents)}.` })
    onClose()
  })
  return (
    <Dialog
      title={`Waive ${formatCents(cents)}`}
      about={`We will not deduct it from ${name}'s next shares. The platform bears the loss, and this cannot be undone.`}
      open
      onOpenChange={onClose}
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <TextArea
          label="Reason"
          hint={`Kept in the log. ${name} reads it with their earnings.`}
          rows={3}
          error={form.formState.errors.reason?.message ?? message}
          {...form.register('reason', decisionReasonRules)}
        />
        <Button type="submit" variant="danger" busy={busy} className="self-start">
          Waive {formatCents(cents)}
        </Button>
      </form>
    </Dialog>
  )
}
