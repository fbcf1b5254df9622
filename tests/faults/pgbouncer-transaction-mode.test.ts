import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPostgres } from '../../src/server/postgres-check.ts'
import { createServerPostgresPool } from '../../src/server/postgres-pool.ts'
import { createFolder } from '../api/full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from '../api/server-with-stripe.ts'
import { installPgbouncerIfMissing, startPgbouncer } from '../support/pgbouncer.ts'

const withPgbouncer = test.skipIf(!(await installPgbouncerIfMissing()))

/** What the server logs at level warn and above, except the warnings that there are no built pages, which this test does not need. */
const logged: string[] = []
let pooler: Awaited<ReturnType<typeof startPgbouncer>> | undefined
let databaseDirectUrl: string
let s: ServerWithStripe | undefined
beforeAll(async () => {
  if (!(await installPgbouncerIfMissing())) return
  s = await startServerWithStripe({
    log: pino({ level: 'warn' }, { write: line => void (/a page could not be made/.test(line) || logged.push(line)) }),
    startPooler: async databaseUrl => {
      databaseDirectUrl = databaseUrl
      pooler = await startPgbouncer(databaseUrl)
      return pooler.url
    },
  })
})
afterAll(async () => {
  await s?.end()
  await pooler?.stop()
})

withPgbouncer('a session is paid through PgBouncer in transaction mode (needs pgbouncer)', async () => {
  const [ana, ray] = await Promise.all([s!.player(), s!.instructor()])
  await Promise.all([s!.saveCardOf(ana), s!.onboard(ray)])
  const { folder, payment } = await s!.createDeliveredFolder(ana, ray)
  const { body } = await ana.call('GET', '/api/billing')
  const { total } = body.payments.find((p: { id: string }) => p.id === payment)
  expect((await ana.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total })).body.status).toBe('paid')
  await s!.waitUntilIdle()
  expect((await ana.call('GET', `/api/folders/${folder}`)).body.status).toBe('paid')
  expect(logged).toEqual([])
})

withPgbouncer('requests that share connections leave no state behind (needs pgbouncer)', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => s!.player()))
  const folders = await Promise.all(
    people.flatMap(player => Array.from({ length: 10 }, () => createFolder(player, `Swing ${randomUUID()}`))),
  )
  const lists = await Promise.all(people.map(player => player.call('GET', '/api/folders')))
  expect(lists.map(({ headers }) => headers.has('x-stale'))).toEqual(lists.map(() => false))
  expect(lists.flatMap(({ body }) => body.folders.map((f: { id: string }) => f.id)).toSorted()).toEqual(folders.toSorted())
  expect(logged).toEqual([])
  expect(pooler!.output()).not.toMatch(/ERROR|unsupported/)
})

withPgbouncer('JIT compilation is off on connections of the pooler (needs pgbouncer)', async () => {
  const fresh = await startPgbouncer(databaseDirectUrl)
  const sql = createServerPostgresPool({ databaseUrl: fresh.url, databaseDirectUrl }, { max: 1 })
  expect(await sql`select current_setting('jit') as jit, current_setting('TimeZone') as zone`).toEqual([{ jit: 'off', zone: 'UTC' }])
  await sql.end()
  await fresh.stop()
})

withPgbouncer('the doctor accepts a pooler together with a direct address (needs pgbouncer)', async () => {
  const findings = await checkPostgres({ databaseUrl: pooler!.url, databaseDirectUrl })
  expect(findings.filter(({ isTrue }) => !isTrue)).toEqual([])
})
