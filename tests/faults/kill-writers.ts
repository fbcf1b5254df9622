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
import { connectPostgres } from '../../src/server/postgres-pool.ts'
import { type AcknowledgedEvent, findLogFaults, type LogFaults } from './find-log-faults.ts'
import { naiveStore } from './naive-store.ts'

/** What is killed (-9): one of Postgres' connections, all of Postgres, or the process that appends. */
export type KillTarget = 'backend' | 'postmaster' | 'app'

export interface KillResult extends LogFaults {
  acknowledged: number
  kills: number
}

const quiet = pino({ level: 'silent' })
const POLL_MS = 5
const MAX_WAIT_MS = 120_000

/**
 * Appends by several writers in a process of its own, on a Postgres of its own, while each of these is killed in turn and brought back;
 * then compares the acknowledged events with the log, read from its beginning, and with the events of a follower that ran all the time.
 * @param entries acknowledged between one kill and the next, at least
 */
export async function killDuringAppends(o: {
  store: 'ours' | 'naive'
  victims: Iterable<KillTarget>
  entries: () => number
}): Promise<KillResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-ledger-'))
  const bring = () => startPostgres({ dataDir, log: quiet })
  let server = await bring()
  const { url } = server
  await migrate(url, quiet)
  const sql = connectPostgres(url)
  const store: EventStore = o.store === 'ours' ? postgresStore(sql) : await naiveStore(sql)
  const table = sql(o.store === 'ours' ? 'events' : 'naive')

  const ending = new AbortController()
  const live: RecordedEvent[] = []
  let broken: unknown
  const following = (async () => {
    for await (const batch of store.follow(-1n, ending.signal)) live.push(...batch)
  })().catch(error => {
    broken = error
  })

  const acknowledged: AcknowledgedEvent[] = []
  let app: ChildProcess
  const start = () => {
    app = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'writer-process.ts'), url, o.store], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let rest = ''
    app.stdout!.on('data', (data: Buffer) => {
      // a line cut short by the kill was not acknowledged
      const lines = (rest + data).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        const [id, stream, ...numbers] = line.split(' ') as [string, string, ...string[]]
        const [revision, position, begun, answered] = numbers.map(BigInt) as [bigint, bigint, bigint, bigint]
        acknowledged.push({ id, stream, revision, position: position < 0n ? undefined : position, begun, answered })
      }
    })
  }
  const kill = async () => {
    const gone = once(app, 'close')
    app.kill('SIGKILL')
    await gone
  }
  const strike: Record<KillTarget, () => Promise<unknown>> = {
    // Postgres then ends all others too, and recovers by itself
    backend: async () => {
      const [row] = await patiently(
        () => sql`
          select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
          order by state = 'idle', random() limit 1`,
      )
      process.kill(row!.pid, 'SIGKILL')
    },
    postmaster: async () => {
      process.kill(server.pid, 'SIGKILL')
      await server.stop()
      server = await bring()
      if (server.url !== url) throw new Error('Postgres came back at another address: its port was taken.')
    },
    app: () => kill().then(start),
  }
  /** Waits until `isReached`. @throws if it takes longer than MAX_WAIT_MS */
  const until = async (isReached: () => boolean | Promise<boolean>, what: string) => {
    for (let waited = 0; !(await isReached()); waited += POLL_MS) {
      if (broken) throw broken
      if (waited > MAX_WAIT_MS) throw new Error(`${what}: not reached within ${MAX_WAIT_MS / 1000} s.`)
      await sleep(POLL_MS)
    }
  }
  /** Waits for more acknowledged appends. Each acknowledgment restarts the limit, because a long log recovers slowly from a kill. */
  const more = async () => {
    const enough = acknowledged.length + o.entries()
    while (acknowledged.length < enough) {
      const { length } = acknowledged
      await until(() => acknowledged.length > length, 'An acknowledged append')
    }
  }

  let kills = 0
  try {
    start()
    await more()
    for (const victim of o.victims) {
      await strike[victim]()
      kills++
      await more()
    }
    await kill()

    // Appends under way may still arrive.
    const others = () =>
      sql`select 1 from pg_stat_activity where backend_type = 'client backend' and query ~ 'append|insert' and state <> 'idle' and pid <> pg_backend_pid()`
    await until(async () => !(await patiently(others)).length, 'The end of the last appends')
    const [row] = await patiently(() => sql`select max(position)::text as last from ${table}`)
    const last = BigInt(row!.last)
    const log: RecordedEvent[] = []
    for await (const batch of store.follow(-1n, ending.signal)) {
      log.push(...batch)
      if (log.at(-1)!.position >= last) break
    }
    await until(() => live.at(-1)!.position >= last, 'The last event, by the follower')
    // An append of the killed app may still arrive, so that one reading has it and the other does not.
    const upTo = (reading: RecordedEvent[]) => reading.filter(e => e.position <= last)
    return { ...findLogFaults(acknowledged, upTo(log), upTo(live)), acknowledged: acknowledged.length, kills }
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

/** Retries, because a connection that was not used since the kill may be dead. */
const patiently = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (let tries = 0; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (tries === 100) throw error
      await sleep(50)
    }
  }
}
