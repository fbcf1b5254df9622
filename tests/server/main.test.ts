import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hashPassword } from '../../modules/accounts/passwords.ts'
import { demoAccounts } from '../../src/demo/demo-accounts-and-safety-checks.ts'
import { findFreePort } from '../../src/embedded/find-free-port.ts'
import { createTestDatabase } from '../support/postgres.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Settings that configure every external service except Postgres, so that no embedded one starts. None of these services exists. */
const configured = {
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_BUCKET: 'bucket',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  RESEND_API_KEY: 're_x',
}

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

function start(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/server/main.ts', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...configured, DATABASE_URL: db.url, ...env },
  })
  running.push(child)
  let out = ''
  let err = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    err += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code, out, err }))
  const says = async (what: RegExp) => {
    while (!what.test(out)) {
      await Promise.race([once(child.stdout, 'data'), ended.then(e => Promise.reject(new Error(`it ended: ${e.out}${e.err}`)))])
    }
    return what.exec(out)!
  }
  return { child, ended, says }
}

const taken = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, free: () => new Promise(done => server.close(done)) }
}

describe('the server', () => {
  test('reports a wrong environment variable in one line', async () => {
    const { code, err, out } = await start({ PORT: 'eighty' }).ended
    expect([code, err, out]).toEqual([1, 'PORT: must be a number\n', ''])
  })

  test('reports in one line that its port is taken', async () => {
    const { port, free } = await taken()
    const { code, err } = await start({ PORT: String(port) }).ended
    await free()
    expect([code, err]).toEqual([1, `PORT: ${port} is in use; stop what uses it, or choose another\n`])
  })

  test('prints its address and a registration link for the first administrator', async () => {
    const PORT = String(await findFreePort())
    const { says, child, ended } = start({ PORT, LOG_LEVEL: 'warn' })
    await says(/ready at http:\/\/127\.0\.0\.1:\d+/)
    const [, token] = await says(/admin\/register\?token=([\w-]{43})/)
    const body = { token, firstName: 'Ad', lastName: 'Min', email: 'admin@example.com', phone: '', password: 'correct horse' }
    const made = await fetch(`http://127.0.0.1:${PORT}/api/register/admin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(body),
    })
    expect([made.status, (await made.json()).role]).toEqual([201, 'admin'])
    const ready = await fetch(`http://127.0.0.1:${PORT}/api/ready`)
    const { postgres, disk } = (await ready.json()).dependencies
    expect([ready.status, postgres.state, disk.state]).toEqual([503, 'up', 'up'])
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  test('removes scratch directories of dead processes, even if it prepares no videos', async () => {
    const left = join(tmpdir(), `diamondlink-media-${spawnSync('true').pid}-left`)
    await mkdir(left)
    const { says } = start({ PORT: String(await findFreePort()), LOG_LEVEL: 'warn', MEDIA_WORKERS: '0' })
    await says(/ready/)
    expect(existsSync(left)).toBe(false)
  })

  test('finishes requests in flight and accepts no new ones when it is stopped', async () => {
    const PORT = String(await findFreePort())
    const { says, child, ended } = start({ PORT, LOG_LEVEL: 'warn' })
    await says(/ready/)
    const idle = await fetch(`http://127.0.0.1:${PORT}/api/health`)
    expect(idle.status).toBe(200)
    await idle.text()
    const body = JSON.stringify({ username: 'nobody@example.com', password: 'whatever' })
    const socket = connect(Number(PORT), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /api/login HTTP/1.1\r\nhost: x\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
    )
    // When the server asks for the rest of the body (100 Continue), it has begun to handle the request.
    expect(String((await once(socket, 'data'))[0])).toContain('100 Continue')
    child.kill('SIGTERM')
    await refused(Number(PORT))
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.write(body)
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect((await ended).code).toBe(0)
  })

  test('answers requests on open connections and closes them when it is stopped', async () => {
    const PORT = String(await findFreePort())
    const { says, child, ended } = start({ PORT, LOG_LEVEL: 'warn' })
    await says(/ready/)
    const open = async () => {
      const socket = connect(Number(PORT), '127.0.0.1')
      await once(socket, 'connect')
      return socket
    }
    const health = async (socket: Socket) => {
      if (socket.readableEnded || socket.destroyed) return 'closed'
      const answer = Promise.race([once(socket, 'data'), once(socket, 'close')])
      socket.write('GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n')
      return String((await answer)[0])
    }
    const idle = await open()
    expect(await health(idle)).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: keep-alive/is)
    child.kill('SIGTERM')
    while (!/\r\nconnection: close/i.test(await health(await open())));
    expect(await health(idle)).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close/is)
    expect((await ended).code).toBe(0)
  })

  test.each([
    ['HOST', '0.0.0.0'],
    ['ORIGIN', 'https://diamondlink.example'],
  ])('refuses to start with a public %s until the demo passwords are changed', async (name, value) => {
    const PORT = String(await findFreePort())
    const id = randomUUID()
    const { email, password } = demoAccounts[0]!
    await db.sql`
      insert into users (id, role, username, email, password, first_name, last_name, command, created)
      values (${id}, 'player', ${email}, ${email}, ${await hashPassword(password)}, 'Maya', 'Torres', ${randomUUID()}, now())`
    onTestFinished(async () => void (await db.sql`delete from users where id = ${id}`))
    const { code, err, out } = await start({ PORT, [name]: value }).ended
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(new RegExp(`^${name}: ${value} can be reached from other machines, .* as ${email} .* Set DATA_DIR .*\n$`))

    await start({ PORT }).says(/ready/)
    for (const child of running.splice(0)) child.kill('SIGKILL')
    await db.sql`update users set password = ${await hashPassword('another horse')} where id = ${id}`
    await start({ PORT: String(await findFreePort()), [name]: value }).says(/ready/)
  })

  test('maintains read models but listens on no port when started as a worker', async () => {
    const PORT = String(await findFreePort())
    const { says, child, ended } = start({ PORT, LOG_LEVEL: 'warn' }, '--work')
    await says(/Working/)
    await expect(fetch(`http://127.0.0.1:${PORT}/api/health`)).rejects.toThrow()
    child.kill('SIGINT')
    expect((await ended).code).toBe(0)
  })
})

/** Waits until the port refuses connections. */
async function refused(port: number) {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const what = await Promise.race([once(socket, 'connect').then(() => 'open'), once(socket, 'error').then(() => 'refused')]).catch(
      () => 'refused',
    )
    socket.destroy()
    if (what === 'refused') return
  }
}
