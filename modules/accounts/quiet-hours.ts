import { MINORS_QUIET_HOURS_END, MINORS_QUIET_HOURS_START } from './policy.ts'

/** The local date and time in a time zone, to the minute, encoded as if it were UTC: ms since the epoch. */
function localTime(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute)
}

/** The end of the current quiet hours in a time zone, or null outside them. */
export function endOfQuietHours(now: Date, timeZone: string): Date | null {
  const local = new Date(localTime(now.getTime(), timeZone))
  const hour = local.getUTCHours()
  if (hour < MINORS_QUIET_HOURS_START && hour >= MINORS_QUIET_HOURS_END) return null
  const morning = Date.UTC(
    local.getUTCFullYear(),
    local.getUTCMonth(),
    local.getUTCDate() + (hour >= MINORS_QUIET_HOURS_START ? 1 : 0),
    MINORS_QUIET_HOURS_END,
  )
  // Daylight saving time may begin or end before the morning, so the offset is taken at the end of the quiet hours.
  const distance = localTime(morning, timeZone) - morning
  const guess = morning - distance
  return new Date(guess - (localTime(guess, timeZone) - morning))
}
