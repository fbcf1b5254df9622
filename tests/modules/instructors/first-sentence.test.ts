import { expect, test } from 'vitest'
import { firstSentenceOf } from '../../../modules/instructors/first-sentence.ts'

test("the tagline is the first sentence of an instructor's description", () => {
  expect(firstSentenceOf('I teach hitters.\nTen years at 2.5 seconds.')).toBe('I teach hitters.')
  expect(firstSentenceOf('  Hands first!  Then hips.')).toBe('Hands first!')
  expect(firstSentenceOf('No full stop here')).toBe('No full stop here')
})
test('a long tagline is cut after a word, and an empty description has none', () => {
  const long = firstSentenceOf('swing '.repeat(60))!
  expect(long.length).toBeLessThanOrEqual(161)
  expect(long).toMatch(/swing…$/)
  expect(firstSentenceOf(' \n ')).toBeNull()
})
