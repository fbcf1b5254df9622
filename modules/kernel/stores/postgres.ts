import postgres, { type PendingQuery, type Row, type Sql } from 'postgres'
import { silentLogger } from '../logger-interface.ts'
import { createOutageLogger, type OutageLogger } from '../outage-logger.ts'
import { createInterruptibleSleep } from '../sleep.ts'
import {
  assertEventsStorable,
  type EventMetadata,
  type EventStore,
  LogTruncatedError,
  lowercaseIdsInJson,
  type NewEvent,
  type RecordedEvent,
  RevisionConflict,
  readStreamInEitherCase,
} from '../store.ts'
import { isTransient } from '../transient-errors.ts'

/**
 * The columns of an event, as text. Queries order by `events.position`: a bare `position` would mean the text column selected here, and
 * text sorts 10 before 9.
 */
const COLUMNS = `position::text, revision::text, id::text, stream, type,
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), data::text, meta::text`
const recorded = ([position, revision, id, stream, type, at, data, meta]: string[]): RecordedEvent => ({
  id: id!,
  stream: stream!,
  type: type!,
  position: BigInt(position!),
  revision: BigInt(revision!),
  at: at!,
  data: JSON.parse(lowercaseIdsInJson(data!)),
  meta: JSON.parse(meta!) as EventMetadata,
})

interface WaitingAppend {
  stream: string
  expected: bigint
  events: NewEvent[]
  resolve: (position: bigint) => void
  reject: (error: unknown) => void
}

/** How many appends may share a commit. A few hundred make full use of it; more would only delay it. */
const APPENDS_PER_COMMIT = 256
/** How many events a reader fetches at a time, at most. Parsing that many blocks this process for about 25 ms. */
const EVENTS_PER_READ = 5000n
/** After this time a reader looks for new events even if nothing woke it: a notification can be lost with its connection. */
const LONGEST_SLEEP_MS = 1000

/**
 * The log in Postgres, in tables that the migrations create. Appends use group commit: those that arrive during a commit share the next
 * one. They have a connection of their own, which closes after ten idle seconds, or when `close` is called.
 */
export const postgresStore = (
  sql: Sql,
  outage: OutageLogger = createOutageLogger(silentLogger, 'Postgres'),
): EventStore & { close(): Promise<void> } => {
  const writer = postgres({ ...sql.options, max: 1, idle_timeout: 10, fetch_types: false, onnotice: () => {} } as object)
  const queue: WaitingAppend[] = []
  let writing = false

  async function write() {
    writing = true
    while (queue.length) {
      const group = takeGroup()
      try {
        const appends = group.map((w, n) => ({ n, stream: w.stream, expected: `${w.expected}`, size: w.events.length }))
        const newEvents = group.flatMap((w, n) => w.events.map(({ id, type, data, meta }, i) => ({ n, i, id, type, data, meta })))
        const rows = await outage.watch(
          writer`select actual::text, last::text from append_events(${appends as never}::json, ${newEvents as never}::json)`.values(),
        )
        for (const [n, w] of group.entries()) {
          const [actual, last] = rows[n] as [string, string | null]
          if (last === null) w.reject(new RevisionConflict(w.stream, w.expected, BigInt(actual)))
          else w.resolve(BigInt(last))
        }
      } catch (error) {
        for (const w of group) w.reject(error)
      }
    }
    writing = false
  }

  /**
   * Takes the appends for the next commit from the queue: at most one per stream, because Postgres compares the expected revision with the
   * last committed one.
   */
  function takeGroup() {
    const group = new Map<string, WaitingAppend>()
    for (let i = 0; i < queue.length && group.size < APPENDS_PER_COMMIT; ) {
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
  /** Counts the LISTEN connections. After each new one, readers check their position, because a failover may have shortened the log. */
  let listenConnections = 0

  async function assertHeld(position: bigint) {
    const [head] = await outage.watch(sql`select position::text, now()::text from head`.values())
    const [end, endReadAt] = head as [string, string]
    if (BigInt(end) < position) throw new LogTruncatedError(position, BigInt(end), endReadAt)
  }

  const eventsWhere = async (condition: PendingQuery<Row[]>) =>
    (await outage.watch(sql`select ${sql.unsafe(COLUMNS)} from events where ${condition}`.values())).map(row => recorded(row as string[]))

  /** Up to `EVENTS_PER_READ` events after `position`; positions have no gaps. With `types`, only the last may be of another type. */
  const eventsAfter = (position: bigint, types?: string[]) => {
    const end = sql`least(${`${position + EVENTS_PER_READ}`}::bigint, (select position from head))`
    const wanted = types ? sql`and (type = any(${types}) or position = ${end})` : sql``
    return eventsWhere(sql`position > ${`${position}`}::bigint and position <= ${end} ${wanted} order by events.position`)
  }

  return {
    read: stream => readStreamInEitherCase(stream, name => eventsWhere(sql`stream = ${name} order by events.revision`)),
    async append(stream, expected, events) {
      assertEventsStorable(stream, expected, events)
      return new Promise<bigint>((resolve, reject) => {
        queue.push({ stream, expected, events, resolve, reject })
        if (!writing) write()
      })
    },
    async *follow(from, signal, types) {
      if (!listening)
        sql
          .listen('events', wake, () => {
            listenConnections++
            wake()
          })
          .catch(() => {})
      listening = true
      const alarm = createInterruptibleSleep()
      wakes.add(alarm.wake)
      signal.addEventListener('abort', alarm.wake)
      try {
        let checkedConnection: number | undefined
        for (let position = from, pauseMs = 50; !signal.aborted; ) {
          alarm.reset()
          let batch: RecordedEvent[]
          try {
            if (checkedConnection !== listenConnections) {
              const currentConnection = listenConnections
              await assertHeld(position)
              checkedConnection = currentConnection
            }
            batch = await eventsAfter(position, types)
            pauseMs = 50
          } catch (error) {
            if (!isTransient(error)) throw error
            checkedConnection = undefined
            await alarm.sleep(pauseMs)
            pauseMs = Math.min(pauseMs * 2, LONGEST_SLEEP_MS)
            continue
          }
          const before = position
          position = batch.at(-1)?.position ?? position
          if (batch.length && !signal.aborted) yield batch
          // A batch that is not full reached the end of the log. Any append since then has called `wake`, so the sleep ends immediately.
          if (position - before < EVENTS_PER_READ) await alarm.sleep(LONGEST_SLEEP_MS)
        }
      } finally {
        wakes.delete(alarm.wake)
        signal.removeEventListener('abort', alarm.wake)
      }
    },
    close: () => writer.end({ timeout: 5 }),
  }
}
