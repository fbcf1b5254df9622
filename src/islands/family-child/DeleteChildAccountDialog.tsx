import { DELETION_GRACE_DAYS } from '../../../modules/privacy/policy.ts'
import { DeletionConsequences } from '../../accounts/DeletionConsequences.tsx'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/field.tsx'

const longDate = dateFormatter({ dateStyle: 'long' })

interface Props {
  child: { id: string; firstName: string }
  /** The token from the deletion link that we emailed to the guardian. It authorizes the deletion. */
  token: string
  /** When the account will be deleted, if the child has already scheduled the deletion; otherwise null. */
  due: string | null
  unusedSessions: number
  onClose: () => void
}

/**
 * Says what will be deleted and what will be retained, and schedules the deletion of the child's account, or confirms the deletion that
 * the child has scheduled.
 */
export function DeleteChildAccountDialog({ child: { id, firstName }, token, due, unusedSessions, onClose }: Props) {
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
      about={`It will be deleted ${due ? `on ${longDate(new Date(due))}` : `in ${DELETION_GRACE_DAYS} days`}. To keep it, press “Keep the account” on this page before then. We will email ${firstName}, too.`}
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
