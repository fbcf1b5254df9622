import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventstoredbStore } from '../../modules/kernel/stores/eventstoredb.ts'
import { readConfig } from '../../src/config.ts'
import { demoAccounts, isDemoAllowed } from '../../src/demo/demo-accounts-and-safety-checks.ts'
import { seedDemoData } from '../../src/demo/seed-demo-data.ts'
import { startEmbeddedServices } from '../../src/embedded/index.ts'
import { type App, buildApp } from '../../src/server/app.ts'
import { projections } from '../../src/server/module-registry.ts'
import { cookieClient } from '../api/test-server.ts'
import { startFakeEventstoredb } from '../support/fake-eventstoredb.ts'

const log = pino({ level: 'silent' })
let dataDir: string
let standIn: Awaited<ReturnType<typeof startFakeEventstoredb>>
let services: Awaited<ReturnType<typeof startEmbeddedServices>>
let app: App
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-demo-eventstoredb-'))
  standIn = await startFakeEventstoredb()
  const settings = readConfig({ DATA_DIR: dataDir, PORT: '0', RATE_LIMIT_SCALE: '1000', EVENTSTOREDB_URL: standIn.url })
  expect(isDemoAllowed(settings)).toBe(true)
  services = await startEmbeddedServices(settings, log)
  app = await buildApp(services.config, log, { site: dataDir })
  await app.work()
}, 120_000)
afterAll(async () => {
  await app?.stop()
  await services?.stop()
  standIn?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('the demo is not written to an EventStoreDB that already has events', async () => {
  const others = await startFakeEventstoredb()
  const store = eventstoredbStore(others.url)
  const meta = { command: randomUUID(), name: 'folder.create', actor: randomUUID() }
  await store.append(`folder-${randomUUID()}`, -1n, [
    { id: randomUUID(), type: 'FolderCreated', data: { player: meta.actor, name: 'Theirs' }, meta },
  ])
  expect(await seedDemoData({ ...app, deps: { ...app.deps, store } }, projections)).toBe(false)
  await store.close()
  others.stop()
})

test('the demo is written to an EventStoreDB through ordinary appends', { timeout: 120_000 }, async () => {
  expect(await seedDemoData(app, projections)).toBe(true)
  expect(await seedDemoData(app, projections)).toBe(true)
  expect(await app.deps.sql`select 1 from events`).toHaveLength(0)

  const signedIn = async (role: string) => {
    const { email, password } = demoAccounts.find(a => a.role === role)!
    const who = cookieClient(app)
    expect((await who.call('POST', '/api/login', { username: email, password })).status).toBe(200)
    return who
  }
  const [player, coach, admin] = await Promise.all(['player', 'instructor', 'admin'].map(signedIn))
  const { folders } = (await player!.call('GET', '/api/folders')).body
  expect(folders.map((f: { status: string }) => f.status).sort()).toEqual(['assigned', 'feedback-given', 'paid'])
  const { payments } = (await player!.call('GET', '/api/billing')).body
  expect(payments.map((p: { status: string }) => p.status).sort()).toEqual(['due', 'paid'])
  const queue = (await coach!.call('GET', '/api/queue')).body.folders
  expect(queue.map((f: { status: string }) => f.status).sort()).toEqual(['assigned', 'feedback-given', 'paid', 'paid', 'paid'])
  expect((await admin!.call('GET', '/api/admin/events')).body.events.length).toBeGreaterThan(20)
})
