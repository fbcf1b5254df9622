import { INVITE_CODE_LENGTH } from '../../../modules/instructors/policy.ts'
import { READABLE_CODE_CHARACTERS } from '../../../modules/policy.ts'

const code = new RegExp(`(?:^|/)([${READABLE_CODE_CHARACTERS}]{${INVITE_CODE_LENGTH}})$`, 'i')

/** Returns the invite code if `text` is one or is a pasted link that ends with one, otherwise undefined. */
export const extractInviteCode = (text: string) => code.exec(text.trim())?.[1]?.toUpperCase()
