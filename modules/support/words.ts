import { asText, type Words } from '../words.ts'
import type { SupportEvent } from './request.ts'

export const supportWords: Words<SupportEvent> = {
  SupportRequested: { audit: () => 'wrote to support' },
  SupportAnswered: { audit: (_, owner) => (owner ? `answered the support request of ${owner}` : 'answered a support request') },
  SupportRequestDeleted: { subject: 'none', audit: () => 'A support request was deleted, as it had been kept long enough' },
  SupportStatusSet: {
    audit: (d, owner) => `set ${owner ? `the support request of ${owner}` : 'a support request'} to ${asText(d.status)}`,
  },
}
