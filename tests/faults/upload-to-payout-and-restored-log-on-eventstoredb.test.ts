/**
 * Tests the whole application with its log in EventStoreDB. Without EVENTSTOREDB_URL, the log is in a fake EventStoreDB that keeps it in
 * memory and speaks the real wire protocol; this proves that we use the client correctly, but nothing about the server. With
 * EVENTSTOREDB_URL, the first test runs against the real server, which must be empty, because read models are built from the whole log.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { newReviewInput } from '../api/full-server.ts'
import { startFakeEventstoredb } from '../support/fake-eventstoredb.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { manualUpload, startTestInstallation, type TestInstallation } from './test-installation.ts'

let standIn: Awaited<ReturnType<typeof startFakeEventstoredb>> | undefined
let w: TestInstallation
beforeAll(async () => {
  if (!process.env.EVENTSTOREDB_URL) standIn = await startFakeEventstoredb()
  w = await startTestInstallation(standIn && { EVENTSTOREDB_URL: standIn.url })
}, 120_000)
afterAll(async () => {
  await w?.server.stop()
  standIn?.stop()
})

const SLOW = { timeout: 300_000 }
const EVENTUALLY = { timeout: 60_000 }

test('a session is completed from upload to payout, even if the server is killed', SLOW, async () => {
  await w.saveCard()
  await w.openPayouts()
  const folder = await w.newFolder('Tee work')
  const up = manualUpload(w.player, folder, await readFile(sampleVideos.mp4))
  await up.start()
  await up.put([1], 0)
  expect((await up.complete()).status).toBe(200)
  const assignment = randomUUID()
  expect((await w.player.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: w.instructor.id })).status).toBe(204)
  await expect.poll(async () => (await w.instructor.call('GET', '/api/queue')).body.folders.length, EVENTUALLY).toBe(1)

  await w.server.kill('SIGKILL')
  await w.server.restart()

  expect((await w.instructor.call('POST', `/api/folders/${folder}/review`)).status).toBe(204)
  await w.waitUntilPrepared(up.id)
  expect((await w.instructor.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(up.id))).status).toBe(204)
  const billed = async () => (await w.player.call('GET', '/api/billing')).body.payments.find((p: { id: string }) => p.id === assignment)
  await expect.poll(billed, EVENTUALLY).toMatchObject({ status: 'due', total: 1550 })
  const paid = await w.player.call('POST', `/api/payments/${assignment}/pay`, { tip: 300, total: 1550 })
  expect([paid.status, paid.body.status]).toEqual([200, 'paid'])
  await expect.poll(() => w.eventTypesOf(`payment-${assignment}`), EVENTUALLY).toContain('TransferMade')
  await expect.poll(() => w.eventTypesOf(`folder-${folder}`), EVENTUALLY).toContain('FolderPaid')

  const receipt = {
    status: 'paid',
    total: 1550,
    tip: 300,
    share: 1500,
    receipt: expect.stringMatching(/^DL-/),
    transferred: expect.any(String),
  }
  await expect.poll(billed, EVENTUALLY).toMatchObject(receipt)
  await expect.poll(async () => (await w.server.letters(w.player.email)).map(l => l.subject).join(), EVENTUALLY).toMatch(/receipt/i)
  const transfers = (await w.stripeClient().transfers.list({ limit: 100 })).data.filter(t => t.metadata.payment === assignment)
  expect(transfers.map(t => t.amount)).toEqual([1200 + 300])

  const admin = await w.admin()
  const types = async () => (await admin.call('GET', `/api/admin/events?folder=${folder}`)).body.events.map((e: { type: string }) => e.type)
  await expect
    .poll(async () => (await types()).toSorted(), EVENTUALLY)
    .toEqual([
      ...['FeedbackGiven', 'FolderAssigned', 'FolderCreated', 'FolderPaid', 'PaymentAgreed', 'PaymentAttempted', 'PaymentOpened'],
      ...['PaymentSucceeded', 'ReviewStarted', 'TransferMade', 'VideoAdded'],
    ])

  // The events table in Postgres has none of these events.
  const sql = createPostgresPool(w.server.config.databaseUrl, { max: 1 })
  const [events] = await sql`select count(*)::int as count from events`
  await sql.end()
  expect(events).toEqual({ count: 0 })
})

test.skipIf(process.env.EVENTSTOREDB_URL)('a restored backup is detected, and one command rebuilds the read models', SLOW, async () => {
  const kept = await w.newFolder('In the backup')
  const lost = await w.newFolder('Not in the backup')
  const names = async () => (await w.player.call('GET', '/api/folders')).body.folders.map((f: { id: string }) => f.id)
  await expect.poll(names, EVENTUALLY).toEqual(expect.arrayContaining([kept, lost]))
  const ready = async () => {
    const answer = await fetch(`${w.server.url}/api/ready`)
    const { stopped, message } = await answer.json()
    return { status: answer.status, stopped: stopped.includes('folders'), message: message?.includes('npm run rebuild') }
  }
  await standIn!.restore(1)
  await expect.poll(ready, EVENTUALLY).toEqual({ status: 503, stopped: true, message: true })
  const after = await w.newFolder('After the backup')

  const { config } = w.server
  const env = {
    ...process.env,
    LOG_LEVEL: 'fatal',
    DATABASE_URL: config.databaseUrl,
    EVENTSTOREDB_URL: standIn!.url,
    S3_ENDPOINT: config.s3.endpoint,
    S3_BUCKET: config.s3.bucket,
    S3_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID: config.s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: config.s3.secretAccessKey,
    STRIPE_SECRET_KEY: config.stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: config.stripe.webhookSecret,
    RESEND_API_KEY: 're_test',
  }
  const { stdout } = await promisify(execFile)('node', ['--import', 'tsx', 'src/server/main.ts', '--rebuild'], { env })
  expect(stdout).toContain('folders was rebuilt from the log.')
  expect(stdout).toContain('charging continues where the restored log ended.')
  await expect.poll(ready, EVENTUALLY).toEqual({ status: 200, stopped: false, message: undefined })
  const now = await names()
  expect([now.includes(kept), now.includes(lost), now.includes(after)]).toEqual([true, false, true])
})
