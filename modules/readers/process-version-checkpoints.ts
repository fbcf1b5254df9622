import type { Sql, TransactionSql } from 'postgres'
import type { Process } from '../kernel/process.ts'
import { CHECKPOINT_USED_DAYS, markCheckpointsUsed } from './checkpoint-usage.ts'
import { withSchemaLock } from './schema-lock.ts'

type VersionedProcess = Pick<Process, 'name' | 'version' | 'startsFrom'>

/** The name of a process's checkpoint, which contains the version except in version 1. */
export const processCheckpointName = ({ name, version = 1 }: Pick<Process, 'name' | 'version'>) =>
  version === 1 ? `process ${name}` : `process ${name} v${version}`

/** A pattern for the checkpoints of all versions of a process. */
export const allVersionsCheckpointPattern = ({ name }: Pick<Process, 'name'>) => `^process ${name}( v[0-9]+)?$`

/**
 * Creates the checkpoint of a process, unless there is one. A new version copies the checkpoint and the parked streams of the version that
 * is furthest behind, so that at least one version handles every event; errands that both create are posted once, because their ids are
 * derived from the event. A process without another version begins where its `startsFrom` says.
 * @param now the position from which a new process with `startsFrom: 'now'` handles events
 */
export async function ensureProcessCheckpoint(tx: TransactionSql, p: VersionedProcess, now: string) {
  const own = processCheckpointName(p)
  const [found] = await tx`select 1 from checkpoints where name = ${own}`
  if (found) return
  const [other] = await tx`select name from checkpoints where name ~ ${allVersionsCheckpointPattern(p)} order by position limit 1`
  if (!other) {
    await tx`insert into checkpoints (name, position) values (${own}, ${p.startsFrom === 'now' ? now : '-1'}::bigint)`
    return
  }
  // A single statement copies the checkpoint and its parked streams from one snapshot, even while servers of the other release keep reading
  // the log.
  await tx`
    with parked_streams as (
      insert into parked (reader, stream, position, revision, event, type, error, code)
      select ${own}, stream, position, revision, event, type, error, code from parked where reader = ${other.name}
    )
    insert into checkpoints (name, position, log_end, parked) select ${own}, position, log_end, parked from checkpoints where name = ${other.name}`
}

/**
 * Records which versions this server runs, and moves the checkpoints of versions that no server has run for a day forward to those of this
 * server. A server that later runs such a version, for instance after a rollback, continues from there, instead of handling everything
 * since that version's last run again.
 */
export const advanceUnusedVersions = (sql: Sql, processes: VersionedProcess[]) =>
  withSchemaLock(sql, async tx => {
    await markCheckpointsUsed(tx, processes.map(processCheckpointName))
    for (const p of processes) {
      const own = processCheckpointName(p)
      await tx`
        update checkpoints c set position = o.position, log_end = o.log_end
        from checkpoints o where o.name = ${own} and c.name <> o.name and c.name ~ ${allVersionsCheckpointPattern(p)}
          and c.position < o.position and greatest(c.used, c.at) < now() - ${CHECKPOINT_USED_DAYS} * interval '1 day'`
    }
  })
