import type { Profile } from '../../modules/instructors/contract.ts'

export interface ProfileFormValues {
  type: Profile['type']
  skills: Profile['skills']
  slug: string
  about: string
  experience: string
}
