import { useState } from 'react'
import { NextGuardianFields } from '../../accounts/NextGuardianFields.tsx'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** Explains what a change of guardian does, asks for the new guardian, makes the change, and then says that it is done. */
export function ChangeGuardianDialog({ child, onClose }: { child: { id: string; firstName: string }; onClose: () => void }) {
  const { id, firstName } = child
  const form = usePersistentForm(`next-guardian-${id}`, { name: '', email: '' })
  const command = useCommand()
  const [named, setNamed] = useState<string>()
  const submit = form.handleSubmit(async ({ name, email }) => {
    const to = { name: name.trim(), email: email.trim() }
    if (!(await command.run(() => sendCommand('POST /api/family/children/{child}/guardian', { params: { child: id }, body: to })))) return
    form.forget()
    setNamed(to.email)
  })
  if (named) {
    return (
      <Dialog
        open
        stays
        title={`A different guardian is now listed for ${firstName}`}
        footer={<ButtonLink href="/family">Your family</ButtonLink>}
        onOpenChange={() => location.assign('/family')}
      >
        <p className="wrap-anywhere">
          We emailed {named}. {firstName} can assign folders again once they agree. Bills that are still yours stay under “Sessions and
          costs.”
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={`Who will be ${firstName}'s guardian on this account?`}
      about="We will email them to ask for their consent, as we asked for yours. You cannot undo this yourself."
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" type="submit" form="next-guardian" busy={command.busy}>
            Change guardian
          </Button>
        </>
      }
    >
      <form id="next-guardian" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <NextGuardianFields form={form} refused={command.message} />
        <ul className="list-disc space-y-2 pl-5 text-ink-2">
          <li>You can no longer see {firstName}'s sessions, and your card won't be charged for new ones.</li>
          <li>Sessions without feedback are returned to {firstName}, even if the instructor has started. Nothing is charged for them.</li>
          <li>Feedback that was delivered stays with {firstName}. If it has not been paid for yet, it stays on your bill.</li>
          <li>Private links to {firstName}'s feedback stop working.</li>
          <li>{firstName} can't assign folders until the new guardian agrees.</li>
        </ul>
      </form>
    </Dialog>
  )
}
