import { type EventSentences, textOrEmpty } from '../event-sentence-types.ts'
import type { CheckKind } from '../instructors/contract.ts'
import type { VettingEvent } from './vetting.ts'

/** What each check is called in sentences. */
export const CHECK_NAMES: Record<CheckKind, string> = {
  identity: 'identity',
  background: 'background check',
  certificate: 'coaching certificate',
  safesport: 'SafeSport training',
  reference: 'reference',
}
const checkName = (check: unknown) => CHECK_NAMES[check as CheckKind] ?? 'check'

const INSTRUCTOR = 'an instructor'

export const vettingEventSentences: EventSentences<VettingEvent> = {
  EmailConfirmed: { audit: () => 'confirmed the email address' },
  CheckRecorded: {
    audit: (d, owner = INSTRUCTOR) =>
      `recorded the ${checkName(d.check)} of ${owner}, done ${textOrEmpty(d.checked)}, ${textOrEmpty(d.reference)}${textOrEmpty(d.expires) && `, expires ${d.expires}`}`,
  },
  CheckWithdrawn: { audit: (d, owner = INSTRUCTOR) => `withdrew the ${checkName(d.check)} of ${owner}: “${textOrEmpty(d.reason)}”` },
  InstructorApproved: { audit: (_, owner = INSTRUCTOR) => `approved ${owner}` },
  InstructorDeclined: { audit: (d, owner = INSTRUCTOR) => `declined ${owner}: “${textOrEmpty(d.reason)}”` },
  InstructorSuspended: { audit: (d, owner = INSTRUCTOR) => `suspended ${owner}: “${textOrEmpty(d.reason)}”` },
  InstructorReinstated: { audit: (d, owner = INSTRUCTOR) => `reinstated ${owner}, who is ${textOrEmpty(d.status)} again` },
  InstructorFeatured: {
    audit: (d, owner = INSTRUCTOR) =>
      textOrEmpty(d.until) ? `featured ${owner} until ${textOrEmpty(d.until).slice(0, 10)}` : `stopped featuring ${owner}`,
  },
}
