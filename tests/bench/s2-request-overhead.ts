import { v7 as newId } from 'uuid'
import { loginSessions } from '../../modules/accounts/login-sessions.ts'
import { createTestDatabase } from '../support/postgres.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { cpuSeconds, median, runLoadTest, startBenchServerProcess } from './http-load-and-cpu-time-helpers.ts'

/** Many short rounds, because the machine's speed changes by the second: it has to be about the same in both halves of a round. */
const rounds = 40
const warmUpRounds = 4
const milliseconds = 800
const connections = 8
/** Configures every external service with placeholders, so that no embedded one starts. The benchmarks use only Postgres. */
export const PLACEHOLDER_STORE_ENV = {
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_BUCKET: 'bucket',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  RESEND_API_KEY: 're_x',
  PORT: '1',
}

/**
 * S2: CPU time per `GET /api/user` request, with its checks of origin, session and schemas and all headers, compared with a bare
 * `node:http` handler that makes the same query.
 */
export default async function measureRequestOverhead(): Promise<BenchmarkFigure[]> {
  const db = await createTestDatabase()
  const env = { ...PLACEHOLDER_STORE_ENV, DATABASE_URL: db.url, ORIGIN: 'http://ours.test' }
  const ours = await startBenchServerProcess('api', env)
  const id = newId()
  await db.sql`insert into users (id, role, username, email, password, first_name, last_name, command, created)
    values (${id}, 'player', 'ana@example.com', 'ana@example.com', '-', 'Ana', 'Diaz', ${newId()}, now())`
  const signedIn = loginSessions(db.sql, () => new Date())
  const token = await signedIn.start(id, 'bench')
  await signedIn.stop()
  const theirs = await startBenchServerProcess('api', { ...env, BARE: '1', USER_ID: id })
  const request = `GET /api/user HTTP/1.1\r\nhost: ours.test\r\naccept: application/json\r\nsec-fetch-site: same-origin\r\nx-seen: 0\r\ncookie: session=${token}\r\nuser-agent: bench\r\n\r\n`
  try {
    const each = async ({ port, pid }: { port: number; pid: number }) => {
      const before = cpuSeconds(pid)
      const load = await runLoadTest(port, request, { connections, milliseconds })
      if (Object.keys(load.statuses).join() !== '200') throw new Error(`answers: ${JSON.stringify(load.statuses)}`)
      return ((cpuSeconds(pid) - before) / load.requests) * 1e6
    }
    const [us, them]: [number[], number[]] = [[], []]
    for (let i = -warmUpRounds; i < rounds; i++) {
      const pair = [await each(ours), await each(theirs)] as const
      if (i >= 0) us.push(pair[0]) && them.push(pair[1])
    }
    return [
      {
        id: 'S2',
        name: 'a guarded query, relative to a bare handler',
        value: median(us.map((value, i) => value / them[i]!)),
        unit: '× CPU',
        bar: 1.35,
        better: 'less',
      },
      { id: 'S2', name: 'CPU of a guarded query', value: median(us), unit: 'µs' },
      { id: 'S2', name: 'CPU of the bare handler, in the same run', value: median(them), unit: 'µs' },
    ]
  } finally {
    await Promise.all([ours.stop(), theirs.stop()])
    await db.end()
  }
}
