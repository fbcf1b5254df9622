/** How long the deletion of an account can be undone. */
export const DELETION_DAYS = 14
/** How long a file with all that we hold of a person can be downloaded by that person. */
export const EXPORT_DAYS = 7
/** After how long another file may be asked for, where the first one could not be made. */
export const EXPORT_RETRY_HOURS = 24
/** How long a video stays that was given to no instructor. */
export const UNASSIGNED_VIDEO_MONTHS = 12
/** How long a support request and its answer stay. */
export const SUPPORT_REQUEST_YEARS = 3
/** How long an address that was left on the landing page stays. */
export const LEAD_MONTHS = 12

/** How long the account of a player stays whose parent or guardian has said no, where none has ever agreed. */
export const DECLINED_CONSENT_DAYS = 30
/** When such an account is deleted, as an ISO date and time. */
export const deletionAfterRefusal = (refusedAt: Date) => new Date(refusedAt.getTime() + DECLINED_CONSENT_DAYS * 24 * 3600_000).toISOString()

/** The same day so many months before, in UTC. */
export function monthsBefore(day: Date, months: number): Date {
  const before = new Date(day)
  before.setUTCMonth(before.getUTCMonth() - months)
  return before
}

/** How long backups of the keys may be kept, so that a destroyed key is gone from them as well (docs/backups.md). */
export const KEY_BACKUP_DAYS = 30
/** What is read in the place of a text whose key was destroyed. */
export const DELETED_TEXT = 'This text was deleted with the account it belonged to.'
/** What is read in the place of a text whose key is missing, or is not the one it was encrypted with. */
export const UNREADABLE_TEXT = 'This text cannot be read: its key is missing.'
