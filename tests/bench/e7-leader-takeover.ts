import type { Sql } from 'postgres'
import { abortableSleep } from '../../modules/kernel/sleep.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { type MeasuredServer, startSharedDatabase } from './database-shared-by-servers.ts'
import { median } from './http-load-and-cpu-time-helpers.ts'

const ROUNDS = Number(process.env.TAKEOVERS ?? 10)
/** The leader is killed at a random moment between two of its heartbeats (`leader-lease.ts`). */
const HEARTBEAT_MS = 500
/** The longest takeover that docs/operations.md promises. */
const MAX_TAKEOVER_MS = 2000
/** A takeover that takes longer counts as failed. */
const TAKEOVER_TIMEOUT_MS = 60_000
const pause = (ms: number) => abortableSleep(ms, new AbortController().signal)

async function findLeader(sql: Sql): Promise<string> {
  const [lease] = await sql<{ holder: string }[]>`select holder from leader_leases where expires > now()`
  if (!lease) throw new Error('No server leads.')
  return lease.holder
}

/**
 * E7: the time from the leader's SIGKILL until the other of two servers shows an event that was appended right after the kill.
 * Only the leader reads the log, so the event becomes visible once the other server has taken over.
 */
export default async function measureLeaderTakeover(): Promise<BenchmarkFigure[]> {
  const database = await startSharedDatabase({}, 'benchmark')
  const { sql, createFolder, listFolders } = database
  const servers: MeasuredServer[] = []
  try {
    // The first server leads. In each round a new server joins, the leader is killed, and the other one takes over.
    servers.push(await database.startServer('api'))
    const delays: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      servers.push(await database.startServer('api'))
      const [leader, follower] = servers as [MeasuredServer, MeasuredServer]
      const { position: earlier } = await createFolder()
      if (!(await listFolders(follower, earlier))) throw new Error('The follower lags before the leader is killed.')
      await pause(HEARTBEAT_MS * (1 + Math.random()))
      const killed = await findLeader(sql)

      const killedAt = performance.now()
      process.kill(leader.pid, 'SIGKILL')
      servers.shift()
      const { position } = await createFolder()
      while (!(await listFolders(follower, position)))
        if (performance.now() - killedAt > TAKEOVER_TIMEOUT_MS) throw new Error('No server took over.')
      delays.push(performance.now() - killedAt)
      if ((await findLeader(sql)) === killed) throw new Error('The killed server did not lead.')
    }
    return [
      {
        id: 'E7',
        name: "from the leader's SIGKILL to the next event visible on the other server, maximum",
        value: Math.max(...delays),
        unit: 'ms',
        bar: MAX_TAKEOVER_MS,
        better: 'less',
      },
      { id: 'E7', name: 'the same, median', value: median(delays), unit: 'ms' },
      { id: 'E7', name: 'leaders killed', value: ROUNDS, unit: '' },
    ]
  } finally {
    await Promise.all(servers.map(server => server.stop()))
    await database.stop()
  }
}
