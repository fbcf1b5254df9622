import type { TransactionSql } from 'postgres'

/**
 * Records that this server reads with these checkpoints. Locks them in the same order as readers do, so that none waits for the other.
 */
export const markCheckpointsUsed = (tx: TransactionSql, names: string[]) => tx`
  with used as (select name from checkpoints where name in ${tx(names)} order by name for update)
  update checkpoints c set used = now() from used where c.name = used.name`
