import type { AnyEvent } from './decider.ts'
import type { RecordedEvent } from './store.ts'

/** A recorded event whose data is typed. */
export type TypedEvent<E extends AnyEvent, T extends E['type'] = E['type']> = {
  [K in T]: Omit<RecordedEvent, 'data' | 'type'> & Extract<E, { type: K }>
}[T]

/** Postgres column types a row may have, and what they are in TypeScript. */
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
export type Row<R extends Record<string, ColumnType>> = { [K in keyof R]: Value<R[K]> }

export interface Projection<E extends AnyEvent = AnyEvent, R extends Record<string, ColumnType> = Record<string, ColumnType>> {
  /** What it answers. Queries read the table `tableOf(projection)`. */
  name: string
  version: number
  /** Columns; the first is the primary key. */
  row: R
  /** Columns (or lists of columns) with an index, as SQL: `'player, updated desc'`; of another kind: `'using gin (name gin_trgm_ops)'`. */
  index?: string[]
  /** The key, or keys, of the rows that an event touches. `[]` touches none. */
  key: (e: TypedEvent<E>) => string | string[]
  /** Pure: the row as it was (null: none) and the event give the row as it is (null: gone). For several keys, called once a key. */
  on: { [T in E['type']]?: (row: Row<R> | null, e: TypedEvent<E, T>, key: string) => Row<R> | null }
}

/** A read model is a fold, keyed by row: `projection<Event>()({ name, version, row, key, on })`. */
export const projection =
  <E extends AnyEvent>() =>
  <const R extends Record<string, ColumnType>>(definition: Projection<E, R>) =>
    definition

/**
 * The table of a read model, which queries name: `from ${sql(tableOf(folders))}`. Each version has its own, so that servers of two releases each
 * find the columns that they were written for.
 */
export const tableOf = ({ name, version }: { name: string; version: number }) => `${name}_v${version}`

/** The row with which a stream begins. @throws Error where there is one already: another stream has this id in another spelling, and is parked. */
export const firstRow = <R>(before: object | null, row: R): R => {
  if (before) throw new Error('Another stream has begun this row.')
  return row
}
