import type { ISql, PendingQuery, Row } from 'postgres'
import type { TimeAndId } from '../modules/pagination.ts'

type SqlFragment = PendingQuery<Row[]>

/**
 * SQL condition: whether a row comes after the row with this sort key in a list that is sorted by time, newest first, and then by id. The
 * first comparison follows from the others; with it, Postgres can start at the right place in an index.
 * @param time the column with the time
 * @param id the column with the id
 */
export const olderThanKeySql = (sql: ISql, time: SqlFragment, id: SqlFragment, [lastTime, lastId]: TimeAndId) =>
  sql`${time} <= ${lastTime}::timestamptz and (${time} < ${lastTime}::timestamptz or ${id} > ${lastId}::uuid)`
