import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as newId } from 'uuid'
import { loginSessions } from '../../modules/accounts/login-sessions.ts'
import { createTestDatabase } from '../support/postgres.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { startBenchServerProcess } from './http-load-and-cpu-time-helpers.ts'
import { PLACEHOLDER_STORE_ENV } from './s2-request-overhead.ts'

const seconds = 8
const logins = 200
const others = 50

/** Measures the 99th percentile of other requests' response times with and without a flood of 200 logins a second from many addresses. */
export default async function measureLoginFlood(): Promise<BenchmarkFigure[]> {
  const db = await createTestDatabase()
  const ours = await startBenchServerProcess('api', {
    ...PLACEHOLDER_STORE_ENV,
    DATABASE_URL: db.url,
    ORIGIN: 'http://ours.test',
    LOG_LEVEL: 'fatal',
  })
  const id = newId()
  await db.sql`insert into users (id, role, username, email, password, first_name, last_name, command, created)
    values (${id}, 'player', 'ana@example.com', 'ana@example.com', '-', 'Ana', 'Diaz', ${newId()}, now())`
  const signedIn = loginSessions(db.sql, () => new Date())
  const token = await signedIn.start(id, 'bench')
  await signedIn.stop()
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    new Promise<{ status: number; milliseconds: number }>((done, fail) => {
      const started = performance.now()
      request({ port: ours.port, agent, method, path, headers }, res => {
        res.resume()
        res.on('end', () => done({ status: res.statusCode!, milliseconds: performance.now() - started }))
      })
        .on('error', fail)
        .end(body)
    })
  const login = (i: number) =>
    send(
      'POST',
      '/api/login',
      {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        // Each login comes from a different network, so that no limit per address or network stops it before the password check.
        'x-forwarded-for': `${10 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.1`,
      },
      JSON.stringify({ username: i % 2 ? 'ana@example.com' : `nobody${i}@example.com`, password: 'not the one' }),
    )
  const user = () => send('GET', '/api/user', { cookie: `session=${token}` })
  const p99 = async (flood: boolean) => {
    const answers: Promise<{ status: number; milliseconds: number }>[] = []
    const flooding: Promise<{ status: number }>[] = []
    const started = performance.now()
    for (let tick = 0; tick < seconds * 100; tick++) {
      await sleep(Math.max(0, started + tick * 10 - performance.now()))
      if (flood) for (let i = 0; i < logins / 100; i++) flooding.push(login(tick * 10 + i))
      if (tick % (100 / others) === 0) answers.push(user())
    }
    const times = (await Promise.all(answers)).map(a => a.milliseconds).sort((a, b) => a - b)
    const statuses = Object.groupBy(
      (await Promise.all(flooding)).map(f => f.status),
      s => s,
    )
    return { p99: times[Math.floor(times.length * 0.99)]!, checked: statuses[401]?.length ?? 0, turned: statuses[503]?.length ?? 0 }
  }
  try {
    await p99(false)
    const calm = await p99(false)
    const flooded = await p99(true)
    return [
      {
        id: 'login flood',
        name: `p99 of other requests under ${logins} logins/s`,
        value: flooded.p99,
        unit: 'ms',
        bar: 50,
        better: 'less',
      },
      { id: 'login flood', name: 'p99 of other requests without the logins, in the same run', value: calm.p99, unit: 'ms' },
      { id: 'login flood', name: 'passwords checked', value: flooded.checked / seconds, unit: '/s' },
      { id: 'login flood', name: 'logins refused with 503', value: flooded.turned / seconds, unit: '/s' },
    ]
  } finally {
    agent.destroy()
    await ours.stop()
    await db.end()
  }
}
