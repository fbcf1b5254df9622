import type { Sql } from 'postgres'

/** QueryMap by the screen that asks them. Each is for the person with the most data. */
export type QueryMap = Record<string, (sql: Sql, now: Date) => PromiseLike<unknown>>
