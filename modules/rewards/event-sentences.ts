import type { EventSentences } from '../event-sentence-types.ts'
import { countWithNoun } from '../format-cents-and-counts.ts'
import type { CreditsAndPointsEvent } from './credits-and-points-decider.ts'

/** The part of an event sentence that names the discounts reserved for an assignment. */
function spent(terms: { credit?: boolean; referral?: boolean; points?: number } = {}): string {
  if (terms.credit) return 'used a session of a package'
  const parts = [terms.referral && "a friend's discount", terms.points && `${terms.points} points`].filter(Boolean)
  return parts.length ? `used ${parts.join(' and ')} for a session` : 'got a fixed price for a session'
}

export const rewardEventSentences: EventSentences<CreditsAndPointsEvent> = {
  CreditsAdded: { subject: 'owner', audit: d => `was given ${countWithNoun(d.folders, 'session')} by a package` },
  CreditsRevoked: { subject: 'owner', audit: d => `lost ${countWithNoun(d.folders, 'session')} of a package, because it was refunded` },
  CreditsRestored: { subject: 'owner', audit: d => `got ${countWithNoun(d.folders, 'session')} of a package back` },
  PointsEarned: { subject: 'owner', audit: d => `earned ${Number(d.points)} points because a friend paid for a first session` },
  TermsReserved: { subject: 'owner', audit: d => spent(d.terms as Parameters<typeof spent>[0]) },
  TermsKept: { subject: 'owner', audit: () => 'tried the assignment again at the same price' },
  TermsReturned: { subject: 'owner', audit: () => 'got back the discount of a session that did not happen' },
}
