import type { PersonalTextFields } from '../privacy/get-and-set-texts-by-path.ts'
import type { ConsentEvent } from './consent.ts'

/** The administrator's reason for changing a guardian is encrypted with the player's key. */
export const consentPersonalTextFields: PersonalTextFields<ConsentEvent> = {
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
