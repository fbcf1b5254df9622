import { readerLags } from '../../modules/readers/lagging-readers.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { readerStatuses } from './reader-status.ts'

/**
 * Figures for the administrators' system page: how far the readers lag behind the log; how many errands and media jobs are waiting, and
 * for how long; how many letters are failing, and the latest error; and how many bounced, were suppressed or were marked
 * as spam in the last seven days.
 */
export async function systemFigures(deps: AppDependencies) {
  const { sql, store, clock } = deps
  const [statuses, [outbox], [media], [letters], [returned], [lastError]] = await Promise.all([
    readerStatuses(deps),
    sql<{ waiting: number; age: number | null }[]>`
      select count(*)::int as waiting, extract(epoch from now() - min(least(due, coalesce(tried, due))))::float as age
      from errands where done is null and failed is null and (due <= now() or tried is not null)`,
    sql<{ waiting: number; age: number | null }[]>`
      select count(*)::int as waiting, extract(epoch from now() - min(asked))::float as age from media_work where state = 'waiting'`,
    sql<{ failing: number }[]>`
      select count(*)::int as failing from errands where kind like 'letter.%' and done is null and (failed is not null or error is not null)`,
    sql<{ count: number }[]>`
      select count(*)::int as count from letter_fates where fate <> 'delivered' and at > now() - interval '7 days'`,
    sql<{ error: string }[]>`
      select error from errands where kind like 'letter.%' and done is null and error is not null order by asked desc limit 1`,
  ])
  const lags = await readerLags(store, statuses, clock())
  return {
    logLagSeconds: Math.max(0, ...lags.values()) / 1000,
    outbox: { waiting: outbox!.waiting, oldestSeconds: Math.max(0, outbox!.age ?? 0) },
    media: { waiting: media!.waiting, oldestSeconds: Math.max(0, media!.age ?? 0) },
    letters: { failing: letters!.failing, error: lastError?.error ?? null, returned: returned!.count },
  }
}
