import type { Sql } from 'postgres'

/** How long an errand that is done stays: no process answers an event again after that. Letters stay, as people's pages list them. */
const DONE_ERRAND_DAYS = 90
/** How long the id of a webhook stays. Stripe sends one again for 30 days at most. */
const STRIPE_NOTICE_DAYS = 40
const ROWS_PER_STATEMENT = 5000
const DAY_MS = 24 * 3600_000

/** Deletes rows of long ago that only guard against repeats, in small steps beside servers that write. @returns how many went */
export async function pruneTables(sql: Sql, now: Date, ending: AbortSignal): Promise<number> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const steps = [
    () => sql`
      delete from errands where id in (
        select id from errands where done < ${daysAgo(DONE_ERRAND_DAYS)} and kind not like 'letter.%' limit ${ROWS_PER_STATEMENT})`,
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
