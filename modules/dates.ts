const DAY_MS = 24 * 3600_000

/** The calendar day of a moment, `YYYY-MM-DD`, in UTC. */
export const utcDayOf = (at: Date) => at.toISOString().slice(0, 10)

/** The time this many periods of 24 hours after `at`, or before it if `days` is negative. */
export const addDays = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS)
