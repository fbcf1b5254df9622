import type { Instructor } from '../../../modules/instructors/contract.ts'
import { CODE_LENGTH, CODE_LETTERS } from '../../../modules/instructors/policy.ts'

export interface Filter {
  name: string
  sport: string
  skill: string
}
export const everyone: Filter = { name: '', sport: '', skill: '' }

const code = new RegExp(`(?:^|/)([${CODE_LETTERS}]{${CODE_LENGTH}})$`, 'i')

/** The invite code that was typed, or is at the end of the link that was pasted. */
export const codeIn = (text: string) => code.exec(text.trim())?.[1]?.toUpperCase()

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Those whose name contains the words, who teach the sport and the skill; an empty field asks for nothing. */
export function filtered<I extends Pick<Instructor, 'user' | 'type' | 'skills'>>(list: readonly I[], { name, sport, skill }: Filter): I[] {
  const words = plain(name).split(/\s+/).filter(Boolean)
  return list.filter(i => {
    const own = plain(`${i.user.firstName} ${i.user.lastName}`)
    return (
      words.every(w => own.includes(w)) &&
      (!sport || (i.type as string[]).includes(sport)) &&
      (!skill || (i.skills as string[]).includes(skill))
    )
  })
}
