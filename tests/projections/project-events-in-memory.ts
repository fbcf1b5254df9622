import type { RecordedEvent } from '../../modules/kernel/store.ts'

/** Turns events into recorded events, as the log returns them: one per minute from May 1, 2026, each caused by `by`. */
export const toRecordedEvents = (events: { stream: string; type: string; data: object; by?: string }[]): RecordedEvent[] => {
  const revisions = new Map<string, bigint>()
  return events.map(({ stream, type, data, by = 'ana' }, i) => {
    const revision = (revisions.get(stream) ?? -1n) + 1n
    revisions.set(stream, revision)
    const at = new Date(Date.UTC(2026, 4, 1, 0, i)).toISOString()
    return { id: `e${i}`, stream, type, data, revision, position: BigInt(i), at, meta: { command: `c${i}`, name: `x.${type}`, actor: by } }
  })
}

type Rows = Map<string, Record<string, unknown>>
interface Folding {
  key(e: never): string | string[]
  // biome-ignore lint/suspicious/noExplicitAny: any projection
  on: Record<string, any>
}

/** Folds events into the rows of a projection as the kernel does, without a database. */
export function projectedRowsOf(projection: Folding, events: RecordedEvent[]): Rows {
  const rows: Rows = new Map()
  for (const e of events) {
    const fold = projection.on[e.type]
    if (!fold) continue
    for (const key of [projection.key(e as never)].flat()) {
      const row = fold(rows.get(key) ?? null, e, key)
      if (row) rows.set(key, row)
      else rows.delete(key)
    }
  }
  return rows
}
