import type { Instructor } from '../../../modules/instructors/contract.ts'

export interface Filter {
  name: string
  sport: string
  skill: string
}
export const everyone: Filter = { name: '', sport: '', skill: '' }

/** The invite code that was typed, or is at the end of the link that was pasted: eight letters and figures, none mistaken for another. */
export const codeIn = (text: string) => /(?:^|\/)([2-9A-HJKMNP-TV-Z]{8})$/i.exec(text.trim())?.[1]?.toUpperCase()

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
