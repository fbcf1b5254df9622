import { DELETION_GRACE_DAYS } from '../../../modules/privacy/policy.ts'
import { DeletionConsequences } from '../../accounts/DeletionConsequences.tsx'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
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
export function DeleteChildAccountDialog({ child: { id, firstName }, token, unusedSessions, onClose }: Props) {
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
      about={`It is deleted in ${DELETION_GRACE_DAYS} days. To keep it, press “Keep the account” on this page before then. We write to ${firstName}, too.`}
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
        <DeletionConsequences child={firstName} unusedSessions={unusedSessions} />
        <FormError>{command.message}</FormError>
      </div>
    </Dialog>
  )
}
