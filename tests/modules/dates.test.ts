import { expect, test } from 'vitest'
import { addDays, addMonthsWithOverflow, utcDayOf } from '../../modules/dates.ts'
import { isValidTimeZone } from '../../modules/time-zone-default-and-validation.ts'

test('the calendar day of a time is the one in UTC', () => {
  expect(utcDayOf(new Date('2026-03-01T23:59:59.999Z'))).toBe('2026-03-01')
  expect(utcDayOf(new Date('2026-03-01T23:00:00-05:00'))).toBe('2026-03-02')
})

test('added days have 24 hours each and may be negative', () => {
  const at = new Date('2026-03-01T12:00:00.000Z')
  expect([addDays(at, 1), addDays(at, 0), addDays(at, -2)].map(date => date.toISOString())).toEqual([
    '2026-03-02T12:00:00.000Z',
    '2026-03-01T12:00:00.000Z',
    '2026-02-27T12:00:00.000Z',
  ])
})

test('added months keep the day if the month has it, and may be negative', () => {
  const months = (at: string, count: number) => addMonthsWithOverflow(new Date(`${at}T12:00:00.000Z`), count).toISOString()
  expect([months('2026-11-15', 3), months('2026-02-15', -3), months('2028-02-29', 12), months('2026-01-31', 1)]).toEqual([
    '2027-02-15T12:00:00.000Z',
    '2025-11-15T12:00:00.000Z',
    '2029-03-01T12:00:00.000Z',
    '2026-03-03T12:00:00.000Z',
  ])
})

test('a time zone is valid only if its name is known', () => {
  expect(['America/New_York', 'UTC', 'America/Nowhere', ''].map(isValidTimeZone)).toEqual([true, true, false, false])
})
