/** The third parties that a guardian's consent covers. The service cannot run without them. */
export const COVERED_THIRD_PARTIES = [
  { id: 'payment', name: 'Stripe', purpose: 'takes card payments; it gets the name and email of the account' },
  { id: 'mail', name: 'Resend', purpose: 'delivers our emails; it gets their text and addresses' },
  { id: 'storage', name: 'our storage provider', purpose: 'stores the videos, pictures and voice-overs' },
] as const
export type CoveredThirdPartyId = (typeof COVERED_THIRD_PARTIES)[number]['id']
export const COVERED_THIRD_PARTY_IDS = COVERED_THIRD_PARTIES.map(party => party.id)

/** The optional purposes: a guardian chooses each one separately, and none is on by default. */
export const OPTIONAL_CONSENT_PURPOSES = [
  { id: 'news', label: 'Email my child news about the service', hint: 'We do not send any now, and never will unless you check this.' },
] as const
export type OptionalPurpose = (typeof OPTIONAL_CONSENT_PURPOSES)[number]['id']
