import type { Profile } from '../../modules/instructors/contract.ts'

/** What a profile lacks before players find it, in words. An account that came from elsewhere may lack any of it. */
export const missingProfileFields = ({ type, skills, user }: Pick<Profile, 'type' | 'skills' | 'user'>) => [
  ...(type.length ? [] : ['your sport']),
  ...(skills.length ? [] : ['your skills']),
  ...(user.profileSlug ? [] : ['the address of your page']),
]
