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

/** What keeps a checkpoint: a reader of the log. */
export interface CheckpointOwner {
  name: string
  /** False if only its own process waits for it. Then other processes are not notified of its progress, which wakes each of them. */
  isAwaitedElsewhere?: boolean
}

/** Advances the checkpoints of readers, which this transaction has locked, and notifies the processes that may wait for them. */
export function advanceCheckpoints(tx: TransactionSql, readers: CheckpointOwner[], position: bigint) {
  const awaited = readers.filter(reader => reader.isAwaitedElsewhere !== false).map(reader => reader.name)
  return tx`
    with moved as (
      update checkpoints set position = ${`${position}`}::bigint, at = now() where name in ${tx(readers.map(reader => reader.name))}
    )
    select pg_notify('checkpoints', ${JSON.stringify({ names: awaited, position: `${position}` })}) where ${awaited.length > 0}`
}
