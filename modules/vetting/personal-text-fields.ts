import type { PersonalTextFields } from '../privacy/get-and-set-texts-by-path.ts'
import type { VettingEvent } from './vetting.ts'

/** Administrators' texts about an instructor are encrypted with the instructor's key. */
export const vettingPersonalTextFields: PersonalTextFields<VettingEvent> = {
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
