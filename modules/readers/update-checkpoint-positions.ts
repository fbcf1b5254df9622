import type { TransactionSql } from 'postgres'

/** Advances the checkpoints of these readers. The transaction must already have locked the rows. */
export const updateCheckpointPositions = (tx: TransactionSql, names: string[], position: bigint) =>
  tx`update checkpoints set position = ${`${position}`}::bigint, at = now() where name in ${tx(names)}`
