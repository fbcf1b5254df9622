import type { Sql } from 'postgres'
import { addDays } from '../../modules/dates.ts'
import { LETTER_DELIVERY_STATUS_DAYS } from '../../modules/letters/letter-delivery-table.ts'

/** How long a completed errand is kept. Its row only prevents duplicates, and no process reads an event again after that long. */
const DONE_ERRAND_DAYS = 90
/**
 * Letters are kept as long as their delivery statuses, because administrators' pages about people list both, and data exports list the
 * letters. The letter that confirms an instructor's email address stays for good: without it, `instructor-email-confirmation-letters.ts`
 * would send the instructor another one.
 */
const DONE_LETTER_DAYS = LETTER_DELIVERY_STATUS_DAYS
/** How long the id of a webhook is kept. Stripe redelivers a webhook for at most 30 days. */
const STRIPE_NOTICE_DAYS = 40
const ROWS_PER_STATEMENT = 5000

/**
 * Deletes old rows that are no longer needed: completed errands, sent letters and handled Stripe webhooks. Each statement deletes a limited
 * number of rows, so that it does not block running servers.
 * @returns the number of deleted rows
 */
export async function pruneProcessedRows(sql: Sql, now: Date, ending: AbortSignal): Promise<number> {
  const daysAgo = (days: number) => addDays(now, -days)
  const steps = [
    () => sql`
      delete from errands where id in (
        select id from errands where done < ${daysAgo(DONE_ERRAND_DAYS)} and kind not like 'letter.%' limit ${ROWS_PER_STATEMENT})`,
    () => sql`
      delete from errands where id in (
        select id from errands where done < ${daysAgo(DONE_LETTER_DAYS)} and kind like 'letter.%' and kind <> 'letter.confirm-email'
        limit ${ROWS_PER_STATEMENT})`,
    () => sql`
      delete from stripe_notices where id in (
        select id from stripe_notices where received < ${daysAgo(STRIPE_NOTICE_DAYS)} limit ${ROWS_PER_STATEMENT})`,
  ]
  let pruned = 0
  for (const step of steps)
    for (let count = ROWS_PER_STATEMENT; count === ROWS_PER_STATEMENT; pruned += count) {
      ending.throwIfAborted()
      count = (await step()).count
    }
  return pruned
}
