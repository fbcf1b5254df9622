import type { AnyEvent } from './decider.ts'
import type { RecordedEvent } from './store.ts'

/** A recorded event whose `type` determines the type of its `data`. */
export type TypedEvent<E extends AnyEvent, T extends E['type'] = E['type']> = {
  [K in T]: Omit<RecordedEvent, 'data' | 'type'> & Extract<E, { type: K }>
}[T]

/** The Postgres column types that a row may have, with their TypeScript types. */
type Columns = {
  uuid: string
  text: string
  int: number
  bigint: bigint
  bool: boolean
  timestamptz: string
  jsonb: unknown
}
/** `'text?'` is a nullable column. */
type ColumnType = keyof Columns | `${keyof Columns}?`
type Value<C extends ColumnType> = C extends `${infer B extends keyof Columns}?`
  ? Columns[B] | null
  : C extends keyof Columns
    ? Columns[C]
    : never
export type ProjectionRow<R extends Record<string, ColumnType>> = { [K in keyof R]: Value<R[K]> }

export interface Projection<E extends AnyEvent = AnyEvent, R extends Record<string, ColumnType> = Record<string, ColumnType>> {
  /** The name of the read model. Queries read the table `tableOf(projection)`. */
  name: string
  version: number
  /** Columns; the first is the primary key. */
  row: R
  /**
   * Columns (or lists of columns) with an index, as SQL: `'player, updated desc'`, or for another type of index
   * `'using gin (name gin_trgm_ops)'`.
   */
  index?: string[]
  /** The key, or keys, of the rows that an event changes; `[]` if it changes none. */
  key: (e: TypedEvent<E>) => string | string[]
  /**
   * Pure functions that get the row before the event (null if there is none) and return the row after it (null to delete it). For an event
   * with several keys, they are called once for each key.
   */
  on: { [T in E['type']]?: (row: ProjectionRow<R> | null, e: TypedEvent<E, T>, key: string) => ProjectionRow<R> | null }
}

/** Defines a read model, which folds events into rows: `projection<Event>()({ name, version, row, key, on })`. */
export const projection =
  <E extends AnyEvent>() =>
  <const R extends Record<string, ColumnType>>(definition: Projection<E, R>) =>
    definition

/**
 * The name of a read model's table, for queries: `from ${sql(tableOf(folders))}`. Each version has its own table, so that servers of two
 * releases each find the columns that they were written for.
 */
export const tableOf = ({ name, version }: { name: string; version: number }) => `${name}_v${version}`

/**
 * Returns `row`, the first row of a stream.
 * @throws Error if the row exists already: another stream has the same id in a different spelling, so the reader parks this stream
 */
export const createRowOrThrow = <R>(before: object | null, row: R): R => {
  if (before) throw new Error('Another stream has begun this row.')
  return row
}
