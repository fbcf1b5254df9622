import { randomInt } from 'node:crypto'
import { READABLE_CODE_CHARACTERS } from './policy.ts'

/** A random code of `length` characters that people can read aloud and type. */
export const randomCode = (length: number): string =>
  Array.from({ length }, () => READABLE_CODE_CHARACTERS[randomInt(READABLE_CODE_CHARACTERS.length)]).join('')
