import type { Words } from '../words.ts'
import type { InvitationEvent } from './invitation.ts'

export const invitationWords: Words<InvitationEvent> = {
  AdminInvited: { audit: () => 'invited an administrator' },
  AdminJoined: { audit: () => 'became an administrator' },
}
