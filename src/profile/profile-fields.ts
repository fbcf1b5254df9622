import type { Profile } from '../../modules/instructors/contract.ts'

/** The fields of the profile form. */
export interface ProfileFields {
  type: Profile['type']
  skills: Profile['skills']
  slug: string
  about: string
  experience: string
}
