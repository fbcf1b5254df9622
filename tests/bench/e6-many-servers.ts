import type { Sql } from 'postgres'
import { abortableSleep } from '../../modules/kernel/sleep.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { type MeasuredServer, startSharedDatabase } from './database-shared-by-servers.ts'
import { cpuSeconds } from './http-load-and-cpu-time-helpers.ts'

const SERVER_COUNTS = [1, 5, 20]
const EVENTS_PER_SECOND = 20
const SECONDS = 20
/** Each server answers this many requests before it is measured, so that each of 20 servers is as warm as a single one. */
const WARM_UP_REQUESTS = 100
/** A newly idle Postgres connection reports its last transactions up to 10 s late. Without this pause, idle servers would seem busy. */
const LATE_REPORTS_MS = 15_000
/** Maximum number of connections in a server's pool (docs/operations.md). */
const POOL_SIZE = 10
/** The name of this benchmark's own connections, which are not counted. */
const OWN_CONNECTIONS = 'benchmark'
const pause = (ms: number) => abortableSleep(ms, new AbortController().signal)

/** Transactions that this database has committed. A busy connection reports its own once a second, so this waits a little longer. */
async function transactions(sql: Sql): Promise<number> {
  await pause(1500)
  const [row] = await sql`select xact_commit::float8 as count from pg_stat_database where datname = current_database()`
  return row!.count
}

/** Calls `act` at an even rate, whether or not earlier calls have ended, and waits for all of them. */
async function atEvenRate(act: (n: number) => Promise<void>) {
  const start = performance.now()
  const running: Promise<void>[] = []
  for (let n = 0; n < EVENTS_PER_SECOND * SECONDS; n++) {
    const early = start + (n * 1000) / EVENTS_PER_SECOND - performance.now()
    if (early > 0) await pause(early)
    running.push(act(n))
  }
  await Promise.all(running)
}

/** @param listeners how many idle processes listen to the database in addition to the servers */
async function measureServers(count: number, listeners = 0) {
  const database = await startSharedDatabase({ max_connections: '300' }, OWN_CONNECTIONS)
  const { sql, createFolder } = database
  const servers: MeasuredServer[] = []
  const idleProcesses: MeasuredServer[] = []
  try {
    // Start them one after another, because 20 programs that load at the same time would slow each other down.
    for (let i = 0; i < count; i++) servers.push(await database.startServer('api'))
    for (let i = 0; i < listeners; i++) idleProcesses.push(await database.startServer('idle-postgres-listener'))
    const listFolders = async (server: number, position: bigint) => {
      if (!(await database.listFolders(servers[server]!, position))) throw new Error('A server answered with stale data.')
    }
    const { position } = await createFolder()
    for (let i = 0; i < count; i++) for (let n = 0; n < WARM_UP_REQUESTS; n++) await listFolders(i, position)

    // The first server leads; the others follow.
    const followers = servers.slice(1).map(server => server.pid)
    const cost = async (act: () => Promise<unknown>) => {
      const [before, cpuBefore] = [await transactions(sql), cpuSeconds(...followers)]
      await act()
      const cpu = cpuSeconds(...followers) - cpuBefore
      return { transactions: (await transactions(sql)) - before, cpu }
    }
    await pause(LATE_REPORTS_MS)
    const idle = await cost(() => pause(SECONDS * 1000))
    const busy = await cost(() => atEvenRate(async () => void (await createFolder())))
    const events = EVENTS_PER_SECOND * SECONDS

    const delays: number[] = []
    await atEvenRate(async n => {
      const { position } = await createFolder()
      const acknowledged = performance.now()
      await listFolders(n % count, position)
      delays.push(performance.now() - acknowledged)
    })
    const [row] = await sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and application_name <> ${OWN_CONNECTIONS}`
    delays.sort((a, b) => a - b)
    return {
      perEvent: busy.transactions / events,
      idlePerSecond: idle.transactions / SECONDS,
      followerCpuMs: followers.length ? (1000 * (busy.cpu - idle.cpu)) / events / followers.length : 0,
      p95: delays[Math.floor(delays.length * 0.95)]!,
      connections: row!.count / count,
    }
  } finally {
    await Promise.all([...servers, ...idleProcesses].map(server => server.stop()))
    await database.stop()
  }
}

/**
 * E6: what an event costs the database, and how soon every server shows it, with more and more real servers on one database. Idle servers'
 * own transactions (heartbeats, due work) are part of what an event costs. All 20 servers share this machine,
 * so the reference is one server next to idle listener processes, which take the place of the others.
 */
export default async function measureManyServers(): Promise<BenchmarkFigure[]> {
  const figures: BenchmarkFigure[] = []
  let p95OfOne = 0
  for (const count of SERVER_COUNTS) {
    const { perEvent, idlePerSecond, followerCpuMs, p95, connections } = await measureServers(count)
    const reference = count > 1 ? (await measureServers(1, count - 1)).p95 : p95
    const at = `${count} server${count === 1 ? '' : 's'}`
    p95OfOne ||= p95
    figures.push(
      { id: 'E6', name: `transactions per event, ${at}`, value: perEvent, unit: '', bar: 8, better: 'less' },
      { id: 'E6', name: `transactions per second while nothing happens, ${at}`, value: idlePerSecond, unit: '/s' },
      { id: 'E6', name: `acknowledged to visible on another server, p95, ${at}`, value: p95, unit: 'ms' },
      { id: 'E6', name: `that p95 relative to one server, ${at}`, value: p95 / p95OfOne, unit: '×', bar: 1.5, better: 'less' },
      ...(count > 1
        ? [
            {
              id: 'E6',
              name: `acknowledged to visible, p95, one server beside ${count - 1} processes that only listen`,
              value: reference,
              unit: 'ms',
            },
            {
              id: 'E6',
              name: `that p95 relative to one server beside processes that only listen, ${at}`,
              value: p95 / reference,
              unit: '×',
            },
            { id: 'E6', name: `CPU per event in each server that does not read the log, ${at}`, value: followerCpuMs, unit: 'ms' },
          ]
        : []),
      {
        id: 'E6',
        name: `connections of a server besides its pool of ${POOL_SIZE}, at most, ${at}`,
        value: Math.max(0, connections - POOL_SIZE),
        unit: '',
        bar: 4,
        better: 'less',
      },
    )
  }
  return figures
}
