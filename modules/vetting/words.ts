import type { CheckKind } from '../instructors/contract.ts'
import { asText, type Words } from '../words.ts'
import type { VettingEvent } from './vetting.ts'

/** What a check is called in a sentence. */
export const CHECK_NAMES: Record<CheckKind, string> = {
  identity: 'identity',
  background: 'background check',
  certificate: 'coaching certificate',
  safesport: 'SafeSport training',
  reference: 'reference',
}
const named = (check: unknown) => CHECK_NAMES[check as CheckKind] ?? 'check'

export const vettingWords: Words<VettingEvent> = {
  EmailConfirmed: { audit: () => 'confirmed the email address' },
  CheckRecorded: {
    audit: d =>
      `recorded an instructor's ${named(d.check)}, done ${asText(d.checked)}, ${asText(d.reference)}${asText(d.expires) && `, expires ${d.expires}`}`,
  },
  CheckWithdrawn: { audit: d => `withdrew an instructor's ${named(d.check)}: “${asText(d.reason)}”` },
  InstructorApproved: { audit: () => 'approved an instructor' },
  InstructorDeclined: { audit: d => `declined an instructor: “${asText(d.reason)}”` },
  InstructorSuspended: { audit: d => `suspended an instructor: “${asText(d.reason)}”` },
  InstructorReinstated: { audit: d => `reinstated an instructor, who is ${asText(d.status)} again` },
  InstructorFeatured: {
    audit: d => (asText(d.until) ? `featured an instructor until ${asText(d.until).slice(0, 10)}` : 'ended that an instructor is featured'),
  },
}
