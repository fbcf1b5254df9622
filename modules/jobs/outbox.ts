import type { ISql, Sql, TransactionSql } from 'postgres'
import type { Logger } from '../kernel/logger-interface.ts'
import type { Errand } from '../kernel/process.ts'
import { storableErrorText } from '../kernel/storable-error-text.ts'
import { currentTraceId, runInTrace } from '../kernel/trace.ts'
import { isTransient } from '../kernel/transient-errors.ts'
import { type JobLeaseHandle, leaseQueueWorker } from './lease-queue-worker.ts'

/** A handler throws this if another try cannot succeed: the errand fails immediately and is not retried. */
export class PermanentErrandError extends Error {}

// biome-ignore lint/suspicious/noExplicitAny: each handler knows the payload of its kind
export type ErrandHandler = (payload: any, errand: { id: string; attempt: number }) => Promise<unknown>

export interface OutboxOptions {
  log: Logger
  /**
   * From this attempt on, an error that is not transient is final. Attempts with transient errors count, too. Unlimited by default, so that
   * only `giveUpAfter` or a `PermanentErrandError` ends the tries.
   */
  maxAttempts?: number
  /** How long after its first try an errand may still be retried, ms. Stripe forgets an idempotency key after 24 hours, so 23. */
  giveUpAfter?: number
  /** How long after a worker's death another worker takes over its errands, ms. */
  lease?: number
  /** How many ms a handler may run before it counts as hung. It must exceed what any handler takes: a hung one's errand is tried again. */
  hungAfter?: number
  /** How many errands this worker performs at a time. */
  atOnce?: number
  /** How long to wait after attempt n (from 1) has failed, ms. */
  backOff?: (attempt: number) => number
  /** Returns a random number from 0 to 1, which varies the pause after a provider's rate limit by up to 50% either way. */
  random?: () => number
}

const HOUR_MS = 3_600_000
/** Longest pause after a transient error, so that a provider that is back after an outage gets its errands within seconds. */
const LONGEST_TRANSIENT_PAUSE_MS = 4000

/** Resend's and Stripe's error codes for too many requests at a time. Errands that were refused together must not be retried together. */
const RATE_LIMIT_CODES = ['rate_limit_exceeded', 'rate_limit', 'lock_timeout']
const isRateLimited = (error: unknown) => RATE_LIMIT_CODES.includes((error as { code?: string }).code ?? '')

interface ClaimedErrand {
  id: string
  kind: string
  payload: unknown
  attempt: number
  trace: string | null
  sinceFirstTryMs: number
  /** The value of `performance.now()` at which the handler counts as hung. */
  hungAt: number
}

/** Puts errands into the outbox, as part of the transaction `sql`. If an errand's id is already in the table, that row stays as it is. */
export async function enqueueErrands(sql: Sql | TransactionSql, errands: Errand[]) {
  if (!errands.length) return
  const traced = errands.map(errand => ({ trace: currentTraceId(), ...errand }))
  await sql`
    with new as (
      insert into errands (id, kind, payload, due, trace)
      select id, kind, payload, coalesce(due, now()), trace
      from json_to_recordset(${JSON.stringify(traced)}::text::json) as e(id text, kind text, payload jsonb, due timestamptz, trace text)
      on conflict (id) do nothing
    ) select pg_notify('errands', '')`
}

/** Whether an errand with this id was ever put into the outbox, performed or not. */
export const wasErrandEnqueued = async (sql: ISql, id: string): Promise<boolean> =>
  (await sql`select 1 from errands where id = ${id}`).length > 0

/**
 * Schedules a failed errand to run now. Until `giveUpAfter` has passed since its first try, it is retried like any other errand; after
 * that, the worker tries it once more.
 * @returns whether there was a failed errand with this id
 */
export async function retryErrand(sql: Sql, id: string): Promise<boolean> {
  const reset = await sql`
    with reset as (update errands set failed = null, error = null, due = now() where id = ${id} and failed is not null returning id)
    select pg_notify('errands', '') from reset`
  return reset.length > 0
}

/**
 * Creates a worker that performs the errands whose kinds have a handler. Each errand is performed at least once: its handler may run again
 * after a crash, so handlers pass the errand's id on as the provider's idempotency key. While the worker lives and reaches Postgres, no
 * errand is performed twice at a time, unless its handler hangs. No transaction is open while a handler runs.
 */
export function outboxWorker(sql: Sql, handlers: Record<string, ErrandHandler>, options: OutboxOptions) {
  const { log, maxAttempts = Infinity, giveUpAfter = 23 * HOUR_MS, lease = 10_000, hungAfter = 600_000, atOnce = 8 } = options
  const { backOff = attempt => Math.min(1000 * 2 ** (attempt - 1), HOUR_MS), random = Math.random } = options
  const kinds = Object.keys(handlers)
  const notHung = (running: ClaimedErrand[]) => running.filter(({ hungAt }) => performance.now() <= hungAt)
  /**
   * The SQL condition for errands that may be claimed. It excludes errands that this worker is still performing, even if their lease has
   * expired, unless their handler hangs.
   */
  const isOpen = (running: ClaimedErrand[]) =>
    sql`done is null and failed is null and kind in ${sql(kinds)} and id <> all(${notHung(running).map(e => e.id)}::text[])`

  const queue = leaseQueueWorker<ClaimedErrand>(sql, log, {
    name: 'the outbox',
    channel: 'errands',
    lease,
    perform: (errand, held) => runInTrace(errand.trace ?? undefined, () => perform(errand, held)),
    async claim(running) {
      if (running.length >= atOnce) return []
      const claimed = await sql<Omit<ClaimedErrand, 'hungAt'>[]>`
        with chosen as materialized ( -- materialized, because Postgres may run a plain subquery once for each row and so claim all errands
          select id from errands where ${isOpen(running)} and due <= now()
          order by due limit ${atOnce - running.length} for update skip locked
        )
        update errands set attempt = attempt + 1, tried = coalesce(tried, now()), due = now() + ${lease} * interval '1 ms'
        where id in (select id from chosen)
        returning id, kind, payload, attempt, trace, (extract(epoch from now() - tried) * 1000)::float8 as "sinceFirstTryMs"`
      return claimed.map(errand => ({ ...errand, hungAt: performance.now() + hungAfter }))
    },
    async renew(running) {
      const mine = notHung(running).map(({ id, attempt }) => ({ id, attempt }))
      await sql`
        update errands e set due = now() + ${lease} * interval '1 ms'
        from json_to_recordset(${JSON.stringify(mine)}::text::json) as mine(id text, attempt int)
        where e.id = mine.id and e.attempt = mine.attempt and e.done is null and e.failed is null`
      // A running handler cannot be stopped, so nothing is gained by reporting that its lease is lost.
      return []
    },
    async untilNext(running) {
      if (running.length >= atOnce) return Infinity
      const [row] = await sql`select (extract(epoch from min(due) - now()) * 1000)::float8 as ms from errands where ${isOpen(running)}`
      return row!.ms ?? Infinity
    },
  })

  async function perform({ id, kind, payload, attempt, sinceFirstTryMs }: ClaimedErrand, { end }: JobLeaseHandle) {
    // If another worker has claimed the errand since, it has raised `attempt`, and only its outcome counts.
    const mine = sql`where id = ${id} and attempt = ${attempt} and done is null and failed is null`
    try {
      await handlers[kind]!(payload, { id, attempt })
      await end()
      await sql`update errands set done = now(), error = null ${mine}`
      log.debug?.({ errand: id, kind, attempt }, 'an errand was performed')
    } catch (error) {
      await end()
      const isPassing = isTransient(error)
      const backOffMs = isPassing ? Math.min(backOff(attempt), LONGEST_TRANSIENT_PAUSE_MS) : backOff(attempt)
      const pauseMs = isRateLimited(error) ? backOffMs * (0.5 + random()) : backOffMs
      const isOver =
        error instanceof PermanentErrandError || (!isPassing && attempt >= maxAttempts) || sinceFirstTryMs + pauseMs > giveUpAfter
      log.error({ err: error, errand: id, kind, attempt }, isOver ? 'an errand failed permanently' : 'an errand failed and will be retried')
      await sql`
        update errands set error = ${storableErrorText(error)}, failed = ${isOver ? sql`now()` : null},
          due = now() + ${pauseMs} * interval '1 ms' ${mine}`
    }
  }

  return { ...queue, post: enqueueErrands, start: async (ending: AbortSignal) => (kinds.length ? queue.start(ending) : undefined) }
}
