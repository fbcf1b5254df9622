import type { Sql } from 'postgres'
import { tableOf } from '../kernel/projection.ts'
import type { EventStore } from '../kernel/store.ts'
import { markCheckpointsUsed } from './checkpoint-usage.ts'
import type { Reader } from './deliver-batch.ts'
import { furthestReaderPosition } from './furthest-reader-position.ts'
import {
  dropUnusedTables,
  freshTableOf,
  prepareReadModelTable,
  recreateFreshTable,
  swapInFreshTable,
  type TableSwapOutcome,
} from './read-model-table-lifecycle.ts'
import { type AnyProjection, readModelWriter } from './read-model-writer.ts'
import { type ParkedStream, parkedStreamsOf } from './read-parked-streams.ts'
import { withSchemaLock } from './schema-lock.ts'
import { type ReaderRunnerOptions, readerSubscriptions } from './subscriptions.ts'

/** How often a starting server checks how far a table is filled, and after how long without progress it stops waiting. */
const CATCH_UP_CHECK_MS = 1000
const STALLED_AFTER_MS = 60_000

export interface ReadModelStatus {
  name: string
  version: number
  /** The read model contains all events up to this position; −1 if there are none. */
  position: bigint
  /**
   * Null unless the log was found to end before `position`. Then the read model is stopped until it is rebuilt, and this is the position at
   * which the log ended.
   */
  logEnd: bigint | null
  /** The position of its rebuild; null while there is none. */
  rebuilding: bigint | null
  /** How many streams it, or its rebuild, has parked, and the oldest of them. */
  parked: { count: number; streams: ParkedStream[] }
}

/**
 * Maintains read models: each is the fold of the log, in a table of its version. A new version fills its own table next to those of other
 * versions, which servers of other releases maintain and read. A rebuild fills a second table, the fresh table, which then replaces the
 * table in one transaction. Companions are other readers that process each event in the same transaction as the read models; they start at
 * the log's beginning and are never rebuilt.
 */
export function projectionRunner(
  sql: Sql,
  store: EventStore,
  projections: AnyProjection[],
  { companions = [], ...options }: ReaderRunnerOptions & { companions?: readonly Reader[] },
) {
  const readers = readerSubscriptions(sql, store, options)
  const rebuilding = new Map<string, Promise<void>>()
  let running: AbortSignal | undefined
  const projectionNamed = (name: string) => {
    const found = projections.find(p => p.name === name)
    if (!found) throw new Error(`There is no projection "${name}".`)
    return found
  }

  /** Fills the fresh table, and swaps it in once it has reached the position of the current table. @returns `behind` if aborted */
  async function fill(p: AnyProjection, signal: AbortSignal): Promise<TableSwapOutcome> {
    let outcome: TableSwapOutcome = 'behind'
    const isSwapped = async () => {
      outcome = await swapInFreshTable(sql, p, readers.code)
      return outcome !== 'behind'
    }
    // If another process recreates the fresh table in the meantime, this fills it again from the beginning of the log.
    while (!(await readers.catchUp(readModelWriter(p, freshTableOf(p)), signal, isSwapped)) && !signal.aborted);
    return outcome
  }

  /** Maintains a table until aborted. It also completes an interrupted rebuild, or begins one to retry parked streams. */
  async function follow(p: AnyProjection, isFilling: boolean, hasUntried: boolean, signal: AbortSignal) {
    const joined = readers.join(readModelWriter(p, tableOf(p)), signal)
    if (isFilling) await readers.retrying(signal, () => fill(p, signal))
    else if (hasUntried) await rebuild(p.name).catch(error => options.log.error({ err: error }, 'parked streams could not be retried'))
    await joined
  }

  /**
   * Waits until a table has reached the position where the furthest reader was when the server started. Stops waiting if the table no
   * longer makes progress, if its reader is stopped, or if the log was found to end before that position.
   */
  async function waitUntilFilled(p: AnyProjection, target: bigint, signal: AbortSignal) {
    const table = tableOf(p)
    let before: bigint | undefined
    for (let waitedMs = 0; waitedMs < STALLED_AFTER_MS && !signal.aborted; waitedMs += CATCH_UP_CHECK_MS) {
      if (await readers.caughtUp([table], target, CATCH_UP_CHECK_MS)) return
      if (before === undefined) options.log.info({ table, target: `${target}` }, 'waiting until a read model is filled')
      const [row] = await sql`select position::text, log_end is not null as stopped from checkpoints where name = ${table}`
      if (row?.stopped) return
      const position = BigInt(row?.position ?? -1)
      if (position >= (await furthestReaderPosition(sql))) return
      if (before !== undefined && position > before) waitedMs = 0
      before = position
    }
    if (!signal.aborted)
      options.log.error({ table, target: `${target}` }, 'a read model makes no progress, so it is used although it is behind')
  }

  async function refill(p: AnyProjection) {
    const signal = running ?? new AbortController().signal
    await recreateFreshTable(sql, p)
    const outcome = await fill(p, signal)
    if (outcome === 'behind') throw new Error(`The rebuild of "${p.name}" was stopped.`)
    if (outcome === 'parked-more')
      throw new Error(`The rebuild of "${p.name}" fails on an event that was processed before, so the current table stays.`)
  }

  /** Rebuilds a read model. While this process is already rebuilding it, a second caller waits for that rebuild. */
  function rebuild(name: string): Promise<void> {
    const p = projectionNamed(name)
    const current = rebuilding.get(name) ?? refill(p).finally(() => rebuilding.delete(name))
    rebuilding.set(name, current)
    return current
  }

  return {
    /**
     * Creates the tables, then follows the log until aborted. Resolves when each table has reached the position of the furthest reader, or
     * is stopped or stalled. A table may have been filled only in part by a server that was stopped, and after a restore the only
     * checkpoints are those of other kinds of readers, so the position of the table's own versions is not enough.
     */
    async start(signal: AbortSignal) {
      running = signal
      let target = -1n
      const isFilling = new Map<AnyProjection, boolean>()
      await withSchemaLock(sql, async tx => {
        await markCheckpointsUsed(tx, projections.map(tableOf))
        target = await furthestReaderPosition(tx)
        for (const p of projections) isFilling.set(p, await prepareReadModelTable(tx, p))
        for (const { name } of companions) await tx`insert into checkpoints (name) values (${name}) on conflict do nothing`
      })
      const tables = projections.map(tableOf)
      await readers.whileLeading(signal, async leading => {
        await readers.start(tables, leading)
        const untried = await readers.untried(tables)
        for (const p of projections) follow(p, isFilling.get(p)!, untried.includes(tableOf(p)), leading)
        for (const companion of companions) readers.join(companion, leading)
      })
      await Promise.all(projections.map(p => waitUntilFilled(p, target, signal)))
    },

    /**
     * Records which versions of the read models this server reads, and drops those that no server has read for a day.
     * @returns the dropped tables
     */
    dropUnusedTables: () => dropUnusedTables(sql, projections),

    /** Waits until these read models hold all events up to a position, except parked streams. @returns false after `timeoutMs` */
    caughtUp: (names: string[], position: bigint, timeoutMs = 2000) =>
      readers.caughtUp(
        names.map(name => tableOf(projectionNamed(name))),
        position,
        timeoutMs,
      ),

    /**
     * Folds the whole log into a fresh table, which then replaces the current one. Parked streams are retried this way, too, because their
     * events may touch rows of other streams. A rebuild also restarts read models that were stopped because the log was restored
     * from an older backup.
     * @throws Error if aborted, or if it fails on an event that the current table has processed
     */
    rebuild,

    /** How far the companions have read. */
    async companionStatuses(): Promise<Pick<ReadModelStatus, 'name' | 'position' | 'logEnd'>[]> {
      if (!companions.length) return []
      const rows = await sql`select name, position::text, log_end::text from checkpoints where name in ${sql(companions.map(c => c.name))}`
      return rows.map(r => ({ name: r.name, position: BigInt(r.position), logEnd: r.log_end === null ? null : BigInt(r.log_end) }))
    },

    async status(): Promise<ReadModelStatus[]> {
      const tables = projections.flatMap(p => [tableOf(p), freshTableOf(p)])
      const [rows, parked] = await Promise.all([
        sql`select name, position::text, log_end::text from checkpoints`,
        parkedStreamsOf(sql, tables),
      ])
      const checkpointOf = (table: string) => rows.find(r => r.name === table)
      return projections.map(p => {
        const [shown, fresh] = [checkpointOf(tableOf(p)), checkpointOf(freshTableOf(p))]
        return {
          name: p.name,
          version: p.version,
          position: BigInt(shown?.position ?? -1),
          logEnd: shown?.log_end ? BigInt(shown.log_end) : null,
          rebuilding: fresh ? BigInt(fresh.position) : null,
          parked: parked.get(shown ? tableOf(p) : freshTableOf(p)) ?? { count: 0, streams: [] },
        }
      })
    },
  }
}
