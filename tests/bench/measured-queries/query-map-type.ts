import type { Sql } from 'postgres'

/** Queries by the screen or job that runs them. If a query is about one person, that person is among those with the most data. */
export type QueryMap = Record<string, (sql: Sql, now: Date) => PromiseLike<unknown>>
