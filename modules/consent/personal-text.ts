import type { PersonalText } from '../privacy/personal-text.ts'
import type { ConsentEvent } from './consent.ts'

/** Why an administrator changed a player's guardian is of that player. */
export const consentText: PersonalText<ConsentEvent> = {
  stream: 'consent',
  person: 'id',
  fields: {
    ConsentAsked: [],
    ConsentGiven: [],
    ConsentRefused: [],
    ConsentWithdrawn: [],
    ConsentRenewed: [],
    GuardianChanged: ['reason'],
    GuardianshipEnded: [],
  },
}
