/** How long before a check expires the instructor and the administrators are told. */
export const EXPIRY_NOTICE_DAYS = 30

/** How long an instructor whom an administrator features stands first in lists, if nothing else is said. */
export const FEATURE_DAYS = 30

/** Longest reason, and longest reference of a check, in characters. */
export const REASON_MAX = 500
export const REFERENCE_MAX = 200

const DAY_MS = 24 * 3600_000

/** `expiring` within the days of the notice, `expired` after its last day. */
export type Validity = 'valid' | 'expiring' | 'expired'

/** The calendar day of a moment, `YYYY-MM-DD`, in UTC. */
export const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** Relative to a moment: a check is good through the day on which it expires. */
export function validityOf({ expires }: { expires: string | null }, now: Date): Validity {
  if (expires === null || expires > dayOf(new Date(now.getTime() + EXPIRY_NOTICE_DAYS * DAY_MS))) return 'valid'
  return expires < dayOf(now) ? 'expired' : 'expiring'
}
