import type { Profile } from '../../modules/instructors/contract.ts'

/**
 * Names what an instructor's profile still needs before players can find it. Registration sets all of these fields, but an account that was
 * imported into the database may lack any of them.
 */
export const missingProfileFields = ({ type, skills, user }: Pick<Profile, 'type' | 'skills' | 'user'>) => [
  ...(type.length ? [] : ['your sport']),
  ...(skills.length ? [] : ['your skills']),
  ...(user.profileSlug ? [] : ["your profile's web address"]),
]
