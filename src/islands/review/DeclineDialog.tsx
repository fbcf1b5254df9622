import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { MAX_SESSION_TEXT_LENGTH } from '../../../modules/folders/policy.ts'
import { navigateAndWaitForReturn } from '../../client/navigate-and-wait-for-return.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { folderQueryInput } from '../../folders/folder-page-urls-and-query.ts'
import { instructorDeclinedOnThisDeviceMark, markAsRead } from '../../folders/read-marks.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'

/** Asks for the reason and sends the folder back to its player. `onDeclined` deletes the parts of the review that this device stores. */
export function DeclineDialog({
  folder,
  session,
  onClose,
  onDeclined,
}: {
  folder: Folder
  session: Session
  onClose: () => void
  onDeclined: () => Promise<void>
}) {
  const form = usePersistentForm(`decline:${session.id}`, { reason: '' })
  const decline = useCommand()
  const first = folder.player.name.split(' ')[0]
  const lossText = session.status === 'in-review' ? ' What you have added to the review will be deleted.' : ''
  const submit = form.handleSubmit(({ reason }) =>
    decline.run(async () => {
      await sendCommand('POST /api/folders/{folder}/decline', { ...folderQueryInput(folder.id, session.id), body: { reason } })
      form.forget()
      await onDeclined()
      markAsRead(instructorDeclinedOnThisDeviceMark(folder.assignment!))
      toast({ title: 'Declined', description: `${first} can choose another instructor.`, onward: true })
      await navigateAndWaitForReturn('/instructor/dashboard')
      onClose()
    }),
  )
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Decline this folder?"
      about={`It will be returned to ${first}, who pays nothing and can choose another instructor.${lossText}`}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Keep the folder
          </Button>
          <Button variant="danger" type="submit" form="decline" busy={decline.busy}>
            Decline
          </Button>
        </>
      }
    >
      <form id="decline" onSubmit={submit} noValidate>
        <TextArea
          label={`Tell ${first} why`}
          hint={`${first} will see exactly what you write here. It helps to say what to send instead, or who else to ask.`}
          error={form.formState.errors.reason?.message ?? decline.message}
          {...form.register('reason', {
            validate: text => text.trim() !== '' || 'Tell the player why',
            maxLength: { value: MAX_SESSION_TEXT_LENGTH, message: `At most ${MAX_SESSION_TEXT_LENGTH} characters` },
          })}
        />
      </form>
    </Dialog>
  )
}
