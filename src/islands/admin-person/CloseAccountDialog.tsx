import type { AdminPerson } from '../../../modules/admin-person/contract.ts'
import { DELETION_GRACE_DAYS } from '../../../modules/privacy/policy.ts'
import { decisionReasonRules } from '../../administration/decision-reason-rules.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'

/** Closes the account of a player or an instructor, for a reason that they and a minor's guardian read. */
export function CloseAccountDialog({ person: { id, name, kind }, onClose }: { person: AdminPerson; onClose: () => void }) {
  const form = usePersistentForm<{ reason: string }>(`close-account:${id}`, { reason: '' })
  const { run, busy, message } = useCommand()
  const submit = form.handleSubmit(async ({ reason }) => {
    const done = await run(() => sendCommand('POST /api/admin/people/{person}/close', { params: { person: id }, body: { reason } }))
    await refetchQueries('GET /api/admin/people/{person}', 'GET /api/admin/events')
    if (!done) return
    form.forget()
    toast({ title: 'Account closed', description: `${name} is signed out and cannot sign in.` })
    onClose()
  })
  return (
    <Dialog
      title={`Close ${name}'s account?`}
      about={`${name} is signed out everywhere and cannot sign in. Folders that wait for a review go back${
        kind === 'player' ? '' : ' to their players'
      }, and reviews that have started are lost. The account is deleted in ${DELETION_GRACE_DAYS} days; until then you can open it again here.`}
      open
      onOpenChange={onClose}
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <TextArea
          label="Reason"
          hint={`We email it to ${name}${kind === 'player' ? ', and to the parent or guardian of a minor' : ''}.`}
          rows={3}
          error={form.formState.errors.reason?.message ?? message}
          {...form.register('reason', decisionReasonRules)}
        />
        <Button type="submit" variant="danger" busy={busy} className="self-start">
          Close the account
        </Button>
      </form>
    </Dialog>
  )
}
