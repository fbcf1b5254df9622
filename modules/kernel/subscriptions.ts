import { randomUUID } from 'node:crypto'
import type { ISql, Sql, TransactionSql } from 'postgres'
import { backoff, pause } from './backoff.ts'
import { errorText } from './error-text.ts'
import type { Logger } from './logger.ts'
import { type Outage, outageLog } from './outage.ts'
import { type EventStore, LogTruncated, type Recorded } from './store.ts'
import { isDataError, isTransient, isUnavailable } from './transient-errors.ts'

/**
 * Where each reader of the log stands, and the streams that it has put aside, each with the first event that it could not take.
 * `checkpoints.parked` changes with what is parked for a reader; null: nothing is. `checkpoints.log_end` is where the log ended when it was found
 * to be older than what the reader had read; it stands still until it is rebuilt. Null: the log holds what it has read.
 */
export const schema = `
create table if not exists checkpoints (
  name text primary key,
  position bigint not null default -1,
  parked uuid,
  log_end bigint,
  at timestamptz not null default now()
);
do $$ begin
  if not exists (select from pg_attribute where attrelid = 'checkpoints'::regclass and attname = 'parked') then
    alter table checkpoints add column parked uuid;
  end if;
  if not exists (select from pg_attribute where attrelid = 'checkpoints'::regclass and attname = 'log_end') then
    alter table checkpoints add column log_end bigint;
  end if;
end $$;
create table if not exists parked (
  reader text not null,
  stream text not null,
  position bigint not null,
  revision bigint not null,
  event text not null,
  type text not null,
  error text not null,
  code text not null,
  at timestamptz not null default now(),
  primary key (reader, stream)
);
comment on column parked.code is 'The code that tried it last: other code tries again by itself';
`

/** Tables are made under this lock, so that many processes may start at once. */
export const withSchemaLock = <T>(sql: Sql, work: (tx: TransactionSql) => Promise<T>) =>
  sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(20260101)`
    await tx.unsafe(schema)
    return work(tx)
  }) as Promise<T>

/** A batch so large is given to one reader after another, because it may be copied in; a smaller one to all at once. */
export const BULK = 300

/** A reader that keeps a checkpoint. `apply` runs in the transaction that moves it, and does nothing else. */
export interface Reader {
  name: string
  /** What it takes; every type, if it does not say. */
  types?: string[]
  apply(tx: TransactionSql, events: Recorded[]): Promise<unknown>
  /** What `apply` does, in halves: what the events come to, found while what comes before them (`under way`) is being written, and the writing. */
  ahead?: Ahead
}
interface Ahead {
  fold(sql: ISql, events: Recorded[], underWay?: unknown): Promise<unknown>
  write(tx: TransactionSql, folded: unknown): Promise<unknown>
}
/** What a batch comes to, and whether that is what was written: if not, somebody else took some of it, and what was found on top of it is void. */
interface Folded {
  is: unknown
  /** What was parked then. */
  parked: string | null
  written: boolean
}

/** A stream that a reader has put aside: nothing of it is taken from the event on that it could not take, until it is tried again. */
export interface ParkedStream {
  reader: string
  stream: string
  /** Of the first event that was not taken. */
  position: string
  event: string
  type: string
  error: string
  at: string
}

/** Most parked streams that are listed for a reader. */
const LISTED = 100

/** What is parked for each of these readers, the oldest first, and how many in all. */
export const parkedStreamsOf = async (sql: Sql, readers: string[]) => {
  const rows = await sql<(ParkedStream & { count: number })[]>`
    select reader, stream, position::text, event, type, error, at, count::int from (
      select *, row_number() over (partition by reader order by position) as n, count(*) over (partition by reader) as count
      from parked where reader in ${sql(readers)}
    ) p where n <= ${LISTED} order by reader, n`
  return new Map(
    [...Map.groupBy(rows, row => row.reader)].map(([reader, rows]) => [
      reader,
      { count: rows[0]!.count, streams: rows.map(({ count: _, ...row }) => row) },
    ]),
  )
}

/** Logs that say already that readers are stopped: read models and processes share one. */
const saidStopped = new WeakSet<Logger>()
/** How often a reader that was stopped looks whether it was rebuilt, ms. */
const STOPPED_LOOK_MS = 2000

export type { Logger }

export interface SubscriptionOptions {
  log: Logger
  /** Where it is noted that the database is away. */
  outage?: Outage
  /** Names the code that reads. Streams that other code has parked are tried again at the start; without a name, all are. */
  code?: string
}

/** What a reader has put aside, as this process knows it: good as long as its checkpoint says the same. */
interface Aside {
  parked: string | null
  streams: ReadonlySet<string>
}

/**
 * Follows the log for many readers. Those that are up to date share one subscription and one transaction a batch; one that is behind reads
 * alone until it is there. Each has its own checkpoint, locked while it moves, so an event counts once however many processes follow.
 */
export function subscriptions(
  sql: Sql,
  store: EventStore,
  { log, code = randomUUID(), outage = outageLog(log, 'Postgres') }: SubscriptionOptions,
) {
  const at = new Map<string, bigint>()
  const known = new Map<string, Aside>()
  const sharers = new Set<Reader>()
  const waiters = new Set<() => void>()
  let shared = -1n
  let listening: Promise<unknown> | undefined

  const moved = (positions: Iterable<readonly [string, bigint]>) => {
    for (const [name, position] of positions) if (position > (at.get(name) ?? -2n)) at.set(name, position)
    for (const look of [...waiters]) look()
  }
  const listen = () => {
    listening ??= sql
      .listen('checkpoints', told => {
        const { names, position } = JSON.parse(told) as { names: string[]; position: string }
        moved(names.map(name => [name, BigInt(position)]))
      })
      .catch(() => {
        listening = undefined
      })
    return listening
  }

  /** Stops every reader that has read more than the log holds now, in all processes, and says so once. */
  async function stopReaders({ position, end }: LogTruncated) {
    const rows = await sql`
      update checkpoints set log_end = ${`${end}`}::bigint
      where log_end is null and (position > ${`${end}`}::bigint or position = ${`${position}`}::bigint) returning name`
    if (rows.length) sayStopped(rows.map(r => r.name as string).sort())
  }
  const sayStopped = (readers: string[]) => {
    saidStopped.add(log)
    log.error(
      { readers },
      'the log is older than what was read of it, as after a backup was restored: readers stop until `npm run rebuild`',
    )
  }

  /** What a reader has put aside, by what its checkpoint says. */
  const aside = async (db: ISql, name: string, parked: string | null): Promise<Aside> => {
    const here = known.get(name)
    if (here?.parked === parked) return here
    const rows = parked === null ? [] : await db`select stream from parked where reader = ${name}`
    const now = { parked, streams: new Set(rows.map(r => r.stream as string)) }
    known.set(name, now)
    return now
  }

  /** Moves checkpoints that are locked, and tells everybody. */
  const move = (tx: TransactionSql, names: string[], position: bigint) => tx`
    with moved as (
      update checkpoints set position = ${`${position}`}::bigint, at = now() where name in ${tx(names)}
    )
    select pg_notify('checkpoints', ${JSON.stringify({ names, position: `${position}` })})`

  /**
   * Locks the checkpoints, gives each reader what it has not had, moves them. Answers the readers that miss what came before `from`.
   * `folded`: what the events come to for the only reader; good only if nobody else has taken any of them, or put anything aside.
   */
  const take = async (readers: Reader[], from: bigint, events: Recorded[], folded?: Folded) => {
    const last = events.at(-1)!.position
    let written = false
    const stands = await sql.begin(async tx => {
      const [, rows] = await Promise.all([
        // What a crash takes back, checkpoint and all, is done again. Statements are planned once, also while a table is empty: by the key then too.
        tx`select set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true)`,
        tx`select name, position::text, parked from checkpoints where name in ${tx(readers.map(r => r.name))} order by name for update`,
      ])
      const had = new Map(rows.map(r => [r.name as string, BigInt(r.position)]))
      const ready = readers.filter(({ name }) => had.get(name)! >= from && had.get(name)! < last)
      if (!ready.length) return had
      const names = ready.map(r => r.name)
      const parked = new Map(rows.map(r => [r.name as string, r.parked as string | null]))
      const apply = async (r: Reader) => {
        written = !!folded && had.get(r.name) === from && parked.get(r.name) === folded.parked
        if (written) return r.ahead!.write(tx, folded!.is)
        return r.apply(tx, without(await aside(tx, r.name, parked.get(r.name)!), later(events, had.get(r.name)!)))
      }
      if (events.length < BULK) await settled(ready.map(apply))
      else for (const reader of ready) await apply(reader)
      await move(tx, names, last)
      for (const name of names) had.set(name, last)
      return had
    })
    if (folded) folded.written = written
    moved(stands)
    return readers.filter(r => (stands.get(r.name) ?? -2n) < last)
  }

  /** Puts the stream of an event aside and goes on behind it, unless somebody else has taken it. Answers the reader if it misses what came before. */
  async function park(reader: Reader, from: bigint, e: Recorded, error: unknown): Promise<Reader[]> {
    const { name } = reader
    let parks = false
    const stands = await sql.begin(async tx => {
      const [row] = await tx`select position::text from checkpoints where name = ${name} for update`
      const position = BigInt(row?.position ?? -2)
      if (position < from || position >= e.position) return position
      parks = true
      await tx`
        insert into parked (reader, stream, position, revision, event, type, error, code)
        values (${name}, ${e.stream}, ${`${e.position}`}::bigint, ${`${e.revision}`}::bigint, ${e.id}, ${e.type}, ${errorText(error)}, ${code})
        on conflict do nothing`
      await tx`update checkpoints set parked = gen_random_uuid() where name = ${name}`
      await move(tx, [name], e.position)
      return e.position
    })
    if (parks)
      log.error(
        { reader: name, position: `${e.position}`, stream: e.stream, type: e.type, event: e.id, err: error },
        'a reader of the log cannot take an event and has parked its stream',
      )
    moved([[name, stands]])
    return stands < e.position ? [reader] : []
  }

  /** Takes a batch; on trouble finds the reader, then the event, and parks its stream. Answers the readers that are out. */
  async function advance(readers: Reader[], from: bigint, events: Recorded[], signal: AbortSignal, folded?: Folded): Promise<Reader[]> {
    let unfit: { error: unknown } | undefined
    for (const rest = backoff(signal); !signal.aborted && readers.length; ) {
      try {
        const taking = unfit ? park(readers[0]!, from, events[0]!, unfit.error) : take(readers, from, events, folded)
        return await outage.watch(taking)
      } catch (error) {
        if (unfit || !isDataError(error)) {
          if (!isUnavailable(error)) log.error({ err: error }, 'reading the log waits for the database')
          await rest()
        } else if (readers.length > 1) {
          const out: Reader[] = []
          for (const reader of readers) out.push(...(await advance([reader], from, events, signal)))
          return out
        } else if (events.length > 1) {
          const half = events.length >> 1
          const out = await advance(readers, from, events.slice(0, half), signal)
          return out.length ? out : advance(readers, events[half - 1]!.position, events.slice(half), signal)
        } else unfit = { error }
      }
    }
    return readers
  }

  /** Where a reader stands, once the log holds what it has read; undefined where it was removed, or this is aborted. */
  async function checkpointOf(name: string, signal: AbortSignal) {
    for (; !signal.aborted; await pause(STOPPED_LOOK_MS, signal)) {
      const [row] = await sql`select position::text, parked, log_end is not null as stopped from checkpoints where name = ${name}`
      if (!row?.stopped) return row
      // What waits for this reader must not take what it had for what it has.
      at.delete(name)
    }
  }

  /** Reads for one reader until `enough` says so (true), or it is aborted (false). */
  async function alone(reader: Reader, signal: AbortSignal, enough: (position: bigint) => boolean | Promise<boolean>): Promise<boolean> {
    const { name, types } = reader
    const row = await checkpointOf(name, signal)
    if (!row) {
      log.info({ name }, 'a reader of the log has no checkpoint any more and is not followed here')
      return enough(-1n)
    }
    let from = BigInt(row.position)
    await aside(sql, name, row.parked)
    // A table that took the place of another may be behind what was heard of that one, or where somebody waits for it to be.
    at.delete(name)
    moved([[name, from]])
    if (await enough(from)) return true
    const over = new AbortController()
    let result = false as boolean | 'again' | Error
    const end = (as: typeof result) => {
      result = as
      over.abort()
    }
    const settle = async (out: Reader[]) => {
      if (signal.aborted) end(false)
      else if (await enough(at.get(name)!)) end(true)
      else if (out.length) end('again')
    }
    let underWay: Folded | undefined
    let writing = Promise.resolve()
    for await (const events of store.follow(from, AbortSignal.any([signal, over.signal]), types)) {
      const bulk = events.length >= BULK
      // What is being written is known, or is there.
      if (!underWay) await writing
      const { parked, streams } = known.get(name)!
      // What goes wrong here goes wrong again below, where it is seen to.
      const is = bulk ? await reader.ahead?.fold(sql, without({ streams }, events), underWay?.is).catch(() => undefined) : undefined
      await writing
      if (over.signal.aborted) break
      underWay = is !== undefined && (!underWay || underWay.written) ? { is, parked, written: false } : undefined
      writing = advance([reader], from, events, signal, underWay).then(settle).catch(end)
      if (!bulk) await writing
      from = events.at(-1)!.position
    }
    await writing
    if (result instanceof Error) throw result
    return result === 'again' ? alone(reader, signal, enough) : result
  }

  async function together(signal: AbortSignal) {
    let from = shared
    const leave = (readers: Reader[]) => {
      for (const reader of readers) {
        sharers.delete(reader)
        join(reader, signal)
      }
    }
    try {
      for await (const events of store.follow(from, signal)) {
        shared = events.at(-1)!.position
        leave(await advance([...sharers], from, events, signal))
        from = shared
      }
    } catch (error) {
      if (error instanceof LogTruncated) {
        await stopReaders(error)
        // A database that lost its last commits lost those of the checkpoints, too: such a reader goes on from its own.
        shared = error.end
        leave([...sharers])
      }
      throw error
    }
  }

  const join = (reader: Reader, signal: AbortSignal) =>
    again(signal, () => alone(reader, signal, position => position >= shared && !!sharers.add(reader)))

  /** Work that must not end by an accident: done again, with back-off, until it succeeds or is aborted. */
  async function again(signal: AbortSignal, work: () => Promise<unknown>) {
    for (const rest = backoff(signal); !signal.aborted; ) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof LogTruncated) await stopReaders(error).catch(outage.failed)
        else if (isUnavailable(error)) outage.failed(error)
        else log.error({ err: error }, 'following the log failed; trying again')
        await rest()
      }
    }
  }

  return {
    code,
    alone,
    again,
    /** Catches up alone, then shares. */
    join,
    /** Those among these readers that have something parked which this code has not tried. */
    async untried(names: string[]): Promise<string[]> {
      const rows = await sql`select distinct reader from parked where reader in ${sql(names)} and code <> ${code}`
      return rows.map(r => r.reader as string)
    },
    /** Follows for those who join, from the furthest of them, until aborted. */
    async start(names: string[], signal: AbortSignal) {
      const rows = await sql`
        select coalesce(log_end, position)::text as position from checkpoints where name in ${sql(names)}`
      for (const { position } of rows) if (BigInt(position) > shared) shared = BigInt(position)
      const stopped = await sql`select name from checkpoints where log_end is not null order by name`
      if (stopped.length && !saidStopped.has(log)) sayStopped(stopped.map(r => r.name))
      await listen()
      again(signal, () => together(signal))
    },
    /**
     * Whether these readers have taken all up to a position, but for what they have parked; waits for it, `timeoutMs` at most.
     * Also in a process that follows nothing itself.
     */
    async caughtUp(names: string[], position: bigint, timeoutMs: number): Promise<boolean> {
      const there = () => names.every(name => (at.get(name) ?? -2n) >= position)
      if (position < 0n || there()) return true
      await listen()
      const rows = await sql`select name, coalesce(log_end, position)::text as position from checkpoints where name in ${sql(names)}`.catch(
        error => {
          if (!isTransient(error)) throw error
          return []
        },
      )
      moved(rows.map(r => [r.name, BigInt(r.position)]))
      if (there()) return true
      return new Promise(resolve => {
        const finish = () => {
          clearTimeout(timer)
          waiters.delete(look)
          resolve(there())
        }
        const look = () => {
          if (there()) finish()
        }
        const timer = setTimeout(finish, timeoutMs)
        waiters.add(look)
      })
    },
  }
}

/** Waits for all, also where one fails: a query that another one sends after the rollback would be on its own, and stay. */
async function settled(work: Promise<unknown>[]) {
  const failed = (await Promise.allSettled(work)).find(w => w.status === 'rejected')
  if (failed) throw failed.reason
}

const later = (events: Recorded[], position: bigint) =>
  events[0]!.position > position ? events : events.filter(e => e.position > position)

const without = ({ streams }: Pick<Aside, 'streams'>, events: Recorded[]) =>
  streams.size ? events.filter(e => !streams.has(e.stream)) : events
