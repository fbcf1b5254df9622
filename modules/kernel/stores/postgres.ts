import { finished } from 'node:stream/promises'
import postgres, { type PendingQuery, type Row, type Sql } from 'postgres'
import { interruptibleSleep } from '../interruptible-sleep.ts'
import { silentLogger } from '../logger.ts'
import { type Outage, outageLog } from '../outage.ts'
import { decodeCopyLine } from '../pg-copy.ts'
import {
  assertStorable,
  Conflict,
  type EventStore,
  LogTruncated,
  lowercaseIds,
  type Meta,
  type NewEvent,
  type Recorded,
  readEitherSpelling,
} from '../store.ts'
import { isTransient } from '../transient-errors.ts'

/** What of an event is read, as texts: order by `events.position`, as `position` alone would be the text. */
const COLUMNS = `position::text, revision::text, id::text, stream, type, (at at time zone 'UTC')::text, data::text, meta::text`

/** A row as it came: a line of COPY, or texts. */
class Line {
  readonly row: string | string[]
  constructor(row: string | string[]) {
    this.row = row
  }
}
let asked: { line?: Line; parts: string[]; data?: unknown; meta?: Meta } = { parts: [] }
function part(line: Line, n: number) {
  if (asked.line !== line) asked = { line, parts: typeof line.row === 'string' ? decodeCopyLine(line.row) : line.row }
  return asked.parts[n]!
}
const parts: { [K in keyof Recorded]: (line: Line) => Recorded[K] } = {
  position: line => BigInt(part(line, 0)),
  revision: line => BigInt(part(line, 1)),
  id: line => part(line, 2),
  stream: line => part(line, 3),
  type: line => part(line, 4),
  at(line) {
    const at = part(line, 5)
    return at.length === 23 ? `${at.slice(0, 10)}T${at.slice(11)}Z` : new Date(`${at}Z`).toISOString()
  },
  data(line) {
    const text = part(line, 6)
    asked.data ??= JSON.parse(lowercaseIds(text))
    return asked.data
  },
  meta(line) {
    const text = part(line, 7)
    asked.meta ??= JSON.parse(text) as Meta
    return asked.meta
  },
}
const names = Object.keys(parts)
const partOf = (line: Line, name: string | symbol) => parts[name as keyof Recorded]?.(line)
const whole: ProxyHandler<Line> = {
  get: partOf,
  has: (_, name) => name in parts,
  ownKeys: () => names,
  getOwnPropertyDescriptor: (line, name) =>
    name in parts ? { value: partOf(line, name), enumerable: true, configurable: true } : undefined,
}

/**
 * An event that is taken apart when it is asked, and only the last one asked stays so: the parts of a whole batch cost more to throw away than
 * to make again. It looks like any other object, also to `{...event}`.
 */
const event = (row: string | string[]) => new Proxy(new Line(row), whole) as unknown as Recorded

/** The next batch; of certain types, with the last event of what was looked through. */
const scan = (position: bigint, types?: string[]) => {
  const upto = `least(${position + BATCH}, (select position from head))`
  const wanted = types?.map(type => `'${type.replaceAll("'", "''")}'`)
  const only = wanted ? `and (type in (${wanted}) or position = ${upto})` : ''
  return `select ${COLUMNS} from events where position > ${position} and position <= ${position + BATCH} ${only} order by events.position`
}

interface Waiting {
  stream: string
  expected: bigint
  events: NewEvent[]
  done: (position: bigint) => void
  failed: (error: unknown) => void
}

/** Appends in one commit at most; a few hundred fill a commit, more only make it late. */
const GROUP = 256
/** Positions that a follower who is behind is taken on by at a time. */
const BATCH = 10_000n
/** Whoever finds so many events at once is behind. */
const FEW = 100
/** How long a reader trusts silence, ms: a notification can be lost with its connection. */
const PATIENCE = 1000

/**
 * The log in Postgres, in tables that migrations made. Group commit: appends that arrive while a commit is under way go together in the next
 * one, on a connection of their own. Closes by itself when idle, or at once with `close`.
 */
export const postgresStore = (sql: Sql, outage: Outage = outageLog(silentLogger, 'Postgres')): EventStore & { close(): Promise<void> } => {
  const own = postgres({ ...sql.options, max: 1, idle_timeout: 10, fetch_types: false, onnotice: () => {} } as object)
  const queue: Waiting[] = []
  let writing = false

  async function write() {
    writing = true
    while (queue.length) {
      const group = take()
      try {
        const appends = group.map((w, n) => ({ n, stream: w.stream, expected: `${w.expected}`, size: w.events.length }))
        const news = group.flatMap((w, n) => w.events.map(({ id, type, data, meta }, i) => ({ n, i, id, type, data, meta })))
        const rows = await outage.watch(
          own`select actual::text, last::text from append_events(${appends as never}::json, ${news as never}::json)`.values(),
        )
        for (const [n, w] of group.entries()) {
          const [actual, last] = rows[n] as [string, string | null]
          if (last === null) w.failed(new Conflict(w.stream, w.expected, BigInt(actual)))
          else w.done(BigInt(last))
        }
      } catch (error) {
        for (const w of group) w.failed(error)
      }
    }
    writing = false
  }

  /** The next group: one append a stream, because each is judged by what is committed; the others wait for their turn. */
  function take() {
    const group = new Map<string, Waiting>()
    for (let i = 0; i < queue.length && group.size < GROUP; ) {
      const w = queue[i]!
      if (group.has(w.stream)) i++
      else group.set(w.stream, w) && queue.splice(i, 1)
    }
    return [...group.values()]
  }

  const wakes = new Set<() => void>()
  const wake = () => {
    for (const each of wakes) each()
  }
  let listening = false
  /** How often the connection that listens was made: after a failover the log may be shorter. */
  let connected = 0

  async function assertHeld(position: bigint) {
    const [head] = await outage.watch(sql`select position::text from head`.values())
    const end = BigInt(head![0] as string)
    if (end < position) throw new LogTruncated(position, end)
  }

  const found = async (which: PendingQuery<Row[]>) =>
    (await outage.watch(sql`select ${sql.unsafe(COLUMNS)} from events where ${which}`.values())).map(row => event(row as string[]))

  /** What just happened, at once: planned before. */
  const news = (position: bigint) => found(sql`position > ${`${position}`}::bigint order by events.position limit ${FEW}`)

  /**
   * A batch of what comes after a position, by COPY: no other form costs Postgres and us so little. In a transaction, because that has a connection
   * of its own: the pool sends the next query after the one under way, and on a connection that copies it is refused (COPY_IN_PROGRESS).
   */
  const copied = (position: bigint, types?: string[]) =>
    sql.begin('read only', async tx => {
      const rows = await tx.unsafe(`copy (${scan(position, types)}) to stdout`).readable()
      const batch: Recorded[] = []
      rows.on('data', (row: Buffer) => batch.push(event(row.toString('utf8', 0, row.length - 1))))
      await finished(rows)
      return batch
    })

  return {
    read: stream => readEitherSpelling(stream, named => found(sql`stream = ${named} order by events.revision`)),
    async append(stream, expected, events) {
      assertStorable(stream, expected, events)
      return new Promise<bigint>((done, failed) => {
        queue.push({ stream, expected, events, done, failed })
        if (!writing) write()
      })
    },
    async *follow(from, signal, types) {
      if (!listening)
        sql
          .listen('events', wake, () => {
            connected++
            wake()
          })
          .catch(() => {})
      listening = true
      const alarm = interruptibleSleep()
      wakes.add(alarm.wake)
      signal.addEventListener('abort', alarm.wake)
      try {
        let next: Promise<Recorded[]> | undefined
        let checked: number | undefined
        for (let position = from, wait = 50; !signal.aborted; ) {
          alarm.reset()
          let batch: Recorded[]
          try {
            if (checked !== connected) {
              const now = connected
              await assertHeld(position)
              checked = now
            }
            batch = await (next ?? news(position))
            wait = 50
          } catch (error) {
            if (!isTransient(error)) throw error
            next = checked = undefined
            await alarm.sleep(wait)
            wait = Math.min(wait * 2, PATIENCE)
            continue
          }
          if (batch.length) {
            const last = batch.at(-1)!.position
            // there is more: it is read while this is being used
            next = batch.length === FEW || last - position >= BATCH ? copied(last, types) : undefined
            next?.catch(() => {})
            position = last
            if (!signal.aborted) yield batch
          } else if (next)
            next = undefined // what it found may be old: who waits has looked just now
          else await alarm.sleep(PATIENCE)
        }
      } finally {
        wakes.delete(alarm.wake)
        signal.removeEventListener('abort', alarm.wake)
      }
    },
    close: () => own.end({ timeout: 5 }),
  }
}
