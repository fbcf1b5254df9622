import { INVITE_CODE_CHARACTERS, INVITE_CODE_LENGTH } from '../../../modules/instructors/policy.ts'

/** How long typing must pause before the search is sent, in ms. */
export const SEARCH_DEBOUNCE_MS = 200

export interface InstructorFilter {
  name: string
  sport: string
  skill: string
}
export const EMPTY_INSTRUCTOR_FILTER: InstructorFilter = { name: '', sport: '', skill: '' }

const code = new RegExp(`(?:^|/)([${INVITE_CODE_CHARACTERS}]{${INVITE_CODE_LENGTH}})$`, 'i')

/** The invite code in a text, either alone or at the end of a pasted link; undefined if there is none. */
export const findInviteCode = (text: string) => code.exec(text.trim())?.[1]?.toUpperCase()
