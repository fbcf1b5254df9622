import type { Sql, TransactionSql } from 'postgres'
import { tableOf } from '../kernel/projection.ts'
import { CHECKPOINT_USED_DAYS, markCheckpointsUsed } from './checkpoint-usage.ts'
import { type AnyProjection, columnDefinitionSql } from './read-model-writer.ts'
import { notifyPositionsReset } from './reader-position-tracker.ts'
import { withSchemaLock } from './schema-lock.ts'

/** The table that a rebuild fills. */
export const freshTableOf = (p: AnyProjection) => `${tableOf(p)}_fresh`

/** The columns of a table in SQL. They are also the table's comment, by which a later release notices that the columns have changed. */
const columns = (p: AnyProjection) =>
  Object.entries<string>(p.row)
    .map(([name, type]) => `"${name}" ${columnDefinitionSql(type)}`)
    .join(', ')

/**
 * Creates the table if it is missing, recreates it if its columns have changed, and drops a fresh table with outdated columns. Tables of
 * other versions stay for the servers that read them.
 * @returns whether there is a fresh table that an earlier process has begun to fill
 */
export async function prepareReadModelTable(tx: TransactionSql, p: AnyProjection): Promise<boolean> {
  const [table, fresh] = [tableOf(p), freshTableOf(p)]
  const [found] = await tx`
    select obj_description(to_regclass(${table}), 'pg_class') as columns, obj_description(to_regclass(${fresh}), 'pg_class') as filling`
  const isFilling = found!.filling === columns(p)
  if (found!.filling !== null && !isFilling) await dropTable(tx, fresh)
  if (found!.columns !== columns(p)) {
    await dropTable(tx, table)
    await createTable(tx, p, table)
    await createIndexes(tx, p, table)
  }
  return isFilling
}

/**
 * Records that this server reads these versions, and drops other versions of these read models that no server has read for a day.
 * @returns the dropped tables
 */
export const dropUnusedTables = (sql: Sql, projections: AnyProjection[]) =>
  withSchemaLock(sql, async tx => {
    const tables = projections.flatMap(p => [tableOf(p), freshTableOf(p)])
    await markCheckpointsUsed(tx, tables)
    const unused = await tx`
      select name from checkpoints where name ~ any(${projections.map(p => `^${p.name}_v?[0-9]+(_fresh)?$`)}::text[])
        and greatest(used, at) < now() - ${CHECKPOINT_USED_DAYS} * interval '1 day'`
    for (const { name } of unused) await dropTable(tx, name)
    return unused.map(({ name }) => name as string)
  })

/** Begins a rebuild with an empty fresh table. */
export const recreateFreshTable = (sql: Sql, p: AnyProjection) =>
  withSchemaLock(sql, async tx => {
    await dropTable(tx, freshTableOf(p))
    await createTable(tx, p, freshTableOf(p))
  })

/**
 * `swapped`: the fresh table has replaced the one that queries read. `swapped-elsewhere`: another process has done that. `parked-more`: the
 * fresh table had parked an event that the current one has processed, and was dropped. `behind`: the fresh table has not reached the
 * current one's position.
 */
export type TableSwapOutcome = 'swapped' | 'swapped-elsewhere' | 'parked-more' | 'behind'

/**
 * Replaces the table that queries read with the fresh table, if the fresh table has reached its position. Locks both checkpoints, so that
 * neither advances meanwhile.
 */
export const swapInFreshTable = (sql: Sql, p: AnyProjection, code: string) =>
  withSchemaLock(sql, async (tx): Promise<TableSwapOutcome> => {
    const [table, fresh] = [tableOf(p), freshTableOf(p)]
    const rows = await tx`
      select name, coalesce(log_end, position) as position from checkpoints where name in (${fresh}, ${table}) order by name for update`
    const positionOf = (name: string) => rows.find(r => r.name === name)?.position
    if (positionOf(fresh) === undefined) return 'swapped-elsewhere'
    if (BigInt(positionOf(fresh)) < BigInt(positionOf(table) ?? -1)) return 'behind'
    const [parkedMore] = await tx`
      select 1 from parked f left join parked s on s.reader = ${table} and s.stream = f.stream
      where f.reader = ${fresh} and (s.position is null or f.position < s.position) limit 1`
    await tx`update parked set code = ${code} where reader = ${table}`
    if (parkedMore) {
      await dropTable(tx, fresh)
      return 'parked-more'
    }
    await createIndexes(tx, p, fresh)
    await dropTable(tx, table)
    await tx`alter table ${tx(fresh)} rename to ${tx(table)}`
    await tx`update checkpoints set name = ${table} where name = ${fresh}`
    await tx`update parked set reader = ${table} where reader = ${fresh}`
    // After an older log was restored, this position may be lower than the one that other processes know, so they reset theirs.
    await notifyPositionsReset(tx, [table], BigInt(positionOf(fresh)))
    return 'swapped'
  })

async function createTable(tx: TransactionSql, p: AnyProjection, table: string) {
  await tx.unsafe(`create table "${table}" (${columns(p)}, primary key ("${Object.keys(p.row)[0]}"))`)
  await tx.unsafe(`comment on table "${table}" is '${columns(p)}'`)
  await tx`insert into checkpoints (name) values (${table})`
}

async function createIndexes(tx: TransactionSql, p: AnyProjection, table: string) {
  for (const by of p.index ?? []) await tx.unsafe(`create index on "${table}" ${by.startsWith('using ') ? by : `(${by})`}`)
}

/**
 * Deletes the checkpoint first: every writer of the table locks it first, and the same order avoids deadlocks. Cascades to the view through
 * which much older releases read the table.
 */
async function dropTable(tx: TransactionSql, table: string) {
  await tx`delete from checkpoints where name = ${table}`
  await tx`drop table if exists ${tx(table)} cascade`
  await tx`delete from parked where reader = ${table}`
}
