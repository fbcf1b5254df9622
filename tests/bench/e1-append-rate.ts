import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql'
import pino from 'pino'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { migrate } from '../../src/server/migrate.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { startTemporaryPostgres } from '../support/postgres.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { median } from './http-load-and-cpu-time-helpers.ts'

const rounds = 5
const seconds = 3

/** Measures how many events per second `writers` concurrent writers append, one event at a time, each to its own stream. */
async function rate(writers: number, append: (stream: string, n: number) => Promise<unknown>) {
  const start = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: writers }, async () => {
      const stream = `folder-${randomUUID()}`
      for (let n = 0; performance.now() - start < seconds * 1000; n++) {
        await append(stream, n)
        done++
      }
    }),
  )
  return done / ((performance.now() - start) / 1000)
}

const data = () => ({ video: randomUUID(), name: 'Tuesday bullpen, third set', bytes: 48_123_456 })

/** E1: durable appends to the Postgres store, compared with Emmett's on the same Postgres, and with pgbench's bare one-row inserts. */
export default async function measureAppendRate(): Promise<BenchmarkFigure[]> {
  const server = await startTemporaryPostgres({})
  await migrate(server.url, pino({ level: 'silent' }))
  const sql = createPostgresPool(server.url)
  const emmett = getPostgreSQLEventStore(server.url)
  const pgbench = await inserts(server.url)
  try {
    await sql.unsafe('create table plain (position bigserial primary key, stream text, revision bigint, data json, meta json)')
    await emmett.schema.migrate()
    const store = postgresStore(sql)
    const meta = () => ({ command: randomUUID(), name: 'folder.addVideo', actor: 'player' })
    const ours = (stream: string, n: number) =>
      store.append(stream, BigInt(n) - 1n, [{ id: randomUUID(), type: 'VideoAdded', data: data(), meta: meta() }])
    const theirs = (stream: string, n: number) =>
      emmett.appendToStream(stream, [{ type: 'VideoAdded', data: data(), metadata: meta() }], {
        expectedStreamVersion: n ? BigInt(n) : 'STREAM_DOES_NOT_EXIST',
      })
    const rates: Record<'few' | 'many' | 'emmett' | 'pgbench', number[]> = { few: [], many: [], emmett: [], pgbench: [] }
    for (let i = 0; i <= rounds; i++) {
      const round = {
        few: await rate(32, ours),
        emmett: await rate(32, theirs),
        many: await rate(128, ours),
        pgbench: (await pgbench?.run()) ?? 0,
      }
      if (i) for (const key of Object.keys(round) as (keyof typeof round)[]) rates[key].push(round[key])
    }
    const [log] = await sql`select max(position) - count(*) + 1 as missing from events`
    await store.close()
    const figures: BenchmarkFigure[] = [
      { id: 'E1', name: 'appends with 32 writers, relative to Emmett', value: ratio(rates.few, rates.emmett), unit: '×', bar: 5 },
      { id: 'E1', name: 'appends with 32 writers', value: median(rates.few), unit: '/s' },
      { id: 'E1', name: 'appends with 32 writers, Emmett, in the same run', value: median(rates.emmett), unit: '/s' },
      { id: 'E1', name: 'appends with 128 writers', value: median(rates.many), unit: '/s' },
      { id: 'E1', name: 'missing positions', value: Number(log!.missing), unit: '', bar: 0, better: 'less' },
    ]
    if (!pgbench) console.log('E1   pgbench is not installed (postgresql-contrib): appends at 128 writers are not compared.')
    else
      figures.push(
        {
          id: 'E1',
          name: 'appends with 128 writers, relative to pgbench with 32',
          value: ratio(rates.many, rates.pgbench),
          unit: '×',
          bar: 1,
        },
        { id: 'E1', name: 'pgbench, one-row inserts with 32 clients, in the same run', value: median(rates.pgbench), unit: '/s' },
      )
    return figures
  } finally {
    await pgbench?.end()
    await emmett.close()
    // `end` resolves before the connections have closed. Wait for that, because they would report an error if Postgres stopped earlier.
    const others = () => sql`select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`
    while ((await others()).length) await new Promise(resolve => setTimeout(resolve, 50))
    await sql.end({ timeout: 5 })
    await server.stop()
  }
}

const ratio = (us: number[], them: number[]) => median(us.map((value, i) => value / them[i]!))

async function inserts(url: string) {
  const [binary] = ['/usr/bin/pgbench', ...globSync('/usr/lib/postgresql/*/bin/pgbench')].filter(existsSync)
  if (!binary) return
  const dir = await mkdtemp(join(tmpdir(), 'diamondlink-pgbench-'))
  const script = join(dir, 'insert.sql')
  const meta = `{"command":"${randomUUID()}","name":"folder.addVideo","actor":"player"}`
  await writeFile(
    script,
    `\\set n random(1, 1000000)\ninsert into plain (stream, revision, data, meta) values ('folder-${randomUUID()}', :n, '${JSON.stringify(data())}', '${meta}');\n`,
  )
  return {
    async run() {
      const { stdout } = await promisify(execFile)(binary, [
        ...['-n', '-M', 'prepared', '-c', '32', '-j', '2', '-T', `${seconds}`],
        ...['-f', script, url],
      ])
      return Number(stdout.match(/tps = ([\d.]+)/)![1])
    },
    end: () => rm(dir, { recursive: true, force: true }),
  }
}
