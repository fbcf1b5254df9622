import { NextGuardianFields } from '../../accounts/NextGuardianFields.tsx'
import { decisionReasonRules } from '../../administration/decision-reason-rules.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'

/** Replaces a player's guardian, and records the reason. */
export function ReplaceGuardianDialog({ person, onClose }: { person: { id: string; name: string }; onClose: () => void }) {
  const form = usePersistentForm(`guardian-of-${person.id}`, { name: '', email: '', reason: '' })
  const command = useCommand()
  const submit = form.handleSubmit(async ({ name, email, reason }) => {
    const body = { name: name.trim(), email: email.trim(), reason: reason.trim() }
    const done = await command.run(() => sendCommand('POST /api/admin/people/{person}/guardian', { params: { person: person.id }, body }))
    if (!done) return
    form.forget()
    await refetchQueries('GET /api/admin/people/{person}', 'GET /api/admin/events')
    onClose()
    toast({ title: 'Guardian changed', description: `We asked ${body.email} to agree.` })
  })
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={`Change the guardian of ${person.name}`}
      about="The current guardian's access and card end at once, and sessions without feedback are returned to the player. The new guardian has to agree."
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" type="submit" form="guardian-change" busy={command.busy}>
            Change the guardian
          </Button>
        </>
      }
    >
      <form id="guardian-change" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <NextGuardianFields form={form} refused={command.message} />
        <TextArea
          label="Reason"
          hint="It stays in the history, which administrators can read."
          rows={3}
          error={form.formState.errors.reason?.message}
          {...form.register('reason', decisionReasonRules)}
        />
      </form>
    </Dialog>
  )
}
