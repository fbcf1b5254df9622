import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { withDeadline } from '../../modules/kernel/with-deadline.ts'
import { LetterDeliveryStatus } from '../../modules/letters/letter-delivery-table.ts'
import { readerLags } from '../../modules/readers/lagging-readers.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { readerStatuses } from '../api/reader-status.ts'
import type { RequestMetricsRecorder } from '../api/request-metrics-recorder-interface.ts'

/** How long the database may take to respond while metrics are collected; metrics that do not arrive in time are left out. */
const COLLECT_TIMEOUT_MS = 5000
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const DELAY_SECONDS = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400]

/** What a server measures, and how to read it. */
export interface ServerMetrics extends RequestMetricsRecorder {
  /** All metrics in the Prometheus text format, including current values from the database. */
  text(deps: Pick<AppDependencies, 'sql' | 'store' | 'readModels' | 'processes' | 'clock' | 'log'>): Promise<string>
  contentType: string
}

/** The metrics of one server. `docs/metrics.md` explains what each is for. */
export function createMetrics(): ServerMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'diamondlink_http_request_seconds',
    help: 'Time to answer a request of the API',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const webhooks = new Histogram({
    name: 'diamondlink_webhook_delay_seconds',
    help: "Time from a webhook's creation at the provider to its arrival here",
    labelNames: ['provider'],
    buckets: DELAY_SECONDS,
    registers,
  })
  const failures = new Counter({ name: 'diamondlink_metrics_failures_total', help: 'Metrics that could not be collected', registers })
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `diamondlink_${name}`, help, labelNames, registers })
  const lag = gauge('reader_lag_seconds', 'Age of the first event that a reader of the log has not processed', ['reader'])
  const parked = gauge('reader_parked_streams', 'Streams that a reader of the log has parked', ['reader'])
  const stopped = gauge('reader_stopped', '1 if a reader has stopped because the log ends before its checkpoint', ['reader'])
  const errands = gauge('errands', 'Errands in the outbox', ['kind', 'state'])
  const errandAge = gauge('errand_oldest_due_seconds', 'How long the oldest errand that is due has waited', ['kind'])
  const letters = gauge('letters', "Letters whose delivery status the recipient's mail server reported in the last day", ['fate'])
  const media = gauge('media_works', 'Videos and voice-overs in the queue', ['kind', 'lane', 'state'])
  const mediaAge = gauge('media_oldest_waiting_seconds', 'How long the oldest video or voice-over that nobody prepares has waited', [
    'lane',
  ])
  const mediaTime = gauge('media_ready_seconds', 'Time from request to readiness of media that was prepared in the last hour', [
    'lane',
    'quantile',
  ])
  const connections = gauge('postgres_connections', 'Connections to the database, of every server', ['state'])
  const sums = [lag, parked, stopped, errands, errandAge, letters, media, mediaAge, mediaTime, connections]

  const collectors = {
    async readers({ store, clock, ...deps }: Pick<AppDependencies, 'store' | 'clock' | 'readModels' | 'processes'>) {
      const statuses = await readerStatuses(deps)
      const lags = await readerLags(store, statuses, clock())
      return () => {
        for (const reader of statuses) {
          lag.set({ reader: reader.name }, lags.get(reader)! / 1000)
          parked.set({ reader: reader.name }, reader.parked.count)
          stopped.set({ reader: reader.name }, reader.logEnd === null ? 0 : 1)
        }
      }
    },
    async errands({ sql }: Pick<AppDependencies, 'sql'>) {
      const rows = await sql<{ kind: string; state: string; count: number; age: number | null }[]>`
        select kind, case when failed is null then 'waiting' else 'failed' end as state, count(*)::int as count,
          extract(epoch from now() - min(due) filter (where failed is null and due <= now()))::float as age
        from errands where done is null group by 1, 2`
      return () => {
        for (const { kind, state, count, age } of rows) {
          errands.set({ kind, state }, count)
          if (state === 'waiting') errandAge.set({ kind }, age ?? 0)
        }
      }
    },
    async letters({ sql }: Pick<AppDependencies, 'sql'>) {
      const rows = await sql<{ fate: LetterDeliveryStatus; count: number }[]>`
        select fate, count(*)::int as count from letter_fates where at > now() - interval '1 day' group by 1`
      return () => {
        // A series that is absent until the first bounce would show no increase when it appears.
        for (const fate of LetterDeliveryStatus.options) letters.set({ fate }, rows.find(row => row.fate === fate)?.count ?? 0)
      }
    },
    async media({ sql }: Pick<AppDependencies, 'sql'>) {
      const rows = await sql<{ kind: string; lane: string; state: string; count: number; age: number | null }[]>`
        select kind, case when long then 'long' else 'short' end as lane, state, count(*)::int as count,
          extract(epoch from now() - min(asked) filter (where state = 'waiting'))::float as age
        from media_work where state <> 'ready' group by 1, 2, 3`
      const times = await sql<{ lane: string; half: number; most: number }[]>`
        select case when long then 'long' else 'short' end as lane,
          percentile_cont(0.5) within group (order by extract(epoch from ended - asked)) as half,
          percentile_cont(0.95) within group (order by extract(epoch from ended - asked)) as most
        from media_work where state = 'ready' and ended > now() - interval '1 hour' group by 1`
      return () => {
        for (const { kind, lane, state, count, age } of rows) {
          media.set({ kind, lane, state }, count)
          if (age !== null) mediaAge.set({ lane }, age)
        }
        for (const { lane, half, most } of times) {
          mediaTime.set({ lane, quantile: '0.5' }, half)
          mediaTime.set({ lane, quantile: '0.95' }, most)
        }
      }
    },
    async connections({ sql }: Pick<AppDependencies, 'sql'>) {
      const rows = await sql<{ state: string; count: number }[]>`
        select coalesce(state, 'unknown') as state, count(*)::int as count from pg_stat_activity where datname = current_database() group by 1`
      return () => {
        for (const { state, count } of rows) connections.set({ state }, count)
      }
    },
  }

  return {
    contentType: registry.contentType,
    recordResponse: ({ method, route, status, seconds }) => requests.observe({ method, route, status: String(status) }, seconds),
    recordWebhook: (provider, seconds) => webhooks.observe({ provider }, seconds),
    async text(deps) {
      const collected = await Promise.allSettled(Object.values(collectors).map(collect => withDeadline(COLLECT_TIMEOUT_MS, collect(deps))))
      // Reset first, or labels that no longer exist would keep their last value.
      for (const sum of sums) sum.reset()
      for (const result of collected) {
        if (result.status === 'fulfilled') result.value()
        else {
          failures.inc()
          deps.log.warn({ err: result.reason }, 'a metric could not be collected')
        }
      }
      return registry.metrics()
    },
  }
}

/** Serves `/metrics` on a separate port that no proxy forwards. Resolves once it listens. */
export async function serveMetrics(metrics: ServerMetrics, deps: AppDependencies, at: { host: string; port: number }): Promise<Server> {
  const server = createServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') return void res.writeHead(404).end()
    metrics.text(deps).then(
      text => res.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      error => {
        deps.log.error({ err: error }, 'metrics')
        res.writeHead(500).end()
      },
    )
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(at.port, at.host, done)
  })
  return server
}
