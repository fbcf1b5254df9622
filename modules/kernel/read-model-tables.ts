import type { Sql, TransactionSql } from 'postgres'
import { withSchemaLock } from './checkpoints.ts'
import { type AnyProjection, sqlType } from './read-model-writer.ts'

/** The table behind the view: `name_version`. Its comment is its columns. */
export const tableOf = (p: AnyProjection) => `${p.name}_${p.version}`
/** The table that a rebuild fills. */
export const freshTableOf = (p: AnyProjection) => `${tableOf(p)}_fresh`

const columns = (p: AnyProjection) =>
  Object.entries<string>(p.row)
    .map(([name, type]) => `"${name}" ${sqlType(type)}`)
    .join(', ')

export interface PreparedTables {
  /** The view shows a table with the columns of this code; if not, the fresh table has to be filled and shown. */
  isCurrent: boolean
  /** There is a fresh table that an earlier process began to fill. */
  isFilling: boolean
}

/** Makes the tables and the view that are missing, and drops those of other versions that nobody reads. */
export async function prepareTables(tx: TransactionSql, p: AnyProjection): Promise<PreparedTables> {
  const [table, fresh] = [tableOf(p), freshTableOf(p)]
  const [is] = await tx`
    select obj_description(to_regclass(${p.name}), 'pg_class') as shown, obj_description(to_regclass(${table}), 'pg_class') as columns,
      obj_description(to_regclass(${fresh}), 'pg_class') as filling`
  const isFilling = is!.filling === columns(p)
  const unused = await tx`
    select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
    and relname ~ ${`^${p.name}_[0-9]+(_fresh)?$`} and relname not in (${is!.shown ?? ''}, ${isFilling ? fresh : ''})`
  for (const { relname } of unused) await dropTable(tx, relname)
  if (!is!.shown) {
    await createTable(tx, p, table)
    await createIndexes(tx, p, table)
    await createView(tx, p)
    return { isCurrent: true, isFilling }
  }
  if (is!.shown === table && is!.columns === columns(p)) return { isCurrent: true, isFilling }
  if (!isFilling) await createTable(tx, p, fresh)
  return { isCurrent: false, isFilling }
}

/** Begins a rebuild: an empty fresh table. */
export const recreateFreshTable = (sql: Sql, p: AnyProjection) =>
  withSchemaLock(sql, async tx => {
    await dropTable(tx, freshTableOf(p))
    await createTable(tx, p, freshTableOf(p))
  })

/**
 * `shown`: the fresh table took the place of the shown one. `gone`: another process did that. `worse`: the fresh table parked a stream that the
 * shown one has taken, and was dropped. `behind`: the fresh table is not as far as the shown one.
 */
export type SwapOutcome = 'shown' | 'gone' | 'worse' | 'behind'

/** Shows the fresh table if it is as far as the shown one. Both checkpoints are locked, so no event comes between them. */
export const swapTables = (sql: Sql, p: AnyProjection, code: string) =>
  withSchemaLock(sql, async (tx): Promise<SwapOutcome> => {
    const [table, fresh] = [tableOf(p), freshTableOf(p)]
    const [is] = await tx`
      select obj_description(to_regclass(${p.name}), 'pg_class') as shown, obj_description(to_regclass(${table}), 'pg_class') as columns`
    const rows = await tx`
      select name, coalesce(log_end, position) as position from checkpoints where name in (${fresh}, ${table}, ${is!.shown ?? ''}) order by name for update`
    const positionOf = (name: string) => rows.find(r => r.name === name)?.position
    if (positionOf(fresh) === undefined) return 'gone'
    if (BigInt(positionOf(fresh)) < BigInt(positionOf(is!.shown) ?? -1)) return 'behind'
    if (is!.shown === table && is!.columns === columns(p)) {
      const [worse] = await tx`
        select 1 from parked f left join parked s on s.reader = ${table} and s.stream = f.stream
        where f.reader = ${fresh} and (s.position is null or f.position < s.position) limit 1`
      await tx`update parked set code = ${code} where reader = ${table}`
      if (worse) await dropTable(tx, fresh)
      if (worse) return 'worse'
    }
    await createIndexes(tx, p, fresh)
    await tx`drop view if exists ${tx(p.name)}`
    await dropTable(tx, table)
    await tx`alter table ${tx(fresh)} rename to ${tx(table)}`
    await tx`update checkpoints set name = ${table} where name = ${fresh}`
    await tx`update parked set reader = ${table} where reader = ${fresh}`
    await createView(tx, p)
    return 'shown'
  })

async function createTable(tx: TransactionSql, p: AnyProjection, table: string) {
  await tx.unsafe(`create table "${table}" (${columns(p)}, primary key ("${Object.keys(p.row)[0]}"))`)
  await tx.unsafe(`comment on table "${table}" is '${columns(p)}'`)
  await tx`insert into checkpoints (name) values (${table})`
}

async function createIndexes(tx: TransactionSql, p: AnyProjection, table: string) {
  for (const by of p.index ?? []) await tx.unsafe(`create index on "${table}" (${by})`)
}

async function createView(tx: TransactionSql, p: AnyProjection) {
  await tx.unsafe(`create view "${p.name}" as select * from "${tableOf(p)}"; comment on view "${p.name}" is '${tableOf(p)}'`)
}

/** Locks the checkpoint first, as every writer of the table does: no deadlock. */
async function dropTable(tx: TransactionSql, table: string) {
  await tx`delete from checkpoints where name = ${table}`
  await tx`drop table if exists ${tx(table)} cascade`
  await tx`delete from parked where reader = ${table}`
}
