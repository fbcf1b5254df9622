import type { CheckKind } from '../../../modules/instructors/contract.ts'
import { sendCommand } from '../../client/send-command.ts'

/** A decision about an instructor, a check or a rating for which the administrator gives a reason. */
export type CommandWithReason =
  | { what: 'decline' | 'suspend'; instructor: string }
  | { what: 'withdraw'; instructor: string; check: CheckKind }
  | { what: 'hide'; instructor: string; rating: string }

export function sendCommandWithReason(command: CommandWithReason, reason: string) {
  const { instructor } = command
  switch (command.what) {
    case 'decline':
      return sendCommand('POST /api/admin/instructors/{instructor}/decline', { params: { instructor }, body: { reason } })
    case 'suspend':
      return sendCommand('POST /api/admin/instructors/{instructor}/suspend', { params: { instructor }, body: { reason } })
    case 'withdraw':
      return sendCommand('POST /api/admin/instructors/{instructor}/checks/{check}/withdraw', {
        params: { instructor, check: command.check },
        body: { reason },
      })
    case 'hide':
      return sendCommand('POST /api/admin/ratings/{assignment}/hide', { params: { assignment: command.rating }, body: { reason } })
  }
}

/** Identifies the decision, so that a reason begun for one decision does not appear in the form for another. */
export const reasonFormKeyOf = (command: CommandWithReason): string => {
  const about =
    command.what === 'hide' ? command.rating : command.what === 'withdraw' ? `${command.instructor}-${command.check}` : command.instructor
  return `${command.what}-${about}`
}
