import { expect, it, test } from 'vitest'
import { formatCents } from '../../modules/format-cents-and-counts.ts'
import {
  formatBytes,
  formatClockHundredths,
  formatDurationMsAsClock,
  formatMillisecondsAsClock,
  formatTimeLeft,
} from '../../src/ui/format-duration-and-size.ts'
import { formatRelativeTime } from '../../src/ui/relative-time.tsx'

it.each([
  [0, '0:00'],
  [7430, '0:07'],
  [760_000, '12:40'],
  [3_723_000, '1:02:03'],
])('%i ms are shown as %s', (ms, words) => expect(formatMillisecondsAsClock(ms)).toBe(words))
it.each([
  [900, '0:01'],
  [7430, '0:07'],
])('a duration of %i ms is shown as %s', (ms, words) => expect(formatDurationMsAsClock(ms)).toBe(words))
it('formatClockHundredths shows minutes, seconds and hundredths, rounded down', () => expect(formatClockHundredths(7439)).toBe('0:07.43'))
it.each([
  [10, '1 KB'],
  [5 * 1024 * 1024, '5.0 MB'],
  [45 * 1024 * 1024, '45 MB'],
  [1.5 * 1024 ** 3, '1.5 GB'],
])('%i bytes are shown as %s', (bytes, words) => expect(formatBytes(bytes)).toBe(words))
it.each([
  [2, 'a few seconds left'],
  [31, '35 s left'],
  [125, '3 min left'],
  [3700, '1 h 2 min left'],
  [7190, '2 h 0 min left'],
])('%i seconds are shown as %s', (seconds, words) => expect(formatTimeLeft(seconds)).toBe(words))

test('a time is shown relative to now', () => {
  const now = Date.parse('2025-05-05T12:00:00Z')
  const at = (text: string) => formatRelativeTime(Date.parse(text), now)
  expect(at('2025-05-05T11:59:31Z')).toBe('just now')
  // The device's clock may be slow, so a time may be in the future.
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
