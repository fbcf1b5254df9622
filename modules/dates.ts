const DAY_MS = 24 * 3600_000

/** The calendar day of a moment, `YYYY-MM-DD`, in UTC. */
export const utcDayOf = (at: Date) => at.toISOString().slice(0, 10)

/** Adds `days` × 24 hours to `at`; a negative number goes back in time. */
export const addDays = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS)

/**
 * Adds `months` calendar months to `at`, in UTC; a negative number goes back in time. If the resulting month is too short, the remaining
 * days carry over into the next one: a month after January 31 is March 3, or March 2 in a leap year.
 */
export function addMonthsWithOverflow(at: Date, months: number): Date {
  const moved = new Date(at)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  return moved
}
