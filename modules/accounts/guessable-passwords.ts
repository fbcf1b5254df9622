import { readFileSync } from 'node:fs'
import { MIN_PASSWORD_LENGTH } from './policy.ts'

/** The common passwords that are long enough for us, one per line. A single string takes a tenth of the memory of a set. */
let list: string | undefined
const isListed = (password: string) => {
  list ??= read()
  return list.includes(`\n${password}\n`)
}

function read() {
  const file = new URL('../src/passwords.json', import.meta.resolve('@zxcvbn-ts/language-common'))
  const words: string[] = JSON.parse(readFileSync(file, 'utf8'))
  return `\n${words
    .filter(word => word.length >= MIN_PASSWORD_LENGTH)
    .join('\n')
    .toLowerCase()}\n`
}

/** The words that an attacker would try first on this site: its name, its sports and roles, the demo password. */
const SITE_WORDS = [
  ...['diamond', 'link', 'baseball', 'softball', 'hitting', 'pitching', 'fielding', 'catching'],
  ...['swing', 'player', 'instructor', 'coach', 'admin', 'demo', 'extra', 'innings'],
]
/** Adding a birthday or a year to known words does not make a password stronger; adding more digits than this does. */
const MAX_DIGITS_BESIDE_WORDS = 8
/** Shorter parts of a name or an address, such as the `j` of j.garcia, do not count as words. */
const MIN_WORD_LENGTH = 2

/** What is known about the owner of a password. */
export interface PasswordOwner {
  email?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
}

/**
 * Whether this password is among the first that an attacker would try: a common one in any capitalization, with any spaces around it, up to
 * three characters repeated, or the account's own address or the part of it before the @.
 * @param email in lower case
 */
export function isTrivialPassword(password: string, email?: string): boolean {
  const bare = password.normalize('NFKC').trim().toLowerCase()
  return /^(.{0,3}?)\1*$/su.test(bare) || [email, email?.split('@')[0]].includes(bare) || isListed(bare)
}

/**
 * Whether the password consists only of words of this site and of the owner's names and address, apart from punctuation and at most
 * `MAX_DIGITS_BESIDE_WORDS` digits. False for a password without letters.
 */
export function isPasswordOfPersonalWords(password: string, { email, firstName, lastName }: PasswordOwner = {}): boolean {
  const letters = folded(password).replaceAll(/[^\p{L}\p{N}]/gu, '')
  const digits = letters.replaceAll(/\P{N}/gu, '').length
  if (digits > MAX_DIGITS_BESIDE_WORDS || digits === letters.length) return false
  const personalWords = folded([email, firstName, lastName].join(' ')).split(/[^\p{L}\p{N}]/u)
  const words = [...SITE_WORDS, ...personalWords.filter(word => word.length >= MIN_WORD_LENGTH)]
  // reached[i]: the first i characters are words and digits only. Dynamic programming checks each position once, however the words overlap.
  const reached = [true]
  for (let end = 1; end <= letters.length; end++) {
    reached[end] =
      (/\p{N}/u.test(letters[end - 1]!) && reached[end - 1]!) ||
      words.some(word => reached[end - word.length] === true && letters.endsWith(word, end))
  }
  return reached[letters.length]!
}

/** Normalizes a text for the comparison with words: lower case, no accents, full-width letters as ordinary ones. */
const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
