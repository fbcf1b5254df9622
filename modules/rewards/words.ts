import { countWithNoun, type Words } from '../words.ts'
import type { PerksEvent } from './perks.ts'

export const rewardWords: Words<PerksEvent> = {
  CreditsAdded: { audit: d => `got ${countWithNoun(d.folders, 'folder')} of credit` },
  CreditsRevoked: { audit: d => `lost ${countWithNoun(d.folders, 'folder')} of credit` },
  CreditsRestored: { audit: d => `got ${countWithNoun(d.folders, 'folder')} of credit back` },
  PointsEarned: { audit: d => `earned ${Number(d.points)} points` },
  TermsReserved: { audit: () => 'fixed the terms of an assignment' },
  TermsKept: { audit: () => 'kept the terms of an assignment' },
  TermsReturned: { audit: () => 'gave the terms of an assignment back' },
}
