import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resendMailer } from '../../modules/letters/resend-mailer.ts'
import type { ConfigWithAllServices } from '../../src/config.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'

let dir: string
const children = new Set<ChildProcess>()
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'diamondlink-embed-'))
})
afterEach(async () => {
  await Promise.all([...children].map(child => end(child)))
  await rm(dir, { recursive: true })
})

interface StoresProcess {
  config: ConfigWithAllServices
  pages: { mailbox?: string; stripe?: string }
  error?: string
}
async function startStoresProcess(dataDir: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'embedded-services-process.ts'), dataDir], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  for await (const line of createInterface(child.stdout)) return { child, ...(JSON.parse(line) as StoresProcess) }
  throw new Error('The process printed no addresses.')
}
async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  children.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
const clientOf = ({ s3 }: ConfigWithAllServices) =>
  new S3Client({
    endpoint: s3.endpoint,
    region: s3.region,
    forcePathStyle: true,
    credentials: s3,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })

async function write(config: ConfigWithAllServices) {
  const sql = createPostgresPool(config.databaseUrl, { max: 1 })
  await sql`create table kept (word text)`
  await sql`insert into kept values ('hello')`
  await sql.end()
  await clientOf(config).send(new PutObjectCommand({ Bucket: config.s3.bucket, Key: 'kept', Body: 'hello' }))
  await resendMailer(config.resend, config.mailFrom).send({
    id: 'kept',
    to: 'kim@example.com',
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: 'Hello',
  })
}
async function read(config: ConfigWithAllServices, pages: StoresProcess['pages']) {
  const sql = createPostgresPool(config.databaseUrl, { max: 1 })
  const rows = await sql`select word from kept`.catch(() => [])
  await sql.end()
  const object = await clientOf(config)
    .send(new GetObjectCommand({ Bucket: config.s3.bucket, Key: 'kept' }))
    .then(reply => reply.Body!.transformToString())
    .catch(() => null)
  const letters = (await (await fetch(`${pages.mailbox}/letters.json?to=kim@example.com`)).json()) as { subject: string }[]
  return { rows: rows.map(r => r.word), object, letters: letters.map(l => l.subject) }
}
const all = { rows: ['hello'], object: 'hello', letters: ['Hello'] }
const nothing = { rows: [], object: null, letters: [] }

test('data and addresses survive a stop and a kill -9, and no process is left behind', async () => {
  const first = await startStoresProcess(dir)
  await write(first.config)
  await end(first.child)

  const second = await startStoresProcess(dir)
  expect(await read(second.config, second.pages)).toEqual(all)
  expect(second.config.databaseUrl).toBe(first.config.databaseUrl)
  expect(second.config.s3).toEqual(first.config.s3)
  expect(second.pages).toEqual(first.pages)
  const postgres = Number.parseInt(await readFile(join(dir, 'postgres/data/postmaster.pid'), 'utf8'), 10)
  await end(second.child, 'SIGKILL')
  await expect
    .poll(() =>
      readFile(`/proc/${postgres}/stat`).then(
        () => 'alive',
        () => 'gone',
      ),
    )
    .toBe('gone')
  await expect
    .poll(() =>
      fetch(second.config.s3.endpoint!).then(
        () => 'alive',
        () => 'gone',
      ),
    )
    .toBe('gone')

  const third = await startStoresProcess(dir)
  expect(await read(third.config, third.pages)).toEqual(all)
})

test('a start right after a kill -9 waits for the remaining processes to end', async () => {
  const first = await startStoresProcess(dir)
  await write(first.config)
  await end(first.child, 'SIGKILL')
  const second = await startStoresProcess(dir)
  expect(await read(second.config, second.pages)).toEqual(all)
})

test('two instances with their own directories run side by side and share nothing', async () => {
  const [one, two] = await Promise.all([startStoresProcess(join(dir, 'one')), startStoresProcess(join(dir, 'two'))])
  await write(one.config)
  expect(await read(two.config, two.pages)).toEqual(nothing)
  expect(await read(one.config, one.pages)).toEqual(all)
  expect(one.config.port).not.toBe(two.config.port)
})

test('a data directory in use is refused with one line, and is free again afterwards', async () => {
  const first = await startStoresProcess(dir)
  const second = await startStoresProcess(dir)
  expect(second.error).toBe(
    `DATA_DIR: ${dir} is in use by another DiamondLink (process ${first.child.pid}). Stop it, or set DATA_DIR and PORT to run a second one.`,
  )
  await end(first.child)
  expect((await startStoresProcess(dir)).error).toBeUndefined()
})

test('with a configured provider the embedded one does not start and has no page', async () => {
  const { config, pages } = await startStoresProcess(join(dir, 'absent'), {
    DATABASE_URL: 'postgres://elsewhere/db',
    S3_BUCKET: 'videos',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    RESEND_API_KEY: 're_1',
  })
  expect(pages).toEqual({})
  expect([config.databaseUrl, config.s3.bucket, config.stripe, config.resend]).toEqual([
    'postgres://elsewhere/db',
    'videos',
    { secretKey: 'sk_test_1', webhookSecret: 'whsec_1' },
    { apiKey: 're_1' },
  ])
  await expect(readFile(join(dir, 'absent', 'lock'))).rejects.toMatchObject({ code: 'ENOENT' })
})
