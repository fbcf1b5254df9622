import { describe, expect, test } from 'vitest'
import { formatCents } from '../../../modules/format-text.ts'
import { answerTimeLabel } from '../../../src/instructors/labels.ts'
import { findInviteCode } from '../../../src/islands/connect-instructor/instructor-filter.ts'
import { emailProblem } from '../../../src/islands/landing/email-problem.ts'
import { faqQuestions } from '../../../src/layouts/faq-questions.ts'
import { clampCrop } from '../../../src/profile/CropDialog.tsx'
import { SLUG_PATTERN, suggestedSlugOf } from '../../../src/profile/slug.ts'
import { formatRelativeTime } from '../../../src/ui/relative-time.tsx'

describe('the email on the landing page', () => {
  test.each([
    ['a@b.', 'Please enter a valid email address'],
    ['player.example.com', 'Please enter a valid email address'],
    [`${'a'.repeat(250)}@b.co`, 'Email address is too long'],
    ['someone@GRR.la', 'Please use your regular email address'],
    ['  someone@example.com ', undefined],
    ['someone@notgrr.la', undefined],
  ])('%s gives: %s', (address, problem) => expect(emailProblem(address)).toBe(problem))
})

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

test('a time is shown relative to now', () => {
  const now = Date.parse('2025-05-05T12:00:00Z')
  const at = (text: string) => formatRelativeTime(Date.parse(text), now)
  expect(at('2025-05-05T11:59:31Z')).toBe('just now')
  // The device's clock may be slow, so a time may lie in the future.
  expect(at('2025-05-05T12:04:59Z')).toBe('just now')
  expect(at('2025-05-05T11:58:00Z')).toBe('2 minutes ago')
  expect(at('2025-05-05T11:00:01Z')).toBe('59 minutes ago')
  expect(at('2025-05-04T13:20:00Z')).toBe('22 hours ago')
  expect(at('2025-05-04T11:00:00Z')).toBe('yesterday')
  expect(at('2025-05-06T12:00:00Z')).toBe('tomorrow')
  expect(at('2025-02-01T12:00:00Z')).toBe('3 months ago')
})

test('an amount of money always shows cents', () => {
  expect([0, 5, 1500, 123_456].map(formatCents)).toEqual(['$0.00', '$0.05', '$15.00', '$1,234.56'])
})

test('the FAQ has ten questions with unique ids', () => {
  expect(faqQuestions).toHaveLength(10)
  expect(new Set(faqQuestions.map(q => q.id)).size).toBe(10)
})
