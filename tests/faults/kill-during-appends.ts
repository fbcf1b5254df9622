import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { EventStore, RecordedEvent } from '../../modules/kernel/store.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { migrate } from '../../src/server/migrate.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { type AcknowledgedEvent, countLostAndReorderedEvents, type LogFaultCounts } from './count-lost-and-reordered-events.ts'
import { createNaiveStore } from './naive-store.ts'

/** What is killed with SIGKILL: one Postgres connection, all of Postgres, or the process that appends. */
export type KillTarget = 'backend' | 'postmaster' | 'app'

export interface KillResult extends LogFaultCounts {
  acknowledged: number
  kills: number
}

const silentLog = pino({ level: 'silent' })
const POLL_MS = 5
const MAX_WAIT_MS = 120_000

/**
 * Starts a Postgres and, in a separate process, several writers that append to it. Meanwhile kills the victims one after another and
 * restarts them. Then compares the confirmed events with the log, read from its beginning, and with what a follower received throughout.
 * @param o `entries`: how many events must be confirmed between one kill and the next
 */
export async function killDuringAppends(o: {
  store: 'ours' | 'naive'
  victims: Iterable<KillTarget>
  entries: () => number
}): Promise<KillResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-ledger-'))
  const start = () => startPostgres({ dataDir, log: silentLog })
  let server = await start()
  const { url } = server
  await migrate(url, silentLog)
  const sql = createPostgresPool(url)
  const store: EventStore = o.store === 'ours' ? postgresStore(sql) : await createNaiveStore(sql)
  const table = sql(o.store === 'ours' ? 'events' : 'naive')

  const ending = new AbortController()
  const live: RecordedEvent[] = []
  let followError: unknown
  const following = (async () => {
    for await (const batch of store.follow(-1n, ending.signal)) live.push(...batch)
  })().catch(error => {
    followError = error
  })

  const acknowledged: AcknowledgedEvent[] = []
  let app: ChildProcess
  const startWriters = () => {
    app = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'writer-process.ts'), url, o.store], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let rest = ''
    app.stdout!.on('data', (data: Buffer) => {
      // If the kill cut off the last output line, its event counts as not confirmed.
      const lines = (rest + data).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        const [id, stream, ...numbers] = line.split(' ') as [string, string, ...string[]]
        const [revision, position, sentAt, confirmedAt] = numbers.map(BigInt) as [bigint, bigint, bigint, bigint]
        acknowledged.push({ id, stream, revision, position: position < 0n ? undefined : position, sentAt, confirmedAt })
      }
    })
  }
  const killWriters = async () => {
    const closed = once(app, 'close')
    app.kill('SIGKILL')
    await closed
  }
  const killAndRestart: Record<KillTarget, () => Promise<unknown>> = {
    // A backend is the process of one connection. If it is killed, Postgres ends all other connections, too, and recovers by itself.
    backend: async () => {
      const [row] = await retryQuery(
        () => sql`
          select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
          order by state = 'idle', random() limit 1`,
      )
      process.kill(row!.pid, 'SIGKILL')
    },
    postmaster: async () => {
      process.kill(server.pid, 'SIGKILL')
      await server.stop()
      server = await start()
      if (server.url !== url) throw new Error('Postgres restarted at another address, because its port was taken.')
    },
    app: () => killWriters().then(startWriters),
  }
  /** Waits until `isReached` returns true. @throws Error after `MAX_WAIT_MS`, or if the follower has failed */
  const waitUntil = async (isReached: () => boolean | Promise<boolean>, what: string) => {
    for (let waitedMs = 0; !(await isReached()); waitedMs += POLL_MS) {
      if (followError) throw followError
      if (waitedMs > MAX_WAIT_MS) throw new Error(`${what}: not reached within ${MAX_WAIT_MS / 1000} s.`)
      await sleep(POLL_MS)
    }
  }
  /** Waits until enough further events have been confirmed. Each one restarts the time limit: with a long log, Postgres recovers slowly. */
  const waitForAppends = async () => {
    const target = acknowledged.length + o.entries()
    while (acknowledged.length < target) {
      const { length } = acknowledged
      await waitUntil(() => acknowledged.length > length, 'A confirmed append')
    }
  }

  let kills = 0
  try {
    startWriters()
    await waitForAppends()
    for (const victim of o.victims) {
      await killAndRestart[victim]()
      kills++
      await waitForAppends()
    }
    await killWriters()

    // Postgres may still be performing appends that it received before the writers were killed.
    const unfinishedAppends = () =>
      sql`select 1 from pg_stat_activity where backend_type = 'client backend' and query ~ 'append|insert' and state <> 'idle' and pid <> pg_backend_pid()`
    await waitUntil(async () => !(await retryQuery(unfinishedAppends)).length, 'The end of the last appends')
    const [row] = await retryQuery(() => sql`select max(position)::text as last from ${table}`)
    const last = BigInt(row!.last)
    const log: RecordedEvent[] = []
    for await (const batch of store.follow(-1n, ending.signal)) {
      log.push(...batch)
      if (log.at(-1)!.position >= last) break
    }
    await waitUntil(() => live.at(-1)!.position >= last, 'The last event, by the follower')
    // The database may apply the killed writers' appends even later, so one of the two readings can miss them.
    const upToLast = (reading: RecordedEvent[]) => reading.filter(e => e.position <= last)
    return { ...countLostAndReorderedEvents(acknowledged, upToLast(log), upToLast(live)), acknowledged: acknowledged.length, kills }
  } finally {
    app!.kill('SIGKILL')
    ending.abort()
    await following
    if ('close' in store) await (store.close as () => Promise<void>)()
    await sql.end({ timeout: 5 })
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Retries a query up to 100 times, because a connection that has not been used since the kill may be dead. */
const retryQuery = async <T>(query: () => Promise<T>): Promise<T> => {
  for (let tries = 0; ; tries++) {
    try {
      return await query()
    } catch (error) {
      if (tries === 100) throw error
      await sleep(50)
    }
  }
}
