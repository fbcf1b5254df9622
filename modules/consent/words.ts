import type { Words } from '../words.ts'
import type { ConsentEvent } from './consent.ts'

const optional = (value: unknown) => (Array.isArray(value) && value.length ? `, and to ${value.join(', ')}` : '')

export const consentWords: Words<ConsentEvent> = {
  ConsentAsked: { audit: () => 'asked a parent or guardian for consent' },
  ConsentGiven: { audit: d => `agreed that the player uses the service${optional(d.optional)}` },
  ConsentRefused: { audit: () => 'refused consent' },
  ConsentWithdrawn: {
    audit: d =>
      d.reviews === 'hand-back'
        ? 'withdrew consent, and had started reviews handed back'
        : 'withdrew consent; started reviews are finished',
  },
  GuardianshipEnded: { audit: () => 'ended the guardianship, as the player turned 18' },
  ConsentRenewed: { audit: d => `renewed the consent${optional(d.optional)}` },
}
