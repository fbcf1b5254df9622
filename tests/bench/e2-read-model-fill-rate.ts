import { readFileSync } from 'node:fs'
import pino from 'pino'
import { type Projection, tableOf } from '../../modules/kernel/projection.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { audit } from '../../projections/audit.ts'
import { folders } from '../../projections/folders.ts'
import { responseTimes } from '../../projections/response-times.ts'
import { story } from '../../projections/story.ts'
import { migrate } from '../../src/server/migrate.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { startTemporaryPostgres } from '../support/postgres.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { median } from './http-load-and-cpu-time-helpers.ts'

const FOLDERS = Number(process.env.LIVES ?? 100_000)
/** The number of folders that are active at the same time, and so the distance between two events of one folder. */
const CONCURRENT_FOLDERS = 500
const FOLDER_LIFECYCLE = ['FolderCreated', 'VideoAdded', 'VideoAdded', 'FolderAssigned', 'ReviewStarted', 'FeedbackGiven'].concat(
  ...['ClarificationAsked', 'ClarificationAnswered', 'FolderPaid', 'FolderArchived'],
)
const UUID_PATTERN = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
const silentLog = { info: () => {}, error: (about: object, what: string) => console.error(what, about) }

/**
 * E2: how fast a read model is rebuilt from a log of a million events, and whether memory stays flat. The audit table has one row
 * per event, a primary key and seven indexes. Its rebuild is compared with Postgres writing the same rows in a single `insert … select`.
 */
export default async function measureReadModelRebuildRate(): Promise<BenchmarkFigure[]> {
  const server = await startTemporaryPostgres({})
  await migrate(server.url, pino({ level: 'silent' }))
  const sql = createPostgresPool(server.url)
  const store = postgresStore(sql)
  const ending = new AbortController()
  try {
    await write(sql)
    const count = FOLDERS * FOLDER_LIFECYCLE.length
    // biome-ignore lint/suspicious/noExplicitAny: a list holds projections of different events
    const models: Projection<any, any>[] = [folders, story, responseTimes, audit]
    const views = projectionRunner(sql, store, models, { log: silentLog })
    await views.start(ending.signal)
    const start = performance.now()
    const names = models.map(m => m.name)
    while (!(await views.caughtUp(names, BigInt(count) - 1n, 60_000)));
    const all = count / ((performance.now() - start) / 1000)

    const figures: BenchmarkFigure[] = []
    const pace = async (work: () => Promise<unknown>) => {
      const start = performance.now()
      await work()
      return count / ((performance.now() - start) / 1000)
    }
    for (const { name } of models) {
      const heap: number[] = []
      const watch = setInterval(() => {
        globalThis.gc?.()
        heap.push(process.memoryUsage().heapUsed + process.memoryUsage().external)
      }, 500)
      await views.rebuild(name)
      clearInterval(watch)
      const part = (from: number, to: number) => median(heap.slice(Math.floor(heap.length * from), Math.ceil(heap.length * to)))
      const rate = await pace(() => views.rebuild(name))
      figures.push({ id: 'E2', name: `rebuild of ${name} from ${count / 1_000_000} M events`, value: rate, unit: '/s' })
      if (name === audit.name) {
        const plain = await pace(() => measureTableCopy(sql))
        await assertSameRows(sql)
        const note = 'Postgres filling the same table and indexes by itself'
        figures.push({ id: 'E2', name: `${note}, in the same run`, value: plain, unit: '/s' })
        figures.push({ id: 'E2', name: `rebuild of ${name}, relative to ${note}`, value: rate / plain, unit: '×', bar: 0.5 })
      }
      figures.push({
        id: 'E2',
        name: `memory at the end of rebuilding ${name}, relative to the beginning`,
        unit: '×',
        bar: 1.25,
        better: 'less',
        value: part(0.75, 1) / part(0, 0.25),
      })
    }
    return [...figures, { id: 'E2', name: 'all read models filled together, from empty tables', value: all, unit: '/s' }]
  } finally {
    ending.abort()
    await store.close()
    await sql.end({ timeout: 5 })
    await server.stop()
  }
}

/** Fills a copy of the audit table and creates its indexes, with Postgres alone. */
async function measureTableCopy(sql: ReturnType<typeof createPostgresPool>) {
  const columns = Object.entries(audit.row).map(([name, type]) => `"${name}" ${type.replace('?', '')}`)
  await sql.unsafe(`create table plain (${columns.join(', ')}, primary key (id))`)
  await sql`
    insert into plain
    select id, position, stream, revision, type, at, meta ->> 'name', meta ->> 'command', meta ->> 'actor', meta ->> 'cause',
      case when stream like 'folder-%' then substr(stream, 8)::uuid end, data::text::jsonb,
      coalesce(data ->> 'payer', data ->> 'player')::uuid,
      (select coalesce(jsonb_agg(distinct named.id), '[]') from (values (meta ->> 'actor'), (data ->> 'player'), (data ->> 'instructor'))
        named (id) where named.id ~ ${UUID_PATTERN})
    from events order by position`
  for (const by of audit.index ?? []) await sql.unsafe(`create index on plain ${by.startsWith('using ') ? by : `(${by})`}`)
}

/** @throws Error if Postgres did not write the same rows as the projection */
async function assertSameRows(sql: ReturnType<typeof createPostgresPool>) {
  // The order of the people does not matter.
  const rows = (table: string) => sql`select to_jsonb(t) || jsonb_build_object('people', (
    select jsonb_agg(named.id order by named.id) from jsonb_array_elements(t.people) named (id))) as entry, t.id from ${sql(table)} t`
  const [difference] = await sql<{ count: number }[]>`
    select count(*)::int as count from (${rows('plain')}) p full join (${rows(tableOf(audit))}) a using (id)
    where p.entry is distinct from a.entry`
  if (difference!.count) throw new Error(`${difference!.count} rows of the audit differ from those that Postgres filled.`)
}

/** Writes a million events: many folders in parallel, each with the same life cycle as in the sample events. */
async function write(sql: ReturnType<typeof createPostgresPool>) {
  const sample = (type: string) => JSON.parse(readFileSync(new URL(`../events/${type}.json`, import.meta.url), 'utf8'))[0]
  const samples = FOLDER_LIFECYCLE.map((type, revision) => {
    const { data, meta } = sample(type)
    const own = (value: object) => JSON.stringify(value).replaceAll(data.assignment ?? '<none>', '<assignment>')
    return { revision, type, data: own(data), meta: own(meta) }
  })
  await sql`
    insert into events
    select g, 'folder-' || md5('folder' || f)::uuid, s.revision, md5('event' || g)::uuid, s.type,
      replace(s.data, '<assignment>', md5('assignment' || f)::uuid::text)::json, s.meta::json,
      date_trunc('milliseconds', now()) + g * interval '1 ms'
    from generate_series(0, ${FOLDERS * FOLDER_LIFECYCLE.length - 1}::int) g
    cross join lateral (select g / ${CONCURRENT_FOLDERS * FOLDER_LIFECYCLE.length} * ${CONCURRENT_FOLDERS} + g % ${CONCURRENT_FOLDERS} as f, g / ${CONCURRENT_FOLDERS} % ${FOLDER_LIFECYCLE.length} as r) at
    join json_to_recordset(${JSON.stringify(samples)}::text::json) as s(revision int, type text, data text, meta text) on s.revision = at.r
    order by g`
  await sql`update head set position = ${FOLDERS * FOLDER_LIFECYCLE.length - 1}`
  await sql`analyze events`
  await sql`checkpoint`
}
