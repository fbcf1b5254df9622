import type { Sql, TransactionSql } from 'postgres'

/**
 * The position of the furthest reader of the log, of any kind and version; −1 if nothing has been read. It stands for the end of the log,
 * because not every store can tell its end, and the furthest reader lags only moments behind it.
 */
export async function furthestReaderPosition(sql: Sql | TransactionSql): Promise<bigint> {
  const [row] = await sql`select coalesce(max(coalesce(log_end, position)), -1)::text as position from checkpoints`
  return BigInt(row!.position)
}
