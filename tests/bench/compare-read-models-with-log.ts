import { tableOf } from '../../modules/kernel/projection.ts'
import type { AppDependencies } from '../../src/api/app-dependencies.ts'
import { projections } from '../../src/server/module-registry.ts'

/** How long the readers may take to reach the end of the log. */
const CATCH_UP_MS = 30_000

export interface ReadModelDiscrepancyCounts {
  /** The number of streams that readers have parked. */
  parked: number
  /** The number of readers that did not reach the end of the log, plus one if waiting for them timed out. */
  behind: number
  /** The number of rows of read models that differ from a fold of the log. */
  different: number
}

/**
 * Maximum number of comparisons. A comparison is repeated if the log has grown in the meantime, because processes and errands continue
 * after the last request.
 */
const MAX_COMPARISONS = 10

type Deps = Pick<AppDependencies, 'sql' | 'store' | 'readModels' | 'processes'>

/** Waits until the log's readers have read all of it, then compares the rows of each read model with a fold of the log in memory. */
export async function compareReadModelsWithLog(deps: Deps): Promise<ReadModelDiscrepancyCounts> {
  for (let comparisons = 1; ; comparisons++) {
    const end = await endOfLog(deps)
    const found = await compareUpTo(deps, end)
    if ((await endOfLog(deps)) === end || comparisons === MAX_COMPARISONS) return found
  }
}

async function endOfLog({ sql }: Deps): Promise<bigint> {
  const [head] = await sql<{ position: bigint }[]>`select position from head`
  return head!.position
}

async function compareUpTo(deps: Deps, last: bigint): Promise<ReadModelDiscrepancyCounts> {
  const { sql, store } = deps
  const names = projections.map(p => p.name)
  const readModels = await deps.readModels.caughtUp(names, last, CATCH_UP_MS)
  const processes = await deps.processes.caughtUp(last, CATCH_UP_MS)
  const statuses = [...(await deps.readModels.status()), ...(await deps.processes.status())]
  for (const { name, parked } of statuses) for (const p of parked.streams) console.error(name, p.stream, p.type, p.error)
  const behind = statuses.filter(s => s.position < last).length + (readModels && processes ? 0 : 1)

  const folded = new Map(names.map(name => [name, new Map<string, unknown>()]))
  const ending = new AbortController()
  for await (const events of store.follow(-1n, ending.signal)) {
    for (const e of events) {
      if (e.position > last) break
      for (const p of projections) {
        const rows = folded.get(p.name)!
        const on = p.on[e.type]
        if (on) for (const key of [p.key(e)].flat()) rows.set(key, on(rows.get(key) ?? null, e, key))
      }
    }
    if (events.at(-1)!.position >= last) ending.abort()
  }
  let different = 0
  for (const p of projections) {
    const key = Object.keys(p.row)[0]!
    const rows = new Map([...folded.get(p.name)!].filter(([, row]) => row))
    for (const row of await sql`select * from ${sql(tableOf(p))}`) {
      if (textOf(row) !== textOf(rows.get(row[key]))) different++
      rows.delete(row[key])
    }
    different += rows.size
  }
  return { parked: statuses.reduce((sum, s) => sum + s.parked.count, 0), behind, different }
}

/** A row as text, independent of the order of its fields. */
const textOf = (row: unknown) =>
  JSON.stringify(row, (_, value) =>
    typeof value === 'bigint'
      ? `${value}`
      : value && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
  )
