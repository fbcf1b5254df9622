import type { PersonalText } from '../privacy/personal-text.ts'
import type { SupportEvent } from './request.ts'

/** A request has a key of its own, so that it can be deleted while the account of whoever asked stays. */
export const supportText: PersonalText<SupportEvent> = {
  stream: 'request',
  person: 'id',
  fields: {
    SupportRequested: ['content', 'deviceInfo', 'suggestedSolution'],
    SupportAnswered: ['answer'],
    SupportStatusSet: [],
    SupportRequestDeleted: [],
  },
}
