import { randomUUID } from 'node:crypto'
import pino from 'pino'
import type { Sql } from 'postgres'
import { v7 as newId } from 'uuid'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { abortableSleep } from '../../modules/kernel/sleep.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { encryptedStore } from '../../modules/privacy/encrypted-store.ts'
import { personKeys } from '../../modules/privacy/person-keys.ts'
import { migrate } from '../../src/server/migrate.ts'
import { personalTexts } from '../../src/server/personal-texts.ts'
import { connectPostgres } from '../../src/server/postgres-pool.ts'
import { temporaryPostgres } from '../support/postgres.ts'
import { signIn } from './e6-many-servers.ts'
import type { BenchmarkFigure } from './figure.ts'
import { median, startMeasuredServer } from './load-generator.ts'
import { configuredStores } from './s2-request-overhead.ts'

const ROUNDS = Number(process.env.TAKEOVERS ?? 10)
/** The leader is killed at a random moment between two of its heartbeats (`leader-lease.ts`). */
const HEARTBEAT_MS = 500
/** What docs/operations.md promises. */
const MAX_TAKEOVER_MS = 2000
/** Until a takeover that takes longer counts as failed. */
const TAKEOVER_TIMEOUT_MS = 60_000
const silentLog = { info: () => {}, error: (about: object, what: string) => console.error(what, about) }

const pause = (ms: number) => abortableSleep(ms, new AbortController().signal)

async function findLeader(sql: Sql): Promise<string> {
  const [lease] = await sql<{ holder: string }[]>`select holder from leader_leases where expires > now()`
  if (!lease) throw new Error('No server leads.')
  return lease.holder
}

/**
 * E7: from the leader's SIGKILL to the moment when the other of two servers shows an event that was appended right after it.
 * Only the leader reads the log, so the event becomes visible once the other server has taken over.
 */
export default async function measureLeaderTakeover(): Promise<BenchmarkFigure[]> {
  const postgres = await temporaryPostgres({ fsync: 'off' })
  await migrate(postgres.url, pino({ level: 'silent' }))
  const sql = connectPostgres(postgres.url, { max: 2 })
  const store = encryptedStore(postgresStore(sql), personKeys(sql), personalTexts, silentLog)
  const env = { ...configuredStores, DATABASE_URL: postgres.url, ORIGIN: 'http://ours.test', WORK: '1' }
  const servers: Awaited<ReturnType<typeof startMeasuredServer>>[] = []
  try {
    const cookie = await signIn(sql)
    const player = newId()
    const createFolder = () =>
      handleCommand(
        store,
        folderDecider,
        randomUUID(),
        'create',
        { player, name: 'Tuesday bullpen' },
        { command: randomUUID(), actor: player },
      )
    /** Whether the server's read models contain the event at this position; it waits for a moment before it answers that they do not. */
    const isVisible = async (port: number, position: bigint) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/folders`, {
        headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-seen': `${position}` },
      })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`/api/folders: ${answer.status}`)
      return !answer.headers.has('x-stale')
    }

    // The first server leads. In each round it is killed, the other takes over, and a new one follows.
    servers.push(await startMeasuredServer('query', env))
    const delays: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      servers.push(await startMeasuredServer('query', env))
      const [leader, follower] = servers as [(typeof servers)[0], (typeof servers)[0]]
      const { position: earlier } = await createFolder()
      if (!(await isVisible(follower.port, earlier))) throw new Error('The follower lags before the leader is killed.')
      await pause(HEARTBEAT_MS * (1 + Math.random()))
      const killed = await findLeader(sql)

      const killedAt = performance.now()
      process.kill(leader.pid, 'SIGKILL')
      servers.shift()
      const { position } = await createFolder()
      while (!(await isVisible(follower.port, position)))
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
    await store.close()
    await sql.end({ timeout: 5 })
    await postgres.stop()
  }
}
