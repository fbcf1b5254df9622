import { readFileSync } from 'node:fs'
import { MIN_PASSWORD_LENGTH } from './policy.ts'

/** Every password of a kept list that is long enough for us, a line each: one string is a tenth of what a set of them would take. */
let list: string | undefined
const listed = (password: string) => {
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

/** What somebody who guesses passwords of this site would try first: its name, its sports, and the password of the demo. */
const SITE_WORDS = [
  ...['diamondlink', 'diamond', 'link', 'baseball', 'softball', 'hitting', 'pitching', 'fielding', 'catching'],
  ...['swing', 'player', 'instructor', 'coach', 'admin', 'demo', 'extra', 'innings'],
]
/** Digits beside known words, such as a birthday or a year, make a password no harder to guess; more of them do. */
const MAX_DIGITS_BESIDE_WORDS = 8
/** Shorter parts of a name or an address, such as the `j` of j.garcia, are no words. */
const MIN_WORD_LENGTH = 2

/** Who will have a password, as far as that is known. */
export interface PasswordOwner {
  email?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
}

/**
 * Is this among the first that somebody who guesses would try? One that many people have, whatever its capitals and the blanks around it;
 * the same few characters again and again; the account's own address.
 */
export function isCommonPassword(password: string, email = ''): boolean {
  const bare = password.normalize('NFKC').trim().toLowerCase()
  return /^(.{0,3}?)\1*$/su.test(bare) || [email, email.split('@')[0]].includes(bare) || listed(bare)
}

/**
 * Is it made of nothing but words of this site, of its owner's names and of their address, with at most a date's worth of digits and any marks
 * between them?
 */
export function isMadeOfOwnWords(password: string, { email = '', firstName = '', lastName = '' }: PasswordOwner = {}): boolean {
  const letters = folded(password).replaceAll(/[^\p{L}\p{N}]/gu, '')
  const digits = letters.replaceAll(/\P{N}/gu, '').length
  if (digits > MAX_DIGITS_BESIDE_WORDS || digits === letters.length) return false
  const theirs = folded(`${email} ${firstName} ${lastName}`).split(/[^\p{L}\p{N}]+/u)
  const words = [...SITE_WORDS, ...theirs.filter(word => word.length >= MIN_WORD_LENGTH)]
  // Whether the letters up to each place are words and digits alone: every place is looked at once, however the words overlap.
  const reached = [true]
  for (let end = 1; end <= letters.length; end++) {
    reached[end] =
      (/\p{N}/u.test(letters[end - 1]!) && reached[end - 1]!) ||
      words.some(word => reached[end - word.length] === true && letters.endsWith(word, end))
  }
  return reached[letters.length]!
}

/** Without what many people leave out when they type: capitals, accents, the width of a letter. */
const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
