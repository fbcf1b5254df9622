import type { EventSentences } from '../event-sentences.ts'
import type { AdminInvitationEvent } from './admin-invitation.ts'

export const adminInvitationEventSentences: EventSentences<AdminInvitationEvent> = {
  AdminInvited: { audit: () => 'invited an administrator' },
  AdminJoined: { audit: () => 'became an administrator' },
}
