import type { ISql, Sql, TransactionSql } from 'postgres'
import { type EventStore, pause, type Recorded } from './store.ts'
import { passing } from './stores/postgres.ts'

/** Where each reader of the log stands, and the event that stopped it, if one did. */
export const schema = `
create table if not exists checkpoints (
  name text primary key,
  position bigint not null default -1,
  poison jsonb,
  at timestamptz not null default now()
);
`

/** Tables are made under this lock, so that many processes may start at once. */
export const settingUp = <T>(sql: Sql, work: (tx: TransactionSql) => Promise<T>) =>
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
  written: boolean
}

/** Why a reader stands still: the event that it cannot take. */
export interface Poison {
  name: string
  position: string
  stream: string
  type: string
  id: string
  error: string
}

/** What of pino the kernel uses. */
export interface Log {
  info(about: object, what: string): void
  error(about: object, what: string): void
}

export interface Following {
  log: Log
  onPoison?: (poison: Poison) => void
}

/**
 * Follows the log for many readers. Those that are up to date share one subscription and one transaction a batch; one that is behind reads
 * alone until it is there. Each has its own checkpoint, locked while it moves, so an event counts once however many processes follow.
 */
export function following(sql: Sql, store: EventStore, { log, onPoison }: Following) {
  const at = new Map<string, bigint>()
  const sharers = new Set<Reader>()
  const stopped = new Set<string>()
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

  /**
   * Locks the checkpoints, gives each reader what it has not had, moves them. Answers the readers that miss what came before `from`.
   * `folded`: what the events come to for the only reader; good only if nobody else has taken any of them.
   */
  const take = async (readers: Reader[], from: bigint, events: Recorded[], folded?: Folded) => {
    const last = events.at(-1)!.position
    let written = false
    const stands = await sql.begin(async tx => {
      const [, rows] = await Promise.all([
        // What a crash takes back, checkpoint and all, is done again. Statements are planned once, also while a table is empty: by the key then too.
        tx`select set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true)`,
        tx`select name, position::text from checkpoints where name in ${tx(readers.map(r => r.name))} order by name for update`,
      ])
      const had = new Map(rows.map(r => [r.name as string, BigInt(r.position)]))
      const ready = readers.filter(({ name }) => had.has(name) && had.get(name)! >= from && had.get(name)! < last)
      if (!ready.length) return had
      const names = ready.map(r => r.name)
      const apply = (r: Reader) => {
        written = !!folded && had.get(r.name) === from
        return written ? r.ahead!.write(tx, folded!.is) : r.apply(tx, later(events, had.get(r.name)!))
      }
      if (events.length < BULK) await Promise.all(ready.map(apply))
      else for (const reader of ready) await apply(reader)
      await tx`
        with moved as (
          update checkpoints set position = ${`${last}`}::bigint, poison = null, at = now() where name in ${tx(names)}
        )
        select pg_notify('checkpoints', ${JSON.stringify({ names, position: `${last}` })})`
      for (const name of names) had.set(name, last)
      return had
    })
    if (folded) folded.written = written
    moved(stands)
    return readers.filter(r => (stands.get(r.name) ?? -2n) < last)
  }

  /** Takes a batch; on trouble finds the reader, then the event, and stops that reader there. Answers the readers that are out. */
  async function advance(readers: Reader[], from: bigint, events: Recorded[], signal: AbortSignal, folded?: Folded): Promise<Reader[]> {
    for (let wait = 50; !signal.aborted && readers.length; wait = Math.min(wait * 2, 2000)) {
      try {
        return await take(readers, from, events, folded)
      } catch (error) {
        if (passing(error)) {
          log.error({ err: error }, 'reading the log waits for Postgres')
          await pause(wait, signal)
        } else if (readers.length > 1) {
          const out: Reader[] = []
          for (const reader of readers) out.push(...(await advance([reader], from, events, signal)))
          return out
        } else if (events.length > 1) {
          const half = events.length >> 1
          const out = await advance(readers, from, events.slice(0, half), signal)
          return out.length ? out : advance(readers, events[half - 1]!.position, events.slice(half), signal)
        } else {
          await stop(readers[0]!, events[0]!, error)
          return readers
        }
      }
    }
    return readers
  }

  async function stop({ name }: Reader, { position, stream, type, id }: Recorded, error: unknown) {
    const poison = { name, position: `${position}`, stream, type, id, error: `${error}` }
    log.error({ ...poison, err: error }, 'a reader of the log stopped at an event that it cannot take')
    await sql`update checkpoints set poison = ${sql.json(poison)} where name = ${name}`.catch(() => {})
    stopped.add(name)
    moved([])
    onPoison?.(poison)
  }

  /** Reads for one reader until `enough` says so (true), or it is stopped or aborted (false). */
  async function alone(reader: Reader, signal: AbortSignal, enough: (position: bigint) => boolean | Promise<boolean>): Promise<boolean> {
    const { name, types } = reader
    const [row] = await sql`update checkpoints set poison = null where name = ${name} returning position::text`
    if (!row) {
      log.info({ name }, 'a reader of the log has no checkpoint any more and is not followed here')
      return enough(-1n)
    }
    let from = BigInt(row.position)
    at.delete(name)
    stopped.delete(name)
    moved([[name, from]])
    if (await enough(from)) return true
    const over = new AbortController()
    let result = false as boolean | 'again' | Error
    const end = (as: typeof result) => {
      result = as
      over.abort()
    }
    const settle = async (out: Reader[]) => {
      if (stopped.has(name) || signal.aborted) end(false)
      else if (await enough(at.get(name)!)) end(true)
      else if (out.length) end('again')
    }
    let underWay: Folded | undefined
    let writing = Promise.resolve()
    for await (const events of store.follow(from, AbortSignal.any([signal, over.signal]), types)) {
      const bulk = events.length >= BULK
      // What is being written is known, or is there.
      if (!underWay) await writing
      // What goes wrong here goes wrong again below, where it is seen to.
      const is = bulk ? await reader.ahead?.fold(sql, events, underWay?.is).catch(() => undefined) : undefined
      await writing
      if (over.signal.aborted) break
      underWay = is !== undefined && (!underWay || underWay.written) ? { is, written: false } : undefined
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
    for await (const events of store.follow(from, signal)) {
      shared = events.at(-1)!.position
      const out = await advance([...sharers], from, events, signal)
      if (signal.aborted) return
      for (const reader of out) {
        sharers.delete(reader)
        if (!stopped.has(reader.name)) join(reader, signal)
      }
      from = shared
    }
  }

  const join = (reader: Reader, signal: AbortSignal) =>
    again(signal, () => alone(reader, signal, position => position >= shared && !!sharers.add(reader)))

  /** Work that must not end by an accident: done again, with back-off, until it succeeds or is aborted. */
  async function again(signal: AbortSignal, work: () => Promise<unknown>) {
    for (let wait = 50; !signal.aborted; wait = Math.min(wait * 2, 2000)) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted) return
        log.error({ err: error }, 'following the log failed; trying again')
        await pause(wait, signal)
      }
    }
  }

  return {
    alone,
    again,
    /** Catches up alone, then shares. */
    join,
    sharing: (name: string) => [...sharers].some(r => r.name === name),
    /** Follows for those who join, from the furthest of them, until aborted. Who was stopped gets another try. */
    async start(names: string[], signal: AbortSignal) {
      const rows = await sql`update checkpoints set poison = null where name in ${sql(names)} returning position::text`
      for (const { position } of rows) if (BigInt(position) > shared) shared = BigInt(position)
      await listen()
      again(signal, () => together(signal))
    },
    /**
     * Whether these readers have taken all up to a position; waits for it, `timeoutMs` at most. False at once where one is stopped.
     * Also in a process that follows nothing itself.
     */
    async caughtUp(names: string[], position: bigint, timeoutMs: number): Promise<boolean> {
      const there = () => names.every(name => (at.get(name) ?? -2n) >= position)
      if (position < 0n || there()) return true
      await listen()
      const asked = sql`select name, position::text, poison is not null as stopped from checkpoints where name in ${sql(names)}`
      const rows = await asked.catch(error => {
        if (!passing(error)) throw error
        return []
      })
      moved(rows.map(r => [r.name, BigInt(r.position)]))
      if (there() || rows.some(r => r.stopped)) return there()
      return new Promise(resolve => {
        const finish = () => {
          clearTimeout(timer)
          waiters.delete(look)
          resolve(there())
        }
        const look = () => {
          if (there() || names.some(name => stopped.has(name))) finish()
        }
        const timer = setTimeout(finish, timeoutMs)
        waiters.add(look)
      })
    },
  }
}

const later = (events: Recorded[], position: bigint) =>
  events[0]!.position > position ? events : events.filter(e => e.position > position)
