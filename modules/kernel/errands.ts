import type { Sql, TransactionSql } from 'postgres'
import { type Log, reasonOf } from './following.ts'
import { type Lease, leaseQueue } from './lease-queue.ts'
import { passing } from './passing.ts'
import type { Errand } from './process.ts'

/** The outbox. Done errands are kept: asking for one again does nothing. */
export const schema = `
create table if not exists errands (
  id text primary key,
  kind text not null,
  payload jsonb not null,
  due timestamptz not null default now(),
  asked timestamptz not null default now(),
  tried timestamptz,
  attempt int not null default 0,
  done timestamptz,
  failed timestamptz,
  error text
);
comment on column errands.due is 'Not before; while somebody performs it, when another takes over unless its lease is renewed';
comment on column errands.tried is 'When it was first tried';
create index if not exists errands_waiting on errands (due) where done is null and failed is null;
`

/** Thrown by a handler where trying again is of no use: the errand is failed at once. */
export class GiveUp extends Error {}

// biome-ignore lint/suspicious/noExplicitAny: each handler knows the payload of its kind
export type Handler = (payload: any, errand: { id: string; attempt: number }) => Promise<unknown>

export interface Options {
  log: Log
  /** How often an errand may be tried, not counting what passes by itself; as often as fits into `giveUpAfter` if absent. */
  maxAttempts?: number
  /** Since the first try, ms. Stripe forgets an idempotency key after 24 hours, so 23. */
  giveUpAfter?: number
  /** How long after a worker's death another takes over what it was performing, ms. */
  lease?: number
  /** How long a handler may take before it counts as hung, ms. Longer than any client waits for its answer. */
  hungAfter?: number
  /** How many are performed at once. */
  atOnce?: number
  /** Pause after a failed attempt (from 1), ms. */
  backOff?: (attempt: number) => number
}

const HOUR_MS = 3_600_000
/** Longest pause after an error that passes by itself: whoever was away is asked soon after they are back. */
const LONGEST_TRANSIENT_PAUSE_MS = 4000

interface ClaimedErrand {
  id: string
  kind: string
  payload: unknown
  attempt: number
  /** Since the first try, ms. */
  trying: number
  /** When it counts as hung, by performance.now(). */
  hungAt: number
}

/** Puts errands into the outbox, in the transaction given. One that is known, waiting or done, stays as it is. */
export async function post(sql: Sql | TransactionSql, asked: Errand[]) {
  if (!asked.length) return
  await sql`
    with new as (
      insert into errands (id, kind, payload, due)
      select id, kind, payload, coalesce(due, now())
      from json_to_recordset(${JSON.stringify(asked)}::text::json) as e(id text, kind text, payload jsonb, due timestamptz)
      on conflict (id) do nothing
    ) select pg_notify('errands', '')`
}

/**
 * Tries one again at once that was given up. Where it fails it is given up again, but for one whose time since its first try is not over: that
 * one goes on by itself. Answers whether there was such a one.
 */
export async function retry(sql: Sql, id: string): Promise<boolean> {
  const again = await sql`
    with again as (update errands set failed = null, error = null, due = now() where id = ${id} and failed is not null returning id)
    select pg_notify('errands', '') from again`
  return again.length > 0
}

/**
 * Performs what the outbox holds: `handlers` by kind. At least once: a handler may run again after a crash, so it passes the errand's id to whom
 * it calls as idempotency key. Never two at once while the worker lives and reaches Postgres. No transaction is open meanwhile.
 */
export function errands(sql: Sql, handlers: Record<string, Handler>, options: Options) {
  const { log, maxAttempts = Infinity, giveUpAfter = 23 * HOUR_MS, lease = 10_000, hungAfter = 600_000, atOnce = 8 } = options
  const { backOff = attempt => Math.min(1000 * 2 ** (attempt - 1), HOUR_MS) } = options
  const kinds = Object.keys(handlers)
  const notHung = (performed: ClaimedErrand[]) => performed.filter(({ hungAt }) => performance.now() <= hungAt)
  /** Never what is still performed here, though its lease may have run out; what hangs keeps its place, and is free for others. */
  const isOpen = (performed: ClaimedErrand[]) =>
    sql`done is null and failed is null and kind in ${sql(kinds)} and id <> all(${notHung(performed).map(e => e.id)}::text[])`

  const queue = leaseQueue<ClaimedErrand>(sql, log, {
    ...{ name: 'the outbox', channel: 'errands', lease, perform },
    async claim(performed) {
      if (performed.length >= atOnce) return []
      const claimed = await sql<Omit<ClaimedErrand, 'hungAt'>[]>`
        with chosen as materialized ( -- chosen once: as a plain subquery it may run once for each row, and take them all
          select id from errands where ${isOpen(performed)} and due <= now()
          order by due limit ${atOnce - performed.length} for update skip locked
        )
        update errands set attempt = attempt + 1, tried = coalesce(tried, now()), due = now() + ${lease} * interval '1 ms'
        where id in (select id from chosen)
        returning id, kind, payload, attempt, (extract(epoch from now() - tried) * 1000)::float8 as trying`
      return claimed.map(errand => ({ ...errand, hungAt: performance.now() + hungAfter }))
    },
    async renew(performed) {
      const mine = notHung(performed).map(({ id, attempt }) => ({ id, attempt }))
      await sql`
        update errands e set due = now() + ${lease} * interval '1 ms'
        from json_to_recordset(${JSON.stringify(mine)}::text::json) as mine(id text, attempt int)
        where e.id = mine.id and e.attempt = mine.attempt and e.done is null and e.failed is null`
      // No handler can be stopped on its way: none asks whether its lease is lost.
      return []
    },
    async untilNext(performed) {
      if (performed.length >= atOnce) return Infinity
      const [row] = await sql`select (extract(epoch from min(due) - now()) * 1000)::float8 as ms from errands where ${isOpen(performed)}`
      return row!.ms ?? Infinity
    },
  })

  async function perform({ id, kind, payload, attempt, trying }: ClaimedErrand, { end }: Lease) {
    // Whoever claimed it since has the word: `attempt` tells.
    const mine = sql`where id = ${id} and attempt = ${attempt} and done is null and failed is null`
    try {
      await handlers[kind]!(payload, { id, attempt })
      await end()
      await sql`update errands set done = now(), error = null ${mine}`
    } catch (error) {
      await end()
      const isTransient = passing(error)
      const wait = isTransient ? Math.min(backOff(attempt), LONGEST_TRANSIENT_PAUSE_MS) : backOff(attempt)
      const isOver = error instanceof GiveUp || (!isTransient && attempt >= maxAttempts) || trying + wait > giveUpAfter
      log.error({ err: error, errand: id, kind, attempt }, isOver ? 'an errand failed for good' : 'an errand failed and is tried again')
      await sql`
        update errands set error = ${reasonOf(error)}, failed = ${isOver ? sql`now()` : null},
          due = now() + ${wait} * interval '1 ms' ${mine}`
    }
  }

  return { ...queue, post, start: async (ending: AbortSignal) => (kinds.length ? queue.start(ending) : undefined) }
}
