import { type EventSentences, textOrEmpty } from '../event-sentence-types.ts'
import type { SupportEvent } from './support-request.ts'

export const supportEventSentences: EventSentences<SupportEvent> = {
  SupportRequested: { audit: () => 'wrote to support' },
  SupportAnswered: { audit: (_, owner) => (owner ? `answered the support request of ${owner}` : 'answered a support request') },
  SupportRequestDeleted: { subject: 'none', audit: () => 'A support request was deleted because its retention period ended' },
  SupportStatusSet: {
    audit: (d, owner) => `set ${owner ? `the support request of ${owner}` : 'a support request'} to ${textOrEmpty(d.status)}`,
  },
}
