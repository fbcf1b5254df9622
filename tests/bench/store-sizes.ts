import type { Sql } from 'postgres'
import type { ObjectStore } from '../../modules/media/object-store.ts'

/** What a server keeps in its stores: counts, and sizes in bytes. */
export interface StoreSizes {
  events: number
  errands: number
  readModelRows: number
  /** The tables, without their indexes: the log, the read models, all others. */
  logBytes: number
  readModelBytes: number
  otherTableBytes: number
  indexBytes: number
  /** The position of the write-ahead log, which grows with each change to a table or index. */
  walBytes: number
  objects: number
  objectBytes: number
}
type TableSizes = Omit<StoreSizes, 'objects' | 'objectBytes'>

const READ_MODEL = '_v[0-9]+$'

/** Measures all tables, indexes and objects. Tables grow by pages of 8 kB, so a difference means something only over many changes. */
export async function measureStoreSizes(sql: Sql, objects: ObjectStore): Promise<StoreSizes> {
  const tables = await sql<{ name: string; bytes: number; indexBytes: number; isReadModel: boolean }[]>`
    select relname as name, pg_table_size(oid)::float8 as bytes, pg_indexes_size(oid)::float8 as "indexBytes",
      relname ~ ${READ_MODEL} as "isReadModel"
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const readModels = tables.filter(table => table.isReadModel)
  const rows = readModels.map(
    async ({ name }) => (await sql<{ count: number }[]>`select count(*)::int as count from ${sql(name)}`)[0]!.count,
  )
  const others = tables.filter(table => !table.isReadModel && table.name !== 'events')
  const [counted] = await sql<Pick<TableSizes, 'events' | 'errands' | 'walBytes'>[]>`
    select (select count(*)::int from events) as events, (select count(*)::int from errands) as errands,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "walBytes"`
  return {
    ...counted!,
    readModelRows: sum(await Promise.all(rows)),
    logBytes: sum(tables.filter(table => table.name === 'events').map(table => table.bytes)),
    readModelBytes: sum(readModels.map(table => table.bytes)),
    otherTableBytes: sum(others.map(table => table.bytes)),
    indexBytes: sum(tables.map(table => table.indexBytes)),
    ...(await measureObjects(objects)),
  }
}

async function measureObjects(objects: ObjectStore) {
  let [count, bytes] = [0, 0]
  for await (const { key } of objects.list('')) {
    const head = await objects.head(key)
    count++
    bytes += head?.bytes ?? 0
  }
  return { objects: count, objectBytes: bytes }
}
