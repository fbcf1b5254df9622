import type { EventSentences } from '../event-sentences.ts'
import type { InvitationEvent } from './invitation.ts'

export const invitationSentences: EventSentences<InvitationEvent> = {
  AdminInvited: { audit: () => 'invited an administrator' },
  AdminJoined: { audit: () => 'became an administrator' },
}
