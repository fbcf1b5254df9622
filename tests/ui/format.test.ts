import { expect, it } from 'vitest'
import { formatBytes, formatClock, formatClockHundredths, formatDuration, formatTimeLeft } from '../../src/ui/format.ts'

it.each([
  [0, '0:00'],
  [7430, '0:07'],
  [760_000, '12:40'],
  [3_723_000, '1:02:03'],
])('%i ms are shown as %s', (ms, words) => expect(formatClock(ms)).toBe(words))
it.each([
  [900, '0:01'],
  [7430, '0:07'],
])('a duration of %i ms is spoken as %s', (ms, words) => expect(formatDuration(ms)).toBe(words))
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
])('%i seconds are shown as %s', (seconds, words) => expect(formatTimeLeft(seconds)).toBe(words))
