import type { TransactionSql } from 'postgres'

/** How many days a checkpoint counts as used after the last server that uses it has stopped, so that a release can be rolled back. */
export const CHECKPOINT_USED_DAYS = 1

/**
 * Records that this server uses these checkpoints. Locks them in the same order as readers do, to avoid deadlocks.
 */
export const markCheckpointsUsed = (tx: TransactionSql, names: string[]) => tx`
  with used as (select name from checkpoints where name in ${tx(names)} order by name for update)
  update checkpoints c set used = now() from used where c.name = used.name`
