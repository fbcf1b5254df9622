import type { TransactionSql } from 'postgres'

/** Advances the checkpoints of readers, which this transaction has locked. */
export const updateCheckpointPositions = (tx: TransactionSql, names: string[], position: bigint) =>
  tx`update checkpoints set position = ${`${position}`}::bigint, at = now() where name in ${tx(names)}`
