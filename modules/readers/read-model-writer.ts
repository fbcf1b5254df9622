import type { TransactionSql } from 'postgres'
import type { Projection } from '../kernel/projection.ts'
import type { RecordedEvent } from '../kernel/store.ts'
import type { Reader } from './deliver-batch.ts'

// biome-ignore lint/suspicious/noExplicitAny: for projections of any events
export type AnyProjection = Projection<any, any>
type Row = Record<string, unknown>
/** Rows by key; null if there is no row. */
type Rows = Map<string, Row | null>

/** Postgres parses one long JSON text more slowly than many short ones. */
const ROWS_PER_STATEMENT = 100
/** Folding yields to the event loop after this many events, because the same thread serves requests. */
const EVENTS_PER_TURN = 250

/** A column's type in SQL, without its nullability: `text` for both `text` and `text?`. */
const columnTypeSql = (type: string) => type.replace(/\?$/, '')
/** A column's type and nullability in SQL: `text` becomes `text not null`, and `text?` becomes `text`, which is nullable. */
export const columnDefinitionSql = (type: string) => (type.endsWith('?') ? columnTypeSql(type) : `${type} not null`)

/** The reader that maintains a projection's table: it loads the rows that a batch touches, folds in memory, and writes them back. */
export function readModelWriter(p: AnyProjection, table: string): Reader {
  const names = Object.keys(p.row)
  const key = names[0]!
  const bigints = names.filter(n => p.row[n].startsWith('bigint'))
  const times = names.filter(n => p.row[n].startsWith('timestamptz'))
  const list = names.map(n => `"${n}"`).join(', ')
  const changes = names.slice(1).map(n => `"${n}" = excluded."${n}"`)
  // Use an array instead of a join: Postgres would plan a join once, while the table is small, and then always scan the whole table.
  const whereKeyIn = `"${key}" = any (array(select x::${columnTypeSql(p.row[key])} from json_array_elements_text($1::text::json) x))`
  const select = `select json_agg(r)::text as rows from (select ${names.map(n => (bigints.includes(n) ? `"${n}"::text` : `"${n}"`)).join(', ')}
    from "${table}" where ${whereKeyIn}) r`
  const remove = `delete from "${table}" where ${whereKeyIn}`
  const upsert = `insert into "${table}" (${list}) select ${list} from json_populate_recordset(null::"${table}", $1::text::json)
    on conflict ("${key}") do ${changes.length ? `update set ${changes.join(', ')}` : 'nothing'}`
  const bigintsAsText = bigints.length ? (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value) : undefined

  async function load(tx: TransactionSql, keys: string[]): Promise<Rows> {
    const rows: Rows = new Map(keys.map(k => [k, null]))
    const [stored] = await tx.unsafe(select, [JSON.stringify(keys)], { prepare: true })
    for (const row of JSON.parse(stored!.rows ?? '[]') as Row[]) {
      for (const n of bigints) if (row[n] !== null) row[n] = BigInt(row[n] as string)
      for (const n of times) if (row[n] !== null) row[n] = new Date(row[n] as string).toISOString()
      rows.set(row[key] as string, row)
    }
    return rows
  }

  async function write(tx: TransactionSql, rows: Rows) {
    const removed = [...rows].filter(([, row]) => !row).map(([k]) => k)
    if (removed.length) await tx.unsafe(remove, [JSON.stringify(removed)], { prepare: true })
    const changed = [...rows.values()].filter(row => row !== null)
    const parts = Array.from({ length: Math.ceil(changed.length / ROWS_PER_STATEMENT) }, (_, i) =>
      changed.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT),
    )
    await Promise.all(parts.map(part => tx.unsafe(upsert, [JSON.stringify(part, bigintsAsText)], { prepare: true })))
  }

  async function apply(tx: TransactionSql, events: RecordedEvent[]) {
    const touching = events.filter(e => p.on[e.type]).map(e => ({ e, keys: [p.key(e)].flat() as string[] }))
    const keys = [...new Set(touching.flatMap(({ keys }) => keys))]
    if (!keys.length) return
    const rows = await load(tx, keys)
    for (const [i, { e, keys }] of touching.entries()) {
      for (const k of keys) rows.set(k, p.on[e.type]!(rows.get(k) ?? null, e, k))
      if (i % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await new Promise(setImmediate)
    }
    await write(tx, rows)
  }

  // A projection without handlers reads all types.
  const types = Object.keys(p.on)
  return { name: table, types: types.length ? types : undefined, apply }
}
