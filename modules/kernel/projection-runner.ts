import { once } from 'node:events'
import type { ISql, Sql, TransactionSql } from 'postgres'
import { encodeCopyField } from './pg-copy.ts'
import type { Projection } from './projection.ts'
import type { EventStore, Recorded } from './store.ts'
import {
  BULK,
  type ParkedStream,
  parkedStreamsOf,
  type Reader,
  type SubscriptionOptions,
  subscriptions,
  withSchemaLock,
} from './subscriptions.ts'

// biome-ignore lint/suspicious/noExplicitAny: a list holds projections of different events
type AnyProjection = Projection<any, any>
type Values = Record<string, unknown>

/** How one read model stands. */
export interface ReadModelStatus {
  name: string
  version: number
  /** Everything up to here is in it; −1 at the start. */
  position: bigint
  /** Where the log ended when it was found to be older than this; it stands still until it is rebuilt. */
  logEnd: bigint | null
  /** How far its rebuild is, if one is under way. */
  rebuilding: bigint | null
  /** How many streams it, or its rebuild, has put aside, and the first of them. */
  parked: { count: number; streams: ParkedStream[] }
}

const tableOf = (p: AnyProjection) => `${p.name}_${p.version}`
const freshOf = (p: AnyProjection) => `${tableOf(p)}_fresh`

/**
 * Keeps read models: each is the fold of the log, in the table `name_version`, read through the view `name`. A new version, or new columns,
 * fill a table beside the one that is shown and take its place in one transaction.
 */
export function projectionRunner(sql: Sql, store: EventStore, projections: AnyProjection[], options: SubscriptionOptions) {
  const readers = subscriptions(sql, store, options)
  const rebuilding = new Map<string, Promise<void>>()
  let running: AbortSignal | undefined
  const named = (name: string) => {
    const found = projections.find(p => p.name === name)
    if (!found) throw new Error(`There is no projection "${name}".`)
    return found
  }

  /** Fills the table beside and lets it take the place of the shown one once it is as far. Answers how that ended; `behind`: it was aborted. */
  async function fill(p: AnyProjection, signal: AbortSignal): Promise<Swapped> {
    let end: Swapped = 'behind'
    const over = async () => {
      end = await swap(sql, p, readers.code)
      return end !== 'behind'
    }
    // A table that another process has made anew meanwhile is filled on.
    while (!(await readers.alone(reader(p, freshOf(p)), signal, over)) && !signal.aborted);
    return end
  }

  async function bring(p: AnyProjection, { current, filling }: Prepared, untried: boolean, signal: AbortSignal) {
    if (!current) await readers.again(signal, () => fill(p, signal))
    const joined = readers.join(reader(p, tableOf(p)), signal)
    if (current && filling) await readers.again(signal, () => fill(p, signal))
    else if (current && untried) await rebuild(p.name).catch(error => options.log.error({ err: error }, 'what is parked is not lifted'))
    await joined
  }

  async function refill(p: AnyProjection) {
    const signal = running ?? new AbortController().signal
    await withSchemaLock(sql, async tx => {
      await drop(tx, freshOf(p))
      await create(tx, p, freshOf(p))
    })
    const end = await fill(p, signal)
    if (end === 'behind') throw new Error(`The rebuild of "${p.name}" was stopped.`)
    if (end === 'worse') throw new Error(`The rebuild of "${p.name}" cannot take an event that was taken before: what is shown stays.`)
  }

  /** One at a time: who asks for what is under way waits for it. */
  function rebuild(name: string): Promise<void> {
    const p = named(name)
    const under = rebuilding.get(name) ?? refill(p).finally(() => rebuilding.delete(name))
    rebuilding.set(name, under)
    return under
  }

  return {
    /** Makes the tables and views, then follows until aborted. Resolves when the views can be read. */
    async start(signal: AbortSignal) {
      running = signal
      const prepared = new Map<AnyProjection, Prepared>()
      await withSchemaLock(sql, async tx => {
        for (const p of projections) prepared.set(p, await prepare(tx, p))
      })
      const tables = projections.map(tableOf)
      await readers.start(tables, signal)
      const untried = await readers.untried(tables)
      for (const p of projections) bring(p, prepared.get(p)!, untried.includes(tableOf(p)), signal)
    },

    /** Whether these read models hold everything up to a position, but for what they have parked; waits until they do, `timeoutMs` at most. */
    caughtUp: (names: string[], position: bigint, timeoutMs = 2000) =>
      readers.caughtUp(
        names.map(name => tableOf(named(name))),
        position,
        timeoutMs,
      ),

    /**
     * Folds the whole log again beside what is shown, and swaps. This is also how parked streams are lifted: whatever rows their events touch,
     * they are those of a rebuild; and how it goes on over a log that is older than what was read of it.
     * @throws Error where it was stopped, or cannot take what is shown already
     */
    rebuild,

    /** How each stands, for the admin. */
    async status(): Promise<ReadModelStatus[]> {
      const [rows, parked] = await Promise.all([
        sql`select name, position::text, log_end::text from checkpoints`,
        parkedStreamsOf(
          sql,
          projections.flatMap(p => [tableOf(p), freshOf(p)]),
        ),
      ])
      const of = (name: string) => rows.find(r => r.name === name)
      return projections.map(p => {
        const [shown, fresh] = [of(tableOf(p)), of(freshOf(p))]
        return {
          name: p.name,
          version: p.version,
          position: BigInt(shown?.position ?? -1),
          logEnd: shown?.log_end ? BigInt(shown.log_end) : null,
          rebuilding: fresh ? BigInt(fresh.position) : null,
          parked: parked.get(shown ? tableOf(p) : freshOf(p)) ?? { count: 0, streams: [] },
        }
      })
    },
  }
}

interface Prepared {
  /** The shown table is what this code says; else the one beside it has to be filled. */
  current: boolean
  /** There is a table beside it that somebody began to fill. */
  filling: boolean
}

/** Makes what is missing. */
async function prepare(tx: TransactionSql, p: AnyProjection): Promise<Prepared> {
  const [table, fresh] = [tableOf(p), freshOf(p)]
  const [is] = await tx`
    select obj_description(to_regclass(${p.name}), 'pg_class') as shown, obj_description(to_regclass(${table}), 'pg_class') as columns,
      obj_description(to_regclass(${fresh}), 'pg_class') as filling`
  const filling = is!.filling === columns(p)
  const left = await tx`
    select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
    and relname ~ ${`^${p.name}_[0-9]+(_fresh)?$`} and relname not in (${is!.shown ?? ''}, ${filling ? fresh : ''})`
  for (const { relname } of left) await drop(tx, relname)
  if (!is!.shown) {
    await create(tx, p, table)
    await index(tx, p, table)
    await show(tx, p)
    return { current: true, filling }
  }
  if (is!.shown === table && is!.columns === columns(p)) return { current: true, filling }
  if (!filling) await create(tx, p, fresh)
  return { current: false, filling }
}

/** `gone`: another process did it. `worse`: it has parked what the shown one holds, and was thrown away. `behind`: not yet. */
type Swapped = 'shown' | 'gone' | 'worse' | 'behind'

/** Shows the table filled beside, if it is as far as the shown one. Both checkpoints are locked, so nothing is between them. */
const swap = (sql: Sql, p: AnyProjection, code: string) =>
  withSchemaLock(sql, async (tx): Promise<Swapped> => {
    const [table, fresh] = [tableOf(p), freshOf(p)]
    const [is] = await tx`
      select obj_description(to_regclass(${p.name}), 'pg_class') as shown, obj_description(to_regclass(${table}), 'pg_class') as columns`
    const rows = await tx`
      select name, coalesce(log_end, position) as position from checkpoints where name in (${fresh}, ${table}, ${is!.shown ?? ''}) order by name for update`
    const at = (name: string) => rows.find(r => r.name === name)?.position
    if (at(fresh) === undefined) return 'gone'
    if (BigInt(at(fresh)) < BigInt(at(is!.shown) ?? -1)) return 'behind'
    if (is!.shown === table && is!.columns === columns(p)) {
      const [worse] = await tx`
        select 1 from parked f left join parked s on s.reader = ${table} and s.stream = f.stream
        where f.reader = ${fresh} and (s.position is null or f.position < s.position) limit 1`
      await tx`update parked set code = ${code} where reader = ${table}`
      if (worse) await drop(tx, fresh)
      if (worse) return 'worse'
    }
    await index(tx, p, fresh)
    await tx`drop view if exists ${tx(p.name)}`
    await drop(tx, table)
    await tx`alter table ${tx(fresh)} rename to ${tx(table)}`
    await tx`update checkpoints set name = ${table} where name = ${fresh}`
    await tx`update parked set reader = ${table} where reader = ${fresh}`
    await show(tx, p)
    return 'shown'
  })

const sqlType = (type: string) => (type.endsWith('?') ? type.slice(0, -1) : `${type} not null`)
const columns = (p: AnyProjection) =>
  Object.entries<string>(p.row)
    .map(([name, type]) => `"${name}" ${sqlType(type)}`)
    .join(', ')

async function create(tx: TransactionSql, p: AnyProjection, table: string) {
  await tx.unsafe(`create table "${table}" (${columns(p)}, primary key ("${Object.keys(p.row)[0]}"))`)
  await tx.unsafe(`comment on table "${table}" is '${columns(p)}'`)
  await tx`insert into checkpoints (name) values (${table})`
}

async function index(tx: TransactionSql, p: AnyProjection, table: string) {
  for (const by of p.index ?? []) await tx.unsafe(`create index on "${table}" (${by})`)
}

async function show(tx: TransactionSql, p: AnyProjection) {
  await tx.unsafe(`create view "${p.name}" as select * from "${tableOf(p)}"; comment on view "${p.name}" is '${tableOf(p)}'`)
}

/** The checkpoint first, as who writes to the table locks it first, too. */
async function drop(tx: TransactionSql, table: string) {
  await tx`delete from checkpoints where name = ${table}`
  await tx`drop table if exists ${tx(table)} cascade`
  await tx`delete from parked where reader = ${table}`
}

/** Rows a statement writes: Postgres reads a long JSON text slower than many short ones. */
const PART = 100

/** Events folded without letting go of the thread. */
const GO_ON = 250

/** Folds a batch into a table: loads the rows that it touches (but those under way to it), folds in memory, writes what changed. */
function reader(p: AnyProjection, table: string): Reader {
  const names = Object.keys(p.row)
  const key = names[0]!
  const bigints = names.filter(n => p.row[n].startsWith('bigint'))
  const times = names.filter(n => p.row[n].startsWith('timestamptz'))
  const list = names.map(n => `"${n}"`).join(', ')
  const set = names.slice(1).map(n => `"${n}" = excluded."${n}"`)
  // an array, not a join: planned once, while the table is small, a join would read all of it ever after
  const among = `"${key}" = any (array(select x::${sqlType(p.row[key]).split(' ')[0]} from json_array_elements_text($1::text::json) x))`
  const load = `select json_agg(r)::text as rows from (select ${names.map(n => (bigints.includes(n) ? `"${n}"::text` : `"${n}"`)).join(', ')}
    from "${table}" where ${among}) r`
  const text = bigints.length ? (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value) : undefined
  const json = names.map(n => p.row[n].startsWith('jsonb'))
  const line = (row: Values) =>
    names.map((n, i) => encodeCopyField(json[i] && row[n] !== null ? JSON.stringify(row[n]) : row[n])).join('\t')
  const remove = `delete from "${table}" where ${among}`
  const write = `insert into "${table}" (${list}) select ${list} from json_populate_recordset(null::"${table}", $1::text::json)
    on conflict ("${key}") do ${set.length ? `update set ${set.join(', ')}` : 'nothing'}`

  type Rows = Map<string, Values | null>
  interface Folded {
    rows: Rows
    /** Rows that the table has already. */
    known: Set<string>
    bulk: boolean
  }
  async function fold(db: ISql, events: Recorded[], underWay?: Folded): Promise<Folded> {
    const rows: Rows = new Map()
    const touching: { e: Recorded; keys: string | string[] }[] = []
    for (const e of events) {
      if (!p.on[e.type]) continue
      const keys: string | string[] = p.key(e)
      touching.push({ e, keys })
      for (const k of typeof keys === 'string' ? [keys] : keys) rows.set(k, underWay?.rows.get(k) ?? null)
    }
    const known = new Set<string>()
    const bulk = events.length >= BULK
    const missing = [...rows.keys()].filter(k => {
      if (rows.get(k)) known.add(k)
      return !underWay?.rows.has(k)
    })
    if (missing.length) {
      // a plan for this once: the table is another size each time
      const [stored] = await db.unsafe(load, [JSON.stringify(missing)], { prepare: !bulk })
      for (const row of JSON.parse(stored!.rows ?? '[]') as Values[]) {
        for (const n of bigints) if (row[n] !== null) row[n] = BigInt(row[n] as string)
        for (const n of times) if (row[n] !== null) row[n] = new Date(row[n] as string).toISOString()
        rows.set(row[key] as string, row)
        known.add(row[key] as string)
      }
    }
    for (const [i, { e, keys }] of touching.entries()) {
      for (const k of typeof keys === 'string' ? [keys] : keys) rows.set(k, p.on[e.type]!(rows.get(k) ?? null, e, k))
      // what is being written meanwhile goes on
      if (i % GO_ON === GO_ON - 1) await new Promise(setImmediate)
    }
    return { rows, known, bulk }
  }

  async function put(tx: TransactionSql, { rows, known, bulk }: Folded) {
    const gone = [...rows].filter(([, row]) => !row).map(([k]) => k)
    if (gone.length) await tx.unsafe(remove, [JSON.stringify(gone)], { prepare: true })
    const kept = (which: (key: string) => boolean) => [...rows].filter(([k, row]) => row && which(k)).map(([, row]) => row!)
    // half the work for Postgres, more messages on the wire
    const fresh = bulk ? kept(k => !known.has(k)) : []
    if (fresh.length) {
      const copy = await tx.unsafe(`copy "${table}" (${list}) from stdin`).writable()
      copy.end(`${fresh.map(line).join('\n')}\n`)
      await once(copy, 'finish')
    }
    const changed = kept(k => !bulk || known.has(k))
    const parts = Array.from({ length: Math.ceil(changed.length / PART) }, (_, i) => changed.slice(i * PART, (i + 1) * PART))
    await Promise.all(parts.map(part => tx.unsafe(write, [JSON.stringify(part, text)], { prepare: true })))
  }

  // a projection of whatever there is names no type
  const types = Object.keys(p.on)
  return {
    name: table,
    types: types.length ? types : undefined,
    apply: async (tx, events) => put(tx, await fold(tx, events)),
    ahead: { fold, write: put } as Reader['ahead'],
  }
}
