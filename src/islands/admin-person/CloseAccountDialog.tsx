import type { AdminPerson } from '../../../modules/admin-person/contract.ts'
import { DELETION_GRACE_DAYS } from '../../../modules/privacy/policy.ts'
import { ReasonDialog } from '../../administration/ReasonDialog.tsx'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { toast } from '../../ui/toast.ts'

/** Asks for a reason and closes a player's or an instructor's account. The server emails the reason to them and to a minor's guardian. */
export const CloseAccountDialog = ({ person: { id, name, kind }, onClose }: { person: AdminPerson; onClose: () => void }) => (
  <ReasonDialog
    formKey={`close-account:${id}`}
    title={`Close ${name}'s account?`}
    about={`${name} will be logged out everywhere and unable to log in. Folders waiting for a review will go back${
      kind === 'player' ? '' : ' to their players'
    }, and reviews that have started will be lost. The account will be deleted in ${DELETION_GRACE_DAYS} days; until then you can open it again here.`}
    hint={`We email it to ${name}${kind === 'player' ? ', and to the parent or guardian of a minor' : ''}.`}
    action="Close the account"
    send={reason => sendCommand('POST /api/admin/people/{person}/close', { params: { person: id }, body: { reason } })}
    refetch={() => refetchQueries('GET /api/admin/people/{person}', 'GET /api/admin/events')}
    onDone={() => toast({ title: 'Account closed', description: `${name} is logged out and cannot log in.` })}
    onClose={onClose}
  />
)
