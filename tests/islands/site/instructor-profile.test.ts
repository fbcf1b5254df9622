import { describe, expect, test } from 'vitest'
import { answerTimeLabel } from '../../../src/instructors/labels.ts'
import { findInviteCode } from '../../../src/islands/connect-instructor/instructor-filter.ts'
import { clampCrop } from '../../../src/profile/CropDialog.tsx'
import { SLUG_PATTERN, suggestedSlugOf } from '../../../src/profile/slug.ts'

describe('instructors', () => {
  test.each([
    [' 2jgh9cbn ', '2JGH9CBN'],
    ['https://diamondlink.example/invite/2JGH9CBN', '2JGH9CBN'],
    ['Castillo', undefined],
    ['2JGH9CB', undefined],
    ['2JGH9CBN2', undefined],
  ])('have an invite code that is recognized in %s', (typed, code) => expect(findInviteCode(typed)).toBe(code))
  test('get a URL slug from their name', () => {
    expect(suggestedSlugOf('Ana María Díaz')).toBe('ana-maria-diaz')
    expect(suggestedSlugOf("  Pat O'Neil!  ")).toBe('pat-o-neil')
    expect(['ana-diaz', '9'].every(s => SLUG_PATTERN.test(s))).toBe(true)
    expect(['-ana', 'ana--d', 'Ana', 'ana ', ''].some(s => SLUG_PATTERN.test(s))).toBe(false)
  })
  test('have a response time in hours or days', () => {
    expect([null, 0.4, 3.2, 23, 30].map(answerTimeLabel)).toEqual([undefined, 'an hour', '4 hours', 'a day', '2 days'])
  })
})

test('a cropped photo always covers the square', () => {
  const wide = [2000, 1000] as const
  expect(clampCrop({ x: 9999, y: 50, zoom: 1 }, ...wide)).toEqual({ x: 140, y: 0, zoom: 1 })
  expect(clampCrop({ x: -9999, y: -9999, zoom: 2 }, ...wide)).toEqual({ x: -420, y: -140, zoom: 2 })
})
