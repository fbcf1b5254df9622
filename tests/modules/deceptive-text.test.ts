import { expect, test } from 'vitest'
import {
  hasHiddenCharacters,
  hasVisibleCharacter,
  hasWebAddress,
  isPlainFirstName,
  withoutHiddenCharacters,
} from '../../modules/deceptive-text.ts'

test.each(['\u0000', '\u2028', '\u2029', '\u00ad', '\u200b', '\u202e', '\ufeff', '\u034f', '\u{e0001}'])(
  '%j is a hidden character and is removed everywhere',
  hidden => {
    expect(hasHiddenCharacters(`A${hidden}na`)).toBe(true)
    expect(withoutHiddenCharacters(`${hidden}An${hidden}a`)).toBe('Ana')
  },
)

test('letters, spaces, emoji and the two joiners are not hidden characters', () => {
  expect(['José 李', '👨‍👩‍👧', 'می\u200cخواهم', ''].filter(hasHiddenCharacters)).toEqual([])
})

test('a letter, digit or sign is visible; spaces, joiners and marks are not', () => {
  expect(['a', '7', '?', '€', ' a\u200b'].filter(text => !hasVisibleCharacter(text))).toEqual([])
  expect(['', ' ', '\u200d', '\u0301', '\u3164', '\u200b'].filter(hasVisibleCharacter)).toEqual([])
})

test('a scheme, www or a dot before two letters is a web address', () => {
  const addresses = ['x://y', 'WWW.1', 'www。1', 'bit.ly', 'a-.co', '1.co', 'evil．com', 'evil｡com', 'пример.рф', 'a.b1', 'a.b-']
  expect(addresses.filter(text => !hasWebAddress(text))).toEqual([])
  expect(['a.b', '3.5', 'vs. them', 'a .com', 'a:/b', 'www', 'wwwx'].filter(hasWebAddress)).toEqual([])
})

test('a plain first name is one or two words of letters, at most 20 characters', () => {
  const names = ['Ana', 'José', "D'Arcy", 'D’Arcy', 'Anne-Marie', 'Anna Lena', 'e\u0301', 'Li e\u0301', 'A'.repeat(20)]
  expect(names.filter(name => !isPlainFirstName(name))).toEqual([])
  expect(['', 'Ana1', 'Ana Lena May', 'Ana!', '1Ana', ' Ana', 'Ana ', 'Ana-', 'Ana-1', 'A'.repeat(21)].filter(isPlainFirstName)).toEqual([])
})
