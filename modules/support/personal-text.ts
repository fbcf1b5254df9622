import type { PersonalText } from '../privacy/personal-text.ts'
import type { SupportEvent } from './request.ts'

/** A request and its answers are of the person who asked. */
export const supportText: PersonalText<SupportEvent> = {
  stream: 'request',
  person: first => (first as Extract<SupportEvent, { type: 'SupportRequested' }>).data.by,
  fields: {
    SupportRequested: ['content', 'deviceInfo', 'suggestedSolution'],
    SupportAnswered: ['answer'],
    SupportStatusSet: [],
  },
}
