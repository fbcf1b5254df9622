import { addDays, utcDayOf } from '../dates.ts'

/** The instructor and the administrators are notified this many days before a check expires. */
export const CHECK_EXPIRY_NOTICE_DAYS = 30

/** How many days an instructor stays featured if an administrator uses the button; the API accepts other durations. */
export const DEFAULT_FEATURED_DAYS = 30

/** Longest reference of a check, in characters. */
export const MAX_CHECK_REFERENCE_LENGTH = 200

/** `expiring` within `CHECK_EXPIRY_NOTICE_DAYS` before the check's last day, `expired` after it. */
export type CheckValidity = 'valid' | 'expiring' | 'expired'

/** A check is valid through its expiry day. `today` is `YYYY-MM-DD`. */
export const isCheckExpired = ({ expires }: { expires: string | null }, today: string) => expires !== null && expires < today

/**
 * The last day (`YYYY-MM-DD`, UTC) of the notice period that starts at `now`. A check that expires on or before this day counts as expiring
 * soon.
 */
export const lastCheckExpiryDayToNotify = (now: Date) => utcDayOf(addDays(now, CHECK_EXPIRY_NOTICE_DAYS))

export function validityOfCheck(check: { expires: string | null }, now: Date): CheckValidity {
  if (isCheckExpired(check, utcDayOf(now))) return 'expired'
  return check.expires !== null && check.expires <= lastCheckExpiryDayToNotify(now) ? 'expiring' : 'valid'
}
