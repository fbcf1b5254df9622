import { expect, test } from 'vitest'
import { isPasswordOfPersonalWords, isTrivialPassword } from '../../../modules/accounts/guessable-passwords.ts'

test('the list has common passwords of at least eight characters, and no shorter ones', () => {
  expect(['football', 'sunshine1', 'soccer'].map(word => isTrivialPassword(word))).toEqual([true, true, false])
})

test.each([
  ['a listed password', 'sunshine1'],
  ['a listed password in capitals with spaces around it', '  FootBall '],
  ['a listed password in full-width characters', 'ｆｏｏｔｂａｌｌ'],
  ['a row of spaces', '        '],
  ['one repeated character', '♥♥♥♥♥♥♥♥'],
  ['two repeated characters', 'xqxqxqxq'],
  ['three repeated characters', 'xqzxqzxqz'],
  ['the email address', 'Ana.Garcia@example.com'],
  ['the part of the email address before the @', 'ANA.garcia'],
])('%s is a common password', (_, password) => {
  // If this test runs first, its first check loads the list. The second one uses the loaded list in any case.
  for (let n = 0; n < 2; n++) expect(isTrivialPassword(password, 'ana.garcia@example.com')).toBe(true)
})

test.each(['correct horse', 'sunshine1x', 'xqzvxqzv', 'xqxqxqx', 'ana.garcia@example.org', 'garcia', '\nfootball\n0'])(
  '%s is not a common password',
  password => {
    expect(isTrivialPassword(password, 'ana.garcia@example.com')).toBe(false)
  },
)

test('without account data, a password is only compared with the common ones', () => {
  expect([isTrivialPassword('example.com'), isTrivialPassword('a rather long one')]).toEqual([false, false])
})

const ana = { email: 'ana.garcia@strikes.example', firstName: 'José Luis', lastName: "O'Neil-García" }

test.each([
  ['the name of the site', 'DiamondLink'],
  ['the name of the site and a year', 'diamond-link 2026!'],
  ['the password of the demo accounts', 'extra-innings'],
  ['half of the name of the site, and a number', 'Diamond1234'],
  ['the other half, twice', 'link-link'],
  ['the word for a demo', 'demodemo'],
  ['words of the sport', 'BaseballSwing1'],
  ['the sports', 'softball+baseball'],
  ['the skills', 'hitting pitching fielding catching'],
  ['the roles', 'player instructor coach admin'],
  ['the first name, twice', 'josejose'],
  ['the whole name, without accents', 'jose luis garcia'],
  ['the whole name, with accents', 'José Luis García'],
  ['a part of the last name and a birthday', 'garcia05051990'],
  ['a name in full-width letters', 'ｇａｒｃｉａ１'],
  ['the email address without punctuation', 'anagarciastrikes'],
  ['a name from the email address and a word of the site', 'ana.baseball'],
])('%s can be guessed from site, name and email', (_, password) => {
  expect(isPasswordOfPersonalWords(password, ana)).toBe(true)
})

test.each([
  ['other words', 'correct horse'],
  ['a word of the site among others', 'diamond rings shine'],
  ['the own name among other words', 'garcia loves pie'],
  ['the own name after another word', 'lovely garcia'],
  ['more digits than a date has', 'garcia 840295716'],
  ['a password of digits only', '84029571'],
  ['somebody else’s name', 'miller1990'],
  ['a password of punctuation only', '!?!?!-+*'],
])('%s cannot be guessed from site, name and email', (_, password) => {
  expect(isPasswordOfPersonalWords(password, ana)).toBe(false)
})

test('a word of a name or email address has at least two letters', () => {
  expect(isPasswordOfPersonalWords('bolibolibo', { firstName: 'Bo', lastName: 'Li' })).toBe(true)
  expect(isPasswordOfPersonalWords('garciajjj', { email: 'j.garcia@strikes.example' })).toBe(false)
})

test('an unknown detail of the owner is not a word', () => {
  expect(isPasswordOfPersonalWords('garcia1990', { lastName: 'García' })).toBe(true)
  expect(['undefined', 'null'].map(word => isPasswordOfPersonalWords(`garcia ${word}`, { lastName: 'García' }))).toEqual([false, false])
  expect([isPasswordOfPersonalWords('diamond 2026'), isPasswordOfPersonalWords('garcia1990')]).toEqual([true, false])
})

test('checking repetitive names does not take exponential time', () => {
  const owner = { email: `${'a'.repeat(40)}@a.example`, firstName: 'Aa Aaa Aaaa', lastName: 'Aaaaa' }
  expect(isPasswordOfPersonalWords(`${'a'.repeat(199)}x`, owner)).toBe(false)
  expect(isPasswordOfPersonalWords('a'.repeat(200), owner)).toBe(true)
})
