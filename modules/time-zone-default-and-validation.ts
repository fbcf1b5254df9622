/** The business's time zone, for receipt numbers, monthly limits, and people who have chosen none. Most of our users live in it. */
export const DEFAULT_TIME_ZONE = 'America/New_York'

export function isValidTimeZone(timeZone: string): boolean {
  try {
    Intl.DateTimeFormat('en-US', { timeZone })
    return true
  } catch {
    return false
  }
}
