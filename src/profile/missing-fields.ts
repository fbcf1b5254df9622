import type { Profile } from '../../modules/instructors/contract.ts'

/** Names what an instructor's profile lacks before players can find it. Imported accounts may lack any of these fields. */
export const missingProfileFields = ({ type, skills, user }: Pick<Profile, 'type' | 'skills' | 'user'>) => [
  ...(type.length ? [] : ['your sport']),
  ...(skills.length ? [] : ['your skills']),
  ...(user.profileSlug ? [] : ["your profile's web address"]),
]
