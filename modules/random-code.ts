import { randomInt } from 'node:crypto'
import { CODE_CHARACTERS } from './policy.ts'

/** A random code of this length, which people can read aloud and type. */
export const randomCode = (length: number): string =>
  Array.from({ length }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('')
