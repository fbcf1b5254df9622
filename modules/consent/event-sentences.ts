import type { EventSentences } from '../event-sentence-types.ts'
import type { ConsentEvent } from './consent.ts'

const optional = (value: unknown) => (Array.isArray(value) && value.length ? `, and to ${value.join(', ')}` : '')

const forWhom = (owner: string | undefined) => (owner ? ` for ${owner}` : '')

export const consentEventSentences: EventSentences<ConsentEvent> = {
  ConsentAsked: { subject: 'owner', audit: () => 'asked a parent or guardian for consent' },
  ConsentGiven: { audit: (d, owner = 'the player') => `agreed to let ${owner} use the service${optional(d.optional)}` },
  ConsentRefused: { audit: (_, owner) => `refused consent${forWhom(owner)}` },
  ConsentWithdrawn: {
    audit: (d, owner) =>
      d.reviews === 'hand-back'
        ? `withdrew consent${forWhom(owner)}, and had started reviews returned`
        : `withdrew consent${forWhom(owner)}; started reviews are finished`,
  },
  GuardianChanged: {
    audit: (d, owner = 'the player') =>
      typeof d.reason === 'string' && d.reason
        ? `changed the parent or guardian of ${owner}: “${d.reason}”`
        : `named another parent or guardian for ${owner}`,
  },
  GuardianshipEnded: { audit: (_, owner = 'the player') => `ended the guardianship of ${owner}, who turned 18` },
  ConsentRenewed: { audit: (d, owner) => `renewed consent${forWhom(owner)}${optional(d.optional)}` },
}
