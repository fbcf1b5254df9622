import { useState } from 'react'
import { v7 } from 'uuid'
import type { AdminPerson } from '../../../modules/admin-person/contract.ts'
import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import { ReasonDialog } from '../../administration/ReasonDialog.tsx'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { toast } from '../../ui/toast.ts'

/** Waives what an instructor owes, for a reason that the instructor reads. */
export function WaiveInstructorDebtDialog({ instructor: { id, name, debt }, onClose }: { instructor: AdminPerson; onClose: () => void }) {
  const [waiver] = useState(() => v7())
  // The amount is fixed when the dialog opens: if the debt has grown since, the administrator waives only what they saw.
  const [cents] = useState(debt ?? 0)
  return (
    <ReasonDialog
      formKey={`waive-debt:${id}`}
      title={`Waive ${formatCents(cents)}`}
      about={`We will not deduct it from ${name}'s next shares. The platform bears the loss, and this cannot be undone.`}
      hint={`Kept in the log. ${name} reads it with their earnings.`}
      action={`Waive ${formatCents(cents)}`}
      send={reason =>
        sendCommand('POST /api/admin/instructors/{instructor}/debt-waivers', {
          params: { instructor: id },
          body: { waiver, cents, reason },
        })
      }
      refetch={() => refetchQueries('GET /api/admin/people/{person}', 'GET /api/admin/events')}
      onDone={() => toast({ title: 'Debt waived', description: `${name} does not have to pay back ${formatCents(cents)}.` })}
      onClose={onClose}
    />
  )
}
