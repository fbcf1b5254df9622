import type { Sql, TransactionSql } from 'postgres'

/** Any constant: all code that creates or replaces tables, such as migrations, takes this lock. */
export const SCHEMA_LOCK = 20260101

/** Does `work` in one transaction and under a lock: many processes may make or replace tables at once. */
export const withSchemaLock = <T>(sql: Sql, work: (tx: TransactionSql) => Promise<T>) =>
  sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(${SCHEMA_LOCK})`
    return work(tx)
  }) as Promise<T>

/** Advances checkpoints that this transaction has locked, and notifies every process. */
export const moveCheckpoints = (tx: TransactionSql, names: string[], position: bigint) => tx`
  with moved as (
    update checkpoints set position = ${`${position}`}::bigint, at = now() where name in ${tx(names)}
  )
  select pg_notify('checkpoints', ${JSON.stringify({ names, position: `${position}` })})`
