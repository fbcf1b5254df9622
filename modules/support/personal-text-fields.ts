import type { PersonalTextFields } from '../privacy/get-and-set-texts-by-path.ts'
import type { SupportEvent } from './support-request.ts'

/** The texts of each request are encrypted with a key of their own, so that they can be deleted while the account stays. */
export const supportPersonalTextFields: PersonalTextFields<SupportEvent> = {
  stream: 'request',
  person: 'id',
  fields: {
    SupportRequested: ['content', 'deviceInfo', 'suggestedSolution'],
    SupportAnswered: ['answer'],
    SupportStatusSet: [],
    SupportRequestDeleted: [],
  },
}
