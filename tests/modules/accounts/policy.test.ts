import { describe, expect, test } from 'vitest'
import { ageOn, dateOfAdulthood, isValidPersonName } from '../../../modules/accounts/policy.ts'

describe('the age of a person', () => {
  test.each([
    ['2010-06-15', '2023-06-14', 12],
    ['2010-06-15', '2023-06-15', 13],
    ['2012-02-29', '2025-02-28', 12],
    ['2012-02-29', '2025-03-01', 13],
    ['2010-12-31', '2011-01-01', 0],
  ])('born on %s, on %s: %i', (born, day, years) => {
    expect(ageOn(born, new Date(`${day}T12:00:00Z`))).toBe(years)
  })
})

test('a name has letters of any script with separators, and cannot look like a link', () => {
  const names = [
    'Ana',
    'Zoë O’Hara',
    "D'Arcy-Wu, Jr.",
    'J.R. Smith',
    'Jose\u0301',
    'राम',
    '大谷 翔平',
    'Núria Col·lell',
    'Ken 3',
    'José',
    "O'Neil",
    '李',
    'Anne-Marie',
    'St. John',
    'J.R.',
    'می\u200cخواهم',
    'A',
  ]
  for (const name of names) expect([name, isValidPersonName(name)]).toEqual([name, true])
  const none = [
    '',
    ' ',
    '7',
    '...',
    '´´',
    'Ana <b>',
    'Ana\nBo',
    'Ana!',
    '!Ana',
    'win.example',
    'bit.ly',
    'Ana\u202e',
    '\u200b',
    'A\u200bna',
    '\u3164',
    'A\u115fna',
    'See win.example now',
    'a@b',
    'Ana: x',
    'Ana/Bo',
    '€',
  ]
  for (const name of none) expect([name, isValidPersonName(name)]).toEqual([name, false])
})

test('people come of age on their 18th birthday, or March 1 if born on February 29', () => {
  expect(dateOfAdulthood('2010-12-31')).toBe('2028-12-31')
  expect(dateOfAdulthood('2008-01-01')).toBe('2026-01-01')
  expect(dateOfAdulthood('2008-02-29')).toBe('2026-03-01')
})
