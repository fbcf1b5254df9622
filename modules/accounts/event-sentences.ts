import type { EventSentences } from '../event-sentence-types.ts'
import type { AdminInvitationEvent } from './admin-invitation-decider.ts'

export const adminInvitationEventSentences: EventSentences<AdminInvitationEvent> = {
  AdminInvited: { audit: () => 'invited an administrator' },
  AdminJoined: { audit: () => 'became an administrator' },
}
