import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type LetterDeliveryStatus, recordLetterDelivery } from '../../modules/letters/letter-delivery-table.ts'
import { type ServerMetrics, serveMetrics } from '../../src/server/metrics.ts'
import { startFullServer } from '../api/full-server.ts'

let server: Awaited<ReturnType<typeof startFullServer>>
let metrics: ServerMetrics
beforeAll(async () => {
  server = await startFullServer({ metricsPort: 9464 })
  metrics = server.metrics!
})
afterAll(() => server.stop())

const read = () => metrics.text(server.deps)
const metricOf = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find(line => line.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

test('requests are counted by route and status, not by their full path', async () => {
  const player = await server.player()
  await player.call('GET', '/api/folders/0198a5c2-7d1e-7000-8000-000000000000')
  const text = await read()
  expect(metricOf(text, 'diamondlink_http_request_seconds_count{method="POST",route="/api/register/player",status="201"}')).toBe(1)
  expect(metricOf(text, 'diamondlink_http_request_seconds_count{method="GET",route="/api/folders/{folder}",status="404"}')).toBe(1)
  expect(text).not.toContain('0198a5c2')
})

test('errands are counted by kind, with the age of the oldest due one', async () => {
  const { sql } = server.deps
  const kind = 'nobody-performs-this'
  await sql`
    insert into errands (id, kind, payload, due, failed) values
    ('a', ${kind}, '{}', now() - interval '90 seconds', null), ('b', ${kind}, '{}', now() + interval '1 hour', null),
    ('c', ${kind}, '{}', now(), now()), ('d', ${kind}, '{}', now() - interval '5 seconds', null)`
  const text = await read()
  expect(metricOf(text, `diamondlink_errands{kind="${kind}",state="waiting"}`)).toBe(3)
  expect(metricOf(text, `diamondlink_errands{kind="${kind}",state="failed"}`)).toBe(1)
  expect(Math.floor(metricOf(text, `diamondlink_errand_oldest_due_seconds{kind="${kind}"}`)! / 60)).toBe(1)
  await sql`delete from errands where kind = ${kind}`
  expect(await read()).not.toContain(kind)
})

test('letters of the last day are counted by delivery status, without addresses', async () => {
  const { sql } = server.deps
  const now = Date.now()
  const record = (letter: string, fate: LetterDeliveryStatus, hoursAgo: number) =>
    recordLetterDelivery(sql, {
      letter,
      fate,
      to: 'ana@example.com',
      reason: 'Permanent',
      at: new Date(now - hoursAgo * 3600_000).toISOString(),
    })
  await record('letter-1', 'delivered', 1)
  await record('letter-2', 'delivered', 23)
  await record('letter-3', 'bounced', 2)
  await record('letter-4', 'complained', 25)
  expect((await read()).match(/^diamondlink_letters\{.*$/gm)).toEqual([
    'diamondlink_letters{fate="delivered"} 2',
    'diamondlink_letters{fate="bounced"} 1',
    'diamondlink_letters{fate="complained"} 0',
    'diamondlink_letters{fate="suppressed"} 0',
  ])
  await sql`delete from letter_fates`
})

test('every reader of the log reports its lag and its parked streams', async () => {
  const text = await read()
  const statuses = [...(await server.deps.readModels.status()), ...(await server.deps.processes.status())]
  expect(statuses.length).toBeGreaterThan(5)
  for (const { name } of statuses) {
    expect(metricOf(text, `diamondlink_reader_lag_seconds{reader="${name}"}`)).toBeGreaterThanOrEqual(0)
    expect(metricOf(text, `diamondlink_reader_parked_streams{reader="${name}"}`)).toBe(0)
    expect(metricOf(text, `diamondlink_reader_stopped{reader="${name}"}`)).toBe(0)
  }
})

test('a stopped reader is reported as stopped', async () => {
  // Simulate that a backup of the log has been restored, so that every reader is ahead of the log.
  const stop = <R extends { position: bigint }>(readers: R[]) =>
    readers.map(reader => ({ ...reader, position: reader.position + 1000n, logEnd: reader.position }))
  const { readModels, processes } = server.deps
  const text = await metrics.text({
    ...server.deps,
    readModels: { ...readModels, status: async () => stop(await readModels.status()) },
    processes: { ...processes, status: async () => stop(await processes.status()) },
  })
  for (const { name } of [...(await readModels.status()), ...(await processes.status())]) {
    expect(metricOf(text, `diamondlink_reader_stopped{reader="${name}"}`)).toBe(1)
    expect(metricOf(text, `diamondlink_reader_lag_seconds{reader="${name}"}`)).toBe(0)
  }
})

test('a metric that cannot be collected is omitted and counted; others are present', async () => {
  const sql = (() => Promise.reject(new Error('gone'))) as never
  const text = await metrics.text({ ...server.deps, sql })
  expect(text).not.toMatch(/^diamondlink_postgres_connections\{/m)
  expect(metricOf(text, 'diamondlink_metrics_failures_total')).toBeGreaterThanOrEqual(3)
  expect(text).toContain('diamondlink_reader_lag_seconds{')
  expect(await read()).toMatch(/^diamondlink_postgres_connections\{state="active"\} [1-9]/m)
})

test('a separate port serves /metrics and nothing else', async () => {
  const metricsServer = await serveMetrics(metrics, server.deps, { host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    const closed = once(metricsServer, 'close')
    metricsServer.close()
    metricsServer.closeAllConnections()
    await closed
  })
  const at = `http://127.0.0.1:${(metricsServer.address() as AddressInfo).port}`
  const answer = await fetch(`${at}/metrics`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, metrics.contentType])
  expect(await answer.text()).toContain('process_cpu_seconds_total')
  expect((await fetch(`${at}/api/folders`)).status).toBe(404)
  expect((await server.fetch(new Request('http://ours.test/metrics'))).status).toBe(404)
})

test('nothing is measured if no metrics port is set', async () => {
  const other = await startFullServer()
  expect([other.metrics, other.deps.metricsRecorder]).toEqual([undefined, undefined])
  await other.end()
})
