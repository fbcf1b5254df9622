import { ReasonDialog } from '../../administration/ReasonDialog.tsx'
import { refetchQueries } from '../../client/query.ts'
import { QUERIES_TO_REFETCH_AFTER_VETTING } from './queries-to-refetch-after-vetting.ts'
import { type CommandWithReason, reasonFormKeyOf, sendCommandWithReason } from './send-command-with-reason.ts'

interface Props {
  command: CommandWithReason
  title: string
  about: string
  /** Tells the administrator who will read the reason. */
  hint: string
  action: string
  onClose: () => void
}

/** Asks for the reason for a decision about an instructor, a check or a rating, then sends the command. */
export const DecisionWithReasonDialog = ({ command, ...dialog }: Props) => (
  <ReasonDialog
    {...dialog}
    formKey={reasonFormKeyOf(command)}
    send={reason => sendCommandWithReason(command, reason)}
    refetch={() =>
      command.what === 'hide'
        ? refetchQueries('GET /api/admin/instructors/{instructor}/ratings')
        : refetchQueries(...QUERIES_TO_REFETCH_AFTER_VETTING)
    }
  />
)
