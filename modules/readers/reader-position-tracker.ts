import type { Sql, TransactionSql } from 'postgres'
import { createInterruptibleSleep } from '../kernel/sleep.ts'
import { isTransient } from '../kernel/transient-errors.ts'

/** How long to wait between two queries of the checkpoints: at first, and at most. */
const SHORTEST_POLL_MS = 1
const LONGEST_POLL_MS = 50

const RESETS_CHANNEL = 'checkpoints'

/** Tells all processes that these readers are now at this position, which may be earlier than the one that a process knows. */
export const notifyPositionsReset = (sql: Sql | TransactionSql, names: string[], position: bigint) =>
  sql`select pg_notify(${RESETS_CHANNEL}, ${JSON.stringify({ names, position: `${position}` })})`

/** A call that waits until readers have reached a position. */
interface Wait {
  names: string[]
  isOver(): boolean
  resolve(isReached: boolean): void
  reject(error: unknown): void
}

/**
 * The position of each reader as this process knows it: from its own work, and from the table of checkpoints. A query waits here until its
 * read models have processed the events that the browser knows of. Processes do not notify each other of progress, because each
 * notification would wake every process. Instead, a process polls the table while one of its calls waits.
 *
 * @param isReader whether this process follows the log itself, so that most positions come from its own work
 */
export function readerPositionTracker(sql: Sql, isReader: () => boolean) {
  const positions = new Map<string, bigint>()
  const waits = new Set<Wait>()
  const sleep = createInterruptibleSleep()
  let listening: Promise<unknown> | undefined
  let pollMs = SHORTEST_POLL_MS
  let isPolling = false

  const note = (reached: Iterable<readonly [name: string, position: bigint]>) => {
    for (const [name, position] of reached) if (position > (positions.get(name) ?? -2n)) positions.set(name, position)
    for (const wait of waits) if (wait.isOver()) wait.resolve(true)
  }

  const listenForResets = () => {
    listening ??= sql
      .listen(RESETS_CHANNEL, payload => {
        const { names, position } = JSON.parse(payload) as { names: string[]; position: string }
        for (const name of names) positions.delete(name)
        note(names.map(name => [name, BigInt(position)]))
      })
      .catch(() => {
        listening = undefined
      })
    return listening
  }

  async function readCheckpoints(names: string[]) {
    try {
      const rows = await sql`select name, coalesce(log_end, position)::text as position from checkpoints where name = any(${names})`
      note(rows.map(r => [r.name as string, BigInt(r.position)] as const))
    } catch (error) {
      if (!isTransient(error)) throw error
    }
  }

  /** Reads the checkpoints again and again, for all waiting calls at once, until none is left. */
  async function poll() {
    isPolling = true
    while (waits.size) {
      sleep.reset()
      await sleep.sleep(isReader() ? LONGEST_POLL_MS : pollMs)
      pollMs = Math.min(pollMs * 2, LONGEST_POLL_MS)
      const names = new Set([...waits].flatMap(wait => wait.names))
      await readCheckpoints([...names]).catch(error => {
        for (const wait of waits) wait.reject(error)
      })
    }
    isPolling = false
  }

  return {
    listenForResets,
    /** Records positions; one that is lower than the known position changes nothing. */
    note,
    get: (name: string) => positions.get(name),
    /** Forgets the position of a reader that starts again at an earlier one. */
    forget: (name: string) => positions.delete(name),
    /**
     * Waits until these readers have processed all events up to a position, except parked streams. This also works in a process that runs
     * no readers itself. @returns false after `timeoutMs`
     */
    async reached(names: string[], position: bigint, timeoutMs: number): Promise<boolean> {
      const isOver = () => names.every(name => (positions.get(name) ?? -2n) >= position)
      if (position < 0n || isOver()) return true
      await listenForResets()
      await readCheckpoints(names)
      if (isOver()) return true
      const { promise, resolve, reject } = Promise.withResolvers<boolean>()
      const wait = { names, isOver, resolve, reject }
      waits.add(wait)
      pollMs = SHORTEST_POLL_MS
      if (!isReader()) sleep.wake()
      if (!isPolling) poll()
      // In a busy process the timer may fire before the result of a query that has already arrived. `setImmediate` lets that result be
      // handled first.
      const timer = setTimeout(() => setImmediate(() => resolve(isOver())), timeoutMs)
      return promise.finally(() => {
        clearTimeout(timer)
        waits.delete(wait)
      })
    },
  }
}
