import type { Profile } from '../../modules/instructors/contract.ts'

/** What an instructor fills in about themselves. */
export interface ProfileFields {
  type: Profile['type']
  skills: Profile['skills']
  slug: string
  about: string
  experience: string
}
