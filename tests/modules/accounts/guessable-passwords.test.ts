import { expect, test } from 'vitest'
import { isCommonPassword, isPasswordOfPersonalWords } from '../../../modules/accounts/guessable-passwords.ts'

// The list is loaded here, because one test checks its content.
test('the list has common passwords of every allowed length, and no shorter ones', () => {
  expect(['football', 'sunshine1', 'soccer'].map(word => isCommonPassword(word))).toEqual([true, true, false])
})

test.each([
  ['one of the list', 'sunshine1'],
  ['one of the list in capitals, with blanks around it', '  FootBall '],
  ['one of the list, in another composition of its characters', 'ｆｏｏｔｂａｌｌ'],
  ['blanks', '        '],
  ['one character again and again', '♥♥♥♥♥♥♥♥'],
  ['two characters again and again', 'xqxqxqxq'],
  ['three characters again and again', 'xqzxqzxqz'],
  ['the address', 'Ana.Garcia@example.com'],
  ['what stands before its @', 'ANA.garcia'],
])('%s is a common password', (_, password) => {
  // The first check loads the list; the second uses the loaded one.
  for (let n = 0; n < 2; n++) expect(isCommonPassword(password, 'ana.garcia@example.com')).toBe(true)
})

test.each(['correct horse', 'sunshine1x', 'xqzvxqzv', 'xqxqxqx', 'ana.garcia@example.org', 'garcia', '\nfootball\n0'])(
  '%s is not a common password',
  password => {
    expect(isCommonPassword(password, 'ana.garcia@example.com')).toBe(false)
  },
)

test('without an account, a password is checked against common ones only', () => {
  expect([isCommonPassword('example.com'), isCommonPassword('a rather long one')]).toEqual([false, false])
})

const ana = { email: 'ana.garcia@strikes.example', firstName: 'José Luis', lastName: "O'Neil-García" }

test.each([
  ['the name of the site', 'DiamondLink'],
  ['the name of the site and a year', 'diamond-link 2026!'],
  ['the password of the demo', 'extra-innings'],
  ['words of the sport', 'BaseballSwing1'],
  ['the first name, twice', 'josejose'],
  ['the whole name, without accents', 'jose luis garcia'],
  ['the whole name, with accents', 'José Luis García'],
  ['a part of the last name and a birthday', 'garcia05051990'],
  ['a name in wide letters', 'ｇａｒｃｉａ１'],
  ['the address without its marks', 'anagarciastrikes'],
  ['a name of the address and a word of the site', 'ana.baseball'],
])('%s can be guessed from site, name and email', (_, password) => {
  expect(isPasswordOfPersonalWords(password, ana)).toBe(true)
})

test.each([
  ['other words', 'correct horse'],
  ['a word of the site among others', 'diamond rings shine'],
  ['the own name among others', 'garcia loves pie'],
  ['more digits than a date has', 'garcia 840295716'],
  ['digits alone, of which the list decides', '84029571'],
  ['somebody else’s name', 'miller1990'],
  ['marks alone', '!?!?!-+*'],
])('%s cannot be guessed from site, name and email', (_, password) => {
  expect(isPasswordOfPersonalWords(password, ana)).toBe(false)
})

test('the check takes no exponential time for repetitive names', () => {
  const owner = { email: `${'a'.repeat(40)}@a.example`, firstName: 'Aa Aaa Aaaa', lastName: 'Aaaaa' }
  expect(isPasswordOfPersonalWords(`${'a'.repeat(199)}x`, owner)).toBe(false)
  expect(isPasswordOfPersonalWords('a'.repeat(200), owner)).toBe(true)
})
