import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { createTestDatabase } from '../support/postgres.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'diamondlink-postgres-'))
})
afterEach(() => rm(dir, { recursive: true }))

const configured = {
  S3_BUCKET: 'videos',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  RESEND_API_KEY: 're_1',
}
/** Starts a process that starts only Postgres. @returns the process, the database's URL, and the process id of the Postgres server */
async function parent(): Promise<{ child: ChildProcess; url: string; server: number }> {
  const env = { ...process.env, ...configured }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'embedded-services-process.ts'), dir], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) {
    const server = Number.parseInt(await readFile(join(dir, 'postgres/data/postmaster.pid'), 'utf8'), 10)
    return { child, url: JSON.parse(line).config.databaseUrl, server }
  }
  throw new Error('The process printed no addresses.')
}
const here = () => startPostgres({ dataDir: join(dir, 'postgres'), log: pino({ level: 'silent' }) })
// In /proc/PID/stat, the state and the parent's process id follow the name in parentheses. A zombie counts as dead.
const statOf = async (pid: number) => (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z 0')).split(') ').at(-1)!.split(' ')
const alive = async (pid: number) => (await statOf(pid))[0] !== 'Z'
const parentOf = async (pid: number) => Number((await statOf(pid))[1])
async function kill(child: ChildProcess, ...more: number[]) {
  const gone = once(child, 'exit')
  for (const pid of [...more, child.pid!]) process.kill(pid, 'SIGKILL')
  await gone
}
async function words(url: string) {
  const sql = createPostgresPool(url, { max: 1 })
  await sql`create table if not exists kept (word text)`
  await sql`insert into kept values ('one more')`
  const rows = await sql`select word from kept`
  await sql.end()
  return rows.length
}

test('Postgres times are read as ISO strings, dates as dates and bigints without loss', async () => {
  const db = await createTestDatabase()
  const [row] = await db.sql`
    select ${'2026-03-01T10:20:30.456Z'}::timestamptz as at, '2010-05-06'::date as day, 9007199254740993 as n, ${'12'}::bigint as m`
  expect(row).toEqual({ at: '2026-03-01T10:20:30.456Z', day: '2010-05-06', n: 9007199254740993n, m: 12n })
  await db.end()
})

test.runIf(process.platform === 'linux')('a Postgres server that outlived its parent process is stopped at the next start', async () => {
  const { child, url, server } = await parent()
  expect(await words(url)).toBe(1)
  const guard = await parentOf(server)
  const pids = (await readdir('/proc')).map(Number).filter(pid => pid > 0)
  const reader: number[] = []
  for (const pid of pids) if (pid !== server && (await parentOf(pid)) === guard) reader.push(pid)
  await kill(child, ...reader, guard)
  expect(await alive(server)).toBe(true)

  const next = await here()
  expect(await alive(server)).toBe(false)
  expect(await words(next.url)).toBe(2)
  await next.stop()
  expect(await alive(next.pid)).toBe(false)
})

test('after Postgres is killed with its parent, the next start launches a new server', async () => {
  const { child, url, server } = await parent()
  await words(url)
  await kill(child, server)
  const next = await here()
  expect(next.pid).not.toBe(server)
  expect(await words(next.url)).toBe(2)
  await next.stop()
})

test('a killed server restarts at the same address with its data and listeners', async () => {
  const server = await here()
  const sql = createPostgresPool(server.url, { max: 2 })
  await sql`create table kept (word text)`
  let heard = 0
  await sql.listen('told', () => {
    heard++
  })
  for (let kills = 1; kills < 3; kills++) {
    await sql`insert into kept values ('said')`
    const { pid } = server
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => server.pid).not.toBe(pid)
    await expect.poll(() => sql`select count(*)::int as n from kept`.catch(() => [])).toEqual([{ n: kills }])
    const before = heard
    await expect.poll(() => sql.notify('told', '').then(() => heard)).toBeGreaterThan(before)
  }
  await sql.end()
  await server.stop()
  expect(await alive(server.pid)).toBe(false)
})

test('the error of a failed start contains the reason that Postgres logged', async () => {
  const wrong = startPostgres({ dataDir: join(dir, 'postgres'), log: pino({ level: 'silent' }), settings: { shared_buffers: 'many' } })
  await expect(wrong).rejects.toThrow(/did not start: .*shared_buffers/)
})
