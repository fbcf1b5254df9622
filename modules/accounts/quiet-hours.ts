import { QUIET_FROM_HOUR, QUIET_UNTIL_HOUR } from './policy.ts'

/** What the clocks of a time zone show at a moment, as if they were in UTC: ms since the epoch. */
function localTime(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  })
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute)
}

/** When the quiet hours are over that hold at a moment in a time zone; null where none do. */
export function endOfQuietHours(now: Date, timeZone: string): Date | null {
  const local = new Date(localTime(now.getTime(), timeZone))
  const hour = local.getUTCHours()
  if (hour < QUIET_FROM_HOUR && hour >= QUIET_UNTIL_HOUR) return null
  const morning = Date.UTC(
    local.getUTCFullYear(),
    local.getUTCMonth(),
    local.getUTCDate() + (hour >= QUIET_FROM_HOUR ? 1 : 0),
    QUIET_UNTIL_HOUR,
  )
  // The clocks may be set forward or back before the morning comes, so the distance between them and UTC is taken there.
  const distance = localTime(morning, timeZone) - morning
  const guess = morning - distance
  return new Date(guess - (localTime(guess, timeZone) - morning))
}
