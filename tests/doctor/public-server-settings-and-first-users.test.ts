import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { payments } from '../../projections/payments.ts'
import { vettings } from '../../projections/vetting.ts'
import { readConfig } from '../../src/config.ts'
import { checkRunningServerAndFirstUsers, publicServerDoctorChecks } from '../../src/server/public-server-doctor-checks.ts'
import { createEmptyDatabase, createTestDatabase } from '../support/postgres.ts'
import { startJsonServer } from './json-server.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
  await db.sql`create table if not exists ${db.sql(tableOf(vettings))} (instructor uuid, status text)`
  await db.sql`create table if not exists ${db.sql(tableOf(payments))} (payment uuid, paid timestamptz)`
})
afterAll(() => db.end())

const linesOf = (findings: Awaited<ReturnType<typeof checkRunningServerAndFirstUsers>>) =>
  findings.filter(f => !f.isTrue).map(f => `${f.isNote ? 'note' : 'FAIL'} ${f.check}: ${f.advice}`)
const up = { ready: true, dependencies: { postgres: { state: 'up' } }, parked: [] }
const startServer = (ready: object = up) =>
  startJsonServer(({ url }) => (url === '/api/health' ? { status: 200, body: { status: 'ok' } } : { status: 200, body: ready }))
/** A loopback URL where nothing listens. The port is above 1023, because `fetch` refuses to use many lower ports. */
const nowhere = 'http://127.0.0.1:1025'

test('a public server without its production settings is reported', () => {
  const publicly = (env: object = {}) => linesOf(publicServerDoctorChecks(readConfig({ ORIGIN: 'https://diamondlink.example', ...env })))
  expect(publicly()).toEqual([
    'FAIL the demo is off: Set DEMO=off.',
    expect.stringMatching(/^note TRUST_PROXY names the proxy/),
    expect.stringMatching(/^note METRICS_PORT is set/),
  ])
  expect(publicly({ DEMO: 'off', TRUST_PROXY: '10.0.0.0/8', METRICS_PORT: '9100' })).toEqual([])
  expect(linesOf(publicServerDoctorChecks(readConfig({})))).toEqual([])
})

test('before the first start, a server that does not answer is reported as a note', async () => {
  const empty = await createEmptyDatabase()
  const notes = [expect.stringMatching(/^note a server answers at .*: \/api\/health: .*ECONNREFUSED.*Before the first start \(step 6\)/)]
  expect(linesOf(await checkRunningServerAndFirstUsers({ origin: nowhere, databaseUrl: empty.url }))).toEqual(notes)
  expect(linesOf(await checkRunningServerAndFirstUsers({ origin: nowhere }))).toEqual(notes)
  await empty.end()
})

test('after the first start, a missing administrator or instructor is reported', async () => {
  const { sql } = db
  const origin = await startServer()
  const check = async () => linesOf(await checkRunningServerAndFirstUsers({ origin, databaseUrl: db.url }))
  expect(await check()).toEqual([
    expect.stringMatching(/^FAIL there is an administrator: /),
    expect.stringMatching(/^FAIL an instructor is approved: /),
    expect.stringMatching(/^note a review has been paid: /),
  ])
  await sql`insert into users (id, command, username, password, role, first_name, last_name, email, created)
    values (${randomUUID()}, ${randomUUID()}, 'ellis@example.com', 'none', 'admin', 'Ellis', 'Park', 'ellis@example.com', now())`
  await sql`insert into ${sql(tableOf(vettings))} (instructor, status) values (${randomUUID()}, 'pending')`
  expect(await check()).toEqual([expect.stringMatching(/^FAIL an instructor is approved: /), expect.stringMatching(/^note /)])
  await sql`update ${sql(tableOf(vettings))} set status = 'approved'`
  await sql`insert into ${sql(tableOf(payments))} (payment, paid) values (${randomUUID()}, now())`
  expect(await check()).toEqual([])
})

test('after the first start, a server that does not answer or is not ready fails', async () => {
  const check = async (origin: string) => linesOf(await checkRunningServerAndFirstUsers({ origin, databaseUrl: db.url }))
  expect((await check(nowhere))[0]).toMatch(/^FAIL a server answers at .*ECONNREFUSED/)
  const proxyOnly = await startJsonServer(() => ({ status: 502, body: {} }))
  expect((await check(proxyOnly))[0]).toMatch(/^FAIL a server answers at .*the answer was 502/)
  const down = await startServer({ ...up, ready: false, dependencies: { storage: { state: 'down' } }, message: 'The log ends too early' })
  expect((await check(down))[0]).toBe('FAIL it is ready: /api/ready: down: storage; The log ends too early.')
  const parked = await startServer({ ...up, parked: [{ reader: 'folders', streams: 1 }] })
  expect((await check(parked))[0]).toMatch(/^FAIL its readers have processed every event: Parked: 1 in folders\./)
})
