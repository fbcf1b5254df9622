import type { Sql, TransactionSql } from 'postgres'
import { type Log, reasonOf } from './following.ts'
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
  /** How many an errand may be tried, not counting what passes by itself; as many as fit into `giveUpAfter` if absent. */
  maxAttempts?: number
  /** Since the first try, ms. Stripe forgets an idempotency key after 24 hours, so 23. */
  giveUpAfter?: number
  /** How long after a worker's death another takes over what it was performing, ms. A living worker renews the lease three times in that time. */
  lease?: number
  /** How long a handler may take before it counts as hung and its lease is renewed no more, ms. Longer than any client waits for its answer. */
  patience?: number
  /** How many are performed at once. */
  atOnce?: number
  /** Pause after a failed attempt (from 1), ms. */
  backOff?: (attempt: number) => number
}

const HOUR = 3_600_000
/** Most that is waited after what passes by itself, ms: whoever was away is asked soon after they are back. */
const SOON = 4000

interface Taken {
  id: string
  kind: string
  payload: unknown
  attempt: number
  /** Since the first try, ms. */
  trying: number
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
  const { log, maxAttempts = Infinity, giveUpAfter = 23 * HOUR, lease = 10_000, patience = 600_000, atOnce = 8 } = options
  const { backOff = attempt => Math.min(1000 * 2 ** (attempt - 1), HOUR) } = options
  const kinds = Object.keys(handlers)
  const busy = new Set<Promise<void>>()
  /** What is performed here under a lease: which attempt, and until when its lease is renewed. It stays until its end is written down. */
  const held = new Map<string, { attempt: number; until: number; ended: boolean }>()
  let working: Promise<void> | undefined
  let beating: NodeJS.Timeout | undefined
  let renewing: Promise<void> | undefined
  const waiters: (() => void)[] = []
  let woken = false
  let wake = () => {}
  const stir = () => {
    woken = true
    wake()
  }

  /** Takes what is due, for the length of the lease; never what is still being performed here. */
  const take = (count: number) => sql<Taken[]>`
    with chosen as materialized ( -- chosen once: as a plain subquery it may run once for each row, and take them all
      select id from errands where done is null and failed is null and due <= now() and kind in ${sql(kinds)}
        and id <> all(${[...held.keys()]}::text[])
      order by due limit ${count} for update skip locked
    )
    update errands set attempt = attempt + 1, tried = coalesce(tried, now()), due = now() + ${lease} * interval '1 ms'
    where id in (select id from chosen)
    returning id, kind, payload, attempt, (extract(epoch from now() - tried) * 1000)::float8 as trying`

  /** The heartbeat: what is performed here stays ours for another lease. */
  async function renew() {
    for (const [id, { until }] of held) if (performance.now() > until) held.delete(id)
    const mine = [...held].flatMap(([id, { attempt, ended }]) => (ended ? [] : { id, attempt }))
    if (!mine.length) return
    await sql`
      update errands e set due = now() + ${lease} * interval '1 ms'
      from json_to_recordset(${JSON.stringify(mine)}::text::json) as mine(id text, attempt int)
      where e.id = mine.id and e.attempt = mine.attempt and e.done is null and e.failed is null`
  }

  const beat = () => {
    renewing ??= renew()
      .catch(error => log.error({ err: error }, 'leases could not be renewed; trying again'))
      .finally(() => {
        renewing = undefined
      })
  }

  async function perform({ id, kind, payload, attempt, trying }: Taken) {
    const hold = { attempt, until: performance.now() + patience, ended: false }
    held.set(id, hold)
    /** Nothing renews the lease any more: it would put off the next try. */
    const ended = async () => {
      hold.ended = true
      await renewing
    }
    // whoever took it since has the word: `attempt` tells
    const mine = sql`where id = ${id} and attempt = ${attempt} and done is null and failed is null`
    try {
      await handlers[kind]!(payload, { id, attempt })
      await ended()
      await sql`update errands set done = now(), error = null ${mine}`
    } catch (error) {
      await ended()
      const away = passing(error)
      const wait = away ? Math.min(backOff(attempt), SOON) : backOff(attempt)
      const over = error instanceof GiveUp || (!away && attempt >= maxAttempts) || trying + wait > giveUpAfter
      log.error({ err: error, errand: id, kind, attempt }, over ? 'an errand failed for good' : 'an errand failed and is tried again')
      await sql`
        update errands set error = ${reasonOf(error)}, failed = ${over ? sql`now()` : null},
          due = now() + ${wait} * interval '1 ms' ${mine}`
    } finally {
      if (held.get(id) === hold) held.delete(id)
    }
  }

  /** Until the next is due that is not performed here, ms; a minute if none is known. */
  async function untilNext() {
    const [row] = await sql`
      select (extract(epoch from min(due) - now()) * 1000)::float8 as ms from errands
      where done is null and failed is null and kind in ${sql(kinds)} and id <> all(${[...held.keys()]}::text[])`
    return Math.min(Math.max(Math.ceil(row!.ms ?? HOUR), 1), 60_000)
  }

  async function work(signal: AbortSignal) {
    while (!signal.aborted) {
      woken = false
      const asking = waiters.length
      let pause = 1000
      try {
        const free = atOnce - busy.size
        const taken = free > 0 ? await take(free) : []
        for (const errand of taken) {
          const performing = perform(errand)
            .catch(error => log.error({ err: error, errand: errand.id }, 'how an errand ended could not be written down'))
            .finally(() => {
              busy.delete(performing)
              if (!busy.size) beating = void clearInterval(beating)
              stir()
            })
          busy.add(performing)
          beating ??= setInterval(beat, lease / 3)
        }
        if (free > 0 && taken.length === free) continue
        if (!busy.size) for (const quiet of waiters.splice(0, asking)) quiet()
        pause = free > 0 ? await untilNext() : 60_000
      } catch (error) {
        log.error({ err: error }, 'the outbox cannot be read; trying again')
      }
      if (woken || signal.aborted) continue
      const timer = setTimeout(stir, pause)
      await new Promise<void>(resolve => {
        wake = resolve
      })
      clearTimeout(timer)
    }
  }

  return {
    post,
    /** Works until aborted; what is being performed then is finished. Resolves once it listens. */
    async start(signal: AbortSignal) {
      if (!kinds.length) return
      signal.addEventListener('abort', stir)
      await sql.listen('errands', stir, stir)
      working = work(signal)
    },
    /** Resolves when all that is being performed here has ended. After the abort. */
    settled: async () => {
      await working
      await Promise.all(busy)
    },
    /** Resolves when nothing is due and nothing is being performed here. Only where `start` was called. */
    idle: () =>
      new Promise<void>(resolve => {
        waiters.push(resolve)
        stir()
      }),
  }
}
