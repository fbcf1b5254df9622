import type { Instructor } from '../../../modules/instructors/contract.ts'
import { CODE_LENGTH, CODE_LETTERS } from '../../../modules/instructors/policy.ts'

export interface InstructorFilter {
  name: string
  sport: string
  skill: string
}
export const NO_FILTER: InstructorFilter = { name: '', sport: '', skill: '' }

const code = new RegExp(`(?:^|/)([${CODE_LETTERS}]{${CODE_LENGTH}})$`, 'i')

/** The invite code in a text, either alone or at the end of a pasted link; undefined if there is none. */
export const inviteCodeIn = (text: string) => code.exec(text.trim())?.[1]?.toUpperCase()

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The instructors whose name contains every word and who teach the sport and the skill; an empty field filters nothing. */
export function filterInstructors<I extends Pick<Instructor, 'user' | 'type' | 'skills'>>(
  list: readonly I[],
  { name, sport, skill }: InstructorFilter,
): I[] {
  const words = withoutAccents(name).split(/\s+/).filter(Boolean)
  return list.filter(i => {
    const own = withoutAccents(`${i.user.firstName} ${i.user.lastName}`)
    return (
      words.every(w => own.includes(w)) &&
      (!sport || (i.type as string[]).includes(sport)) &&
      (!skill || (i.skills as string[]).includes(skill))
    )
  })
}
