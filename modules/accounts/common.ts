import { readFileSync } from 'node:fs'
import { PASSWORD_LENGTH } from './policy.ts'

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
    .filter(word => word.length >= PASSWORD_LENGTH)
    .join('\n')
    .toLowerCase()}\n`
}

/**
 * Is this among the first that somebody who guesses would try? One that many people have, whatever its capitals and the blanks around it;
 * the same few characters again and again; the account's own address.
 */
export function isCommon(password: string, email = ''): boolean {
  const bare = password.normalize('NFKC').trim().toLowerCase()
  return /^(.{0,3}?)\1*$/su.test(bare) || [email, email.split('@')[0]].includes(bare) || listed(bare)
}
