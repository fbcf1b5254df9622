import type { Profile } from '../../modules/instructors/contract.ts'

/** What an instructor's profile lacks before players can find it, in words. Imported accounts may lack any of these. */
export const missingProfileFields = ({ type, skills, user }: Pick<Profile, 'type' | 'skills' | 'user'>) => [
  ...(type.length ? [] : ['your sport']),
  ...(skills.length ? [] : ['your skills']),
  ...(user.profileSlug ? [] : ['the address of your page']),
]
