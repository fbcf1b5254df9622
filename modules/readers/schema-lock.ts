import type { Sql, TransactionSql } from 'postgres'

/**
 * The key of the advisory lock that must be held by all code that creates or replaces tables, such as migrations. Any constant would do.
 */
export const SCHEMA_LOCK = 20260101

/** Runs `work` in a transaction that holds the schema lock, because many processes may create or replace tables at the same time. */
export const withSchemaLock = <T>(sql: Sql, work: (tx: TransactionSql) => Promise<T>) =>
  sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(${SCHEMA_LOCK})`
    return work(tx)
  }) as Promise<T>
