/** The time zone of dates in letters and on receipts: most of our users live in it. */
export const DEFAULT_TIME_ZONE = 'America/New_York'

export function isValidTimeZone(timeZone: string): boolean {
  try {
    Intl.DateTimeFormat('en-US', { timeZone })
    return true
  } catch {
    return false
  }
}
