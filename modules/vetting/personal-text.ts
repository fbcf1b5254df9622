import type { PersonalText } from '../privacy/personal-text.ts'
import type { VettingEvent } from './vetting.ts'

/** What administrators wrote about an instructor is of that instructor. */
export const vettingText: PersonalText<VettingEvent> = {
  stream: 'vetting',
  person: 'id',
  fields: {
    EmailConfirmed: [],
    CheckRecorded: ['reference'],
    CheckWithdrawn: ['reason'],
    InstructorApproved: [],
    InstructorDeclined: ['reason'],
    InstructorSuspended: ['reason'],
    InstructorReinstated: [],
    InstructorFeatured: [],
  },
}
