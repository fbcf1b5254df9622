import { expect, test } from 'vitest'
import { endOfQuietHours } from '../../../modules/accounts/quiet-hours.ts'

const until = (at: string, timeZone: string) => endOfQuietHours(new Date(at), timeZone)?.toISOString() ?? null

test.each([
  ['just before 8 pm', '2026-03-01T00:59:59Z', null],
  ['at 8 pm', '2026-03-01T01:00:00Z', '2026-03-01T13:00:00.000Z'],
  ['at midnight', '2026-03-01T05:00:00Z', '2026-03-01T13:00:00.000Z'],
  ['just before 8 am', '2026-03-01T12:59:59Z', '2026-03-01T13:00:00.000Z'],
  ['at 8 am', '2026-03-01T13:00:00Z', null],
])('a letter to a minor in New York is sent or waits, depending on the hour: %s', (_, at, morning) => {
  expect(until(at, 'America/New_York')).toBe(morning)
})

test('quiet hours end at 8 am local time, even after a daylight saving change', () => {
  expect(until('2026-03-08T02:00:00Z', 'America/New_York')).toBe('2026-03-08T12:00:00.000Z')
  expect(until('2026-11-01T01:00:00Z', 'America/New_York')).toBe('2026-11-01T13:00:00.000Z')
  expect(until('2026-03-28T22:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T06:00:00.000Z')
})

test('quiet hours use the time zone of the minor', () => {
  const at = '2026-06-15T15:30:00Z'
  expect(until(at, 'America/Los_Angeles')).toBeNull()
  expect(until(at, 'Asia/Kolkata')).toBe('2026-06-16T02:30:00.000Z')
  expect(until(at, 'Pacific/Kiritimati')).toBe('2026-06-15T18:00:00.000Z')
  expect(until('2026-12-31T22:00:00Z', 'UTC')).toBe('2027-01-01T08:00:00.000Z')
})
