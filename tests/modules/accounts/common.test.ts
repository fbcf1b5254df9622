import { expect, test } from 'vitest'
import { isCommon } from '../../../modules/accounts/common.ts'

// The list is read here: what it holds is asked in one test.
test('the list has what is long enough to be a password, the shortest too, and nothing shorter', () => {
  expect(['football', 'sunshine1', 'soccer'].map(word => isCommon(word))).toEqual([true, true, false])
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
])('%s is common', (_, password) => {
  // The list is read at the first question, and asked again.
  for (let n = 0; n < 2; n++) expect(isCommon(password, 'ana.garcia@example.com')).toBe(true)
})

test.each(['correct horse', 'sunshine1x', 'xqzvxqzv', 'xqxqxqx', 'ana.garcia@example.org', 'garcia', '\nfootball\n0'])(
  '%s is not',
  password => {
    expect(isCommon(password, 'ana.garcia@example.com')).toBe(false)
  },
)

test('who has no address yet has none that could be guessed', () => {
  expect([isCommon('example.com'), isCommon('a rather long one')]).toEqual([false, false])
})
