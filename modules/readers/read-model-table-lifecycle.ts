import type { Sql, TransactionSql } from 'postgres'
import { tableOf } from '../kernel/projection.ts'
import { withSchemaLock } from './checkpoints.ts'
import { type AnyProjection, sqlType } from './read-model-writer.ts'

/** The table that a rebuild fills. */
export const rebuildTableOf = (p: AnyProjection) => `${tableOf(p)}_fresh`
/** Tables of all versions; before numbered migrations their names had no `v`. */
const versionsOf = (p: AnyProjection) => `^${p.name}_v?[0-9]+$`

/** What a table holds, kept as its comment. */
const columns = (p: AnyProjection) =>
  Object.entries<string>(p.row)
    .map(([name, type]) => `"${name}" ${sqlType(type)}`)
    .join(', ')

export interface PreparedTables {
  /** How far other versions of this read model are, or this one was with other columns: queries wait until the table is there. */
  target: bigint
  /** There is a fresh table that an earlier process began to fill. */
  isFilling: boolean
}

/** Makes the table that is missing. Tables of other versions stay for the servers that read them. */
export async function prepareTables(tx: TransactionSql, p: AnyProjection): Promise<PreparedTables> {
  const [table, fresh] = [tableOf(p), rebuildTableOf(p)]
  const [is] = await tx`
    select obj_description(to_regclass(${table}), 'pg_class') as columns, obj_description(to_regclass(${fresh}), 'pg_class') as filling,
      (select max(coalesce(log_end, position))::text from checkpoints where name ~ ${versionsOf(p)}) as target`
  const isFilling = is!.filling === columns(p)
  if (is!.filling !== null && !isFilling) await dropTable(tx, fresh)
  if (is!.columns !== columns(p)) {
    await dropTable(tx, table)
    await createTable(tx, p, table)
    await createIndexes(tx, p, table)
  }
  return { target: BigInt(is!.target ?? -1), isFilling }
}

/** Notes that this server reads these tables. Locks their checkpoints in the order in which readers do. */
export const markTablesUsed = (tx: TransactionSql, tables: string[]) => tx`
  with used as (select name from checkpoints where name in ${tx(tables)} order by name for update)
  update checkpoints c set used = now() from used where c.name = used.name`

/** How long a version's table stays after the last server that reads it has gone, so that a release can be taken back. */
const UNUSED_DAYS = 1

/** Notes that this server reads these versions, and drops other versions of these read models that no server has read for a day. */
export const dropUnusedTables = (sql: Sql, projections: AnyProjection[]) =>
  withSchemaLock(sql, async tx => {
    const tables = projections.flatMap(p => [tableOf(p), rebuildTableOf(p)])
    await markTablesUsed(tx, tables)
    const unused = await tx`
      select name from checkpoints where name ~ any(${projections.map(p => `^${p.name}_v?[0-9]+(_fresh)?$`)}::text[])
        and greatest(used, at) < now() - ${UNUSED_DAYS} * interval '1 day'`
    for (const { name } of unused) await dropTable(tx, name)
    return unused.map(({ name }) => name as string)
  })

/** Begins a rebuild: an empty fresh table. */
export const recreateRebuildTable = (sql: Sql, p: AnyProjection) =>
  withSchemaLock(sql, async tx => {
    await dropTable(tx, rebuildTableOf(p))
    await createTable(tx, p, rebuildTableOf(p))
  })

/**
 * `shown`: the fresh table took the place of the one that queries read. `gone`: another process did that. `worse`: the fresh table parked a stream
 * that the other has taken, and was dropped. `behind`: the fresh table is not as far as the other.
 */
export type SwapOutcome = 'shown' | 'gone' | 'worse' | 'behind'

/** Shows the fresh table if it is as far as the one that queries read. Both checkpoints are locked, so no event comes between them. */
export const swapTables = (sql: Sql, p: AnyProjection, code: string) =>
  withSchemaLock(sql, async (tx): Promise<SwapOutcome> => {
    const [table, fresh] = [tableOf(p), rebuildTableOf(p)]
    const rows = await tx`
      select name, coalesce(log_end, position) as position from checkpoints where name in (${fresh}, ${table}) order by name for update`
    const positionOf = (name: string) => rows.find(r => r.name === name)?.position
    if (positionOf(fresh) === undefined) return 'gone'
    if (BigInt(positionOf(fresh)) < BigInt(positionOf(table) ?? -1)) return 'behind'
    const [worse] = await tx`
      select 1 from parked f left join parked s on s.reader = ${table} and s.stream = f.stream
      where f.reader = ${fresh} and (s.position is null or f.position < s.position) limit 1`
    await tx`update parked set code = ${code} where reader = ${table}`
    if (worse) await dropTable(tx, fresh)
    if (worse) return 'worse'
    await createIndexes(tx, p, fresh)
    await dropTable(tx, table)
    await tx`alter table ${tx(fresh)} rename to ${tx(table)}`
    await tx`update checkpoints set name = ${table} where name = ${fresh}`
    await tx`update parked set reader = ${table} where reader = ${fresh}`
    // Over a log that was restored it may be further back than other processes know.
    await tx`select pg_notify('checkpoints', ${JSON.stringify({ names: [table], position: `${positionOf(fresh)}`, isReset: true })})`
    return 'shown'
  })

async function createTable(tx: TransactionSql, p: AnyProjection, table: string) {
  await tx.unsafe(`create table "${table}" (${columns(p)}, primary key ("${Object.keys(p.row)[0]}"))`)
  await tx.unsafe(`comment on table "${table}" is '${columns(p)}'`)
  await tx`insert into checkpoints (name) values (${table})`
}

async function createIndexes(tx: TransactionSql, p: AnyProjection, table: string) {
  for (const by of p.index ?? []) await tx.unsafe(`create index on "${table}" ${by.startsWith('using ') ? by : `(${by})`}`)
}

/** Locks the checkpoint first, as every writer of the table does: no deadlock. Cascades to a view that servers from before read. */
async function dropTable(tx: TransactionSql, table: string) {
  await tx`delete from checkpoints where name = ${table}`
  await tx`drop table if exists ${tx(table)} cascade`
  await tx`delete from parked where reader = ${table}`
}
