import { expect, test } from 'vitest'
import { taglineOf } from '../../../modules/instructors/tagline.ts'

test("the tagline is the first sentence of an instructor's description", () => {
  expect(taglineOf('I teach hitters.\nTen years at 2.5 seconds.')).toBe('I teach hitters.')
  expect(taglineOf('  Hands first!  Then hips.')).toBe('Hands first!')
  expect(taglineOf('No full stop here')).toBe('No full stop here')
})
test('a long tagline is cut after a word, and an empty description has none', () => {
  const long = taglineOf('swing '.repeat(60))!
  expect(long.length).toBeLessThanOrEqual(161)
  expect(long).toMatch(/swing…$/)
  expect(taglineOf(' \n ')).toBeNull()
})
