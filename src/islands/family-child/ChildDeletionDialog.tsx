import { DELETION_DAYS } from '../../../modules/privacy/policy.ts'
import { useCommand } from '../../client/command.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/field.tsx'

interface Props {
  child: { id: string; firstName: string }
  /** The secret of the link in the letter. */
  token: string
  unusedSessions: number
  onClose: () => void
}

/** Says what is deleted and what is retained, and deletes the child's account with the link that the guardian opened. */
export function ChildDeletionDialog({ child: { id, firstName }, token, unusedSessions, onClose }: Props) {
  const command = useCommand()
  const request = { params: { child: id }, body: { token } }
  async function erase() {
    if (!(await command.run(() => sendCommand('POST /api/family/children/{child}/deletion', request)))) return
    onClose()
    refetchQueries('GET /api/family/children/{child}/deletion')
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Delete ${firstName}'s account?`}
      about={`It is deleted in ${DELETION_DAYS} days. To keep it, press “Keep the account” on this page before then. We write to ${firstName}, too.`}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Keep the account
          </Button>
          <Button variant="danger" busy={command.busy} onClick={erase}>
            Delete the account
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div>
          <h3 className="text-16">What is deleted</h3>
          <ul className="list-disc pl-5 text-ink-2">
            <li>{firstName}'s name, email, phone number, picture and password</li>
            <li>the folders: videos, messages, and the feedback on them</li>
            <li>support requests, and the devices where {firstName} is signed in</li>
            {unusedSessions > 0 && (
              <li>
                {unusedSessions} {unusedSessions === 1 ? 'session' : 'sessions'} that you bought and {firstName} has not used
              </li>
            )}
          </ul>
        </div>
        <div>
          <h3 className="text-16">What we keep</h3>
          <ul className="list-disc pl-5 text-ink-2">
            <li>amounts and dates of payments, without {firstName}'s name, as tax law requires</li>
            <li>emails that others have received</li>
          </ul>
        </div>
        <FormError>{command.message}</FormError>
      </div>
    </Dialog>
  )
}
