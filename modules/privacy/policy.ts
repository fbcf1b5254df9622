import { addDays } from '../dates.ts'

/** How long the deletion of an account can be undone. */
export const DELETION_GRACE_DAYS = 14
/** How long a person can download the file with everything we store about them. */
export const DATA_EXPORT_DAYS = 7
/** If a requested file has not been made after this time, another one may be requested. */
export const DATA_EXPORT_RETRY_HOURS = 24
/** How long a video that was never sent to an instructor is kept. */
export const UNASSIGNED_VIDEO_RETENTION_MONTHS = 12
/** How long a support request and its answer are kept. */
export const SUPPORT_REQUEST_RETENTION_YEARS = 3
/** How long an email address from the landing page is kept. */
export const LEAD_RETENTION_MONTHS = 12

/** How long a player's account is kept after the parent or guardian refused consent, if no guardian has ever given it. */
export const ACCOUNT_DAYS_AFTER_REFUSAL = 30
/** Returns an ISO 8601 time. */
export const deletionTimeAfterGuardianRefusal = (refusedAt: Date) => addDays(refusedAt, ACCOUNT_DAYS_AFTER_REFUSAL).toISOString()

/** How long backups of the keys may be kept, so that a destroyed key is gone from them as well (docs/backups.md). */
export const KEY_BACKUP_RETENTION_DAYS = 30
/** Replaces a text whose key was destroyed. */
export const DELETED_TEXT = 'This text was deleted with the account it belonged to.'
/** Replaces a text whose key is missing, or is not the one with which it was encrypted. */
export const MISSING_KEY_TEXT = 'This text cannot be read: its key is missing.'

/**
 * For this many days after a failed payment was due, its instructor cannot delete their account, because nobody could receive the share
 * afterwards. Also, for this many days after a closed account should have been deleted, the deletion waits for the owner's unpaid bills.
 */
export const DAYS_TO_WAIT_FOR_FAILED_PAYMENT = 30
