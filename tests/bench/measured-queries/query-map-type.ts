import type { Sql } from 'postgres'

/** Queries by the screen that asks them. Each is for the person with the most data. */
export type QueryMap = Record<string, (sql: Sql, now: Date) => PromiseLike<unknown>>
