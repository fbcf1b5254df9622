import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { loginSessions } from '../../modules/accounts/login-sessions.ts'
import { eventHashChainWriter, rebuildAuditChain, truncateAuditChainToLogEnd } from '../../modules/audit/audit-chain-table.ts'
import { countWithNoun } from '../../modules/format-cents-and-counts.ts'
import { enqueueErrands, outboxWorker } from '../../modules/jobs/outbox.ts'
import { createOutageLogger, type OutageLogger } from '../../modules/kernel/outage-logger.ts'
import type { EventStore } from '../../modules/kernel/store.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { storeWithTraceIds } from '../../modules/kernel/trace.ts'
import { withDeadline } from '../../modules/kernel/with-deadline.ts'
import { mediaWorker } from '../../modules/media/media-worker.ts'
import { objectStore } from '../../modules/media/object-store.ts'
import { stripeGateway } from '../../modules/payments/gateway.ts'
import { destroyedKeyOwners } from '../../modules/privacy/destroyed-keys.ts'
import { encryptLog } from '../../modules/privacy/encrypt-log.ts'
import { encryptedStore } from '../../modules/privacy/encrypted-store.ts'
import { personKeys } from '../../modules/privacy/person-keys.ts'
import { eventProcessRunner } from '../../modules/readers/event-process-runner.ts'
import { leaderLease } from '../../modules/readers/leader-lease.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { personalTextFields } from '../../projections/personal-text-fields.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { createApi } from '../api/index.ts'
import { nodeListener } from '../api/node-listener.ts'
import { rateLimits } from '../api/rate-limits.ts'
import { reviewVideoScriptAndSourceFiles } from '../api/review-videos.ts'
import { ConfigError, type ConfigWithAllServices } from '../config.ts'
import { commonWebsiteHeaders } from '../security-headers.ts'
import { astroRenderer } from './astro-renderer.ts'
import { databaseClock } from './database-synced-clock.ts'
import { assertDiskSpace } from './disk-space.ts'
import { hashOfLogReadingCode } from './log-reading-code-hash.ts'
import type { ServerMetrics } from './metrics.ts'
import { migrate } from './migrate.ts'
import { errandHandlers, processes, projections, scheduledJobs } from './module-registry.ts'
import { outboxPartitions } from './outbox-partitions.ts'
import { loadSiteFiles } from './page-responses.ts'
import { pagesWithPreloadedData } from './pages-with-preloaded-data.ts'
import { createServerPostgresPool, disableJitOfRole } from './postgres-pool.ts'
import { createPublicPageCache } from './public-page-cache.ts'
import { recordMissingCharges, recordMissingPackages, repeatAccountDeletions } from './redo-deletions-and-payments-after-restore.ts'
import { unpublishedProfilePreviewRenderer } from './unpublished-profile-preview-page.ts'
import { websiteHandler } from './website.ts'

/** One server: everything that `main.ts` starts and stops. */
export interface App {
  deps: AppDependencies
  /** Undefined unless `metricsPort` is set. */
  metrics: ServerMetrics | undefined
  /** The API, callable without a port. */
  fetch(request: Request): Response | Promise<Response>
  /** The whole server, as a listener for `node:http`. */
  handler(req: IncomingMessage, res: ServerResponse): void
  /** Starts what runs in the background until `stop()`: read models, processes, errands, media jobs and scheduled jobs. */
  work(): Promise<void>
  /**
   * Rebuilds every read model from the log, and moves processes whose checkpoint is past the end of the log back to that end, so that they
   * continue. Also removes from the audit chain the events that the log no longer contains. Reports progress to `say`.
   */
  rebuild(say: (line: string) => void): Promise<void>
  /**
   * Performs the steps after a restore: repeats the deletions since the backup (`more`: ids of deleted people and support requests that the
   * object store does not list), ends all login sessions, and records payments and package purchases made since. Reports progress to `say`.
   */
  afterRestore(say: (line: string) => void, more?: readonly string[]): Promise<void>
  /**
   * Encrypts the personal text in a log from before encryption was introduced, and rebuilds the audit chain.
   * @throws ConfigError if the log is in EventStoreDB
   */
  encryptLog(say: (line: string) => void): Promise<void>
  /** Stops all background work and closes every connection. */
  stop(): Promise<void>
}

/** How long running work may take to finish at shutdown. */
const SHUTDOWN_MS = 2000

/** The built site: static files, and the server entry that renders pages. */
const dist = new URL('../../dist/', import.meta.url)

/** Composes the whole application and migrates the schema. Read models, errands, media jobs and scheduled jobs wait for `work()`. */
export async function buildApp(config: ConfigWithAllServices, log: Logger, o: { clock?: () => Date; site?: string } = {}): Promise<App> {
  await migrate(config.databaseDirectUrl ?? config.databaseUrl, log)
  const sql = createServerPostgresPool(config)
  if (config.databaseDirectUrl) await disableJitOfRole(sql, log)
  const ending = new AbortController()
  const outage = createOutageLogger(log, 'Postgres')
  const keys = personKeys(sql)
  const store = storeWithTraceIds(encryptedStore(await storeOf(config, sql, log, outage), keys, personalTextFields, log))
  const clock = o.clock ?? (await databaseClock(sql, log, ending.signal))
  const code = hashOfLogReadingCode()
  // The servers of one release elect a leader that reads the log and performs errands for all. Servers of another release have a different
  // hash and elect their own leader.
  const lease = leaderLease(sql, `release ${code}`, log)
  const following = { log, outage, code, lease }
  const readModels = projectionRunner(sql, store, projections, { ...following, companions: [eventHashChainWriter] })
  const answering = eventProcessRunner(sql, store, processes, following)
  const bytes = objectStore(config.s3, log)
  const metrics = config.metricsPort ? (await import('./metrics.ts')).createMetrics() : undefined
  const deps: AppDependencies = {
    config,
    log,
    clock,
    sql,
    store,
    readModels,
    processes: answering,
    objects: bytes,
    gateway: stripeGateway({ ...config.stripe, origin: config.origin, log }),
    sessions: loginSessions(sql, clock),
    limits: rateLimits(sql, config.limitScale),
    post: (db, asked) => enqueueErrands(db as Sql, asked),
    metricsRecorder: metrics,
    checks: {
      postgres: () => sql`select 1`,
      log: () => store.read('health-check'),
      storage: () => bytes.head('health-check'),
      disk: () => assertDiskSpace([config.dataDir, tmpdir()]),
    },
  }
  const outboxes = outboxPartitions(errandHandlers(deps)).map(({ handlers, limits }) => outboxWorker(sql, handlers, { log, ...limits }))
  const { mediaWorkers } = config
  const videos = mediaWorker({
    sql,
    objects: bytes,
    log,
    atOnce: mediaWorkers,
    shortBeside: Math.ceil(mediaWorkers / 2),
    reviewVideos: reviewVideoScriptAndSourceFiles(deps),
  })
  const around = { origin: config.origin, storage: await bytes.origin() }
  const site = await loadSiteFiles(o.site ?? fileURLToPath(new URL('client', dist)), around)
  const app = createApi(deps)
  const answer = nodeListener(app, config.proxies)
  const render = astroRenderer(new URL('server/entry.mjs', dist).href)
  const publicPageCache = createPublicPageCache(sql, render, around, { clock, log })
  const pages = websiteHandler(
    site,
    publicPageCache,
    pagesWithPreloadedData(app.fetch, render, around, { log }),
    unpublishedProfilePreviewRenderer(app.fetch, render, around),
  )
  const timers: NodeJS.Timeout[] = []
  const running = new Set<Promise<unknown>>()

  return {
    deps,
    metrics,
    fetch: app.fetch,
    handler(req, res) {
      if (hasSeveralHosts(req))
        res.writeHead(400, { ...commonWebsiteHeaders({ origin: config.origin }), connection: 'close', 'content-length': 0 }).end()
      else if (req.url?.startsWith('/api/') || req.url?.startsWith('/uploads/'))
        answer(req, res).catch(error => log.warn({ err: error }, 'a response could not be completed'))
      else pages(req, res)
    },
    async work() {
      await lease.start(ending.signal)
      await readModels.start(ending.signal)
      await answering.start(ending.signal)
      for (const outbox of outboxes) await lease.whileLeading(ending.signal, leading => outbox.start(leading))
      await videos.start(ending.signal)
      for (const { name, every, run } of scheduledJobs(deps)) {
        const once = () => {
          const chore = run(ending.signal)
            .catch(error => ending.signal.aborted || log.error({ err: error, chore: name }, 'a background task failed and will be retried'))
            .finally(() => running.delete(chore))
          running.add(chore)
        }
        once()
        timers.push(setInterval(once, every).unref())
      }
    },
    async rebuild(say) {
      for (const { name } of projections) {
        await readModels.rebuild(name)
        say(`${name} was rebuilt from the log.`)
      }
      for (const name of await answering.resumeAfterTruncation()) say(`${name} continues where the restored log ended.`)
      const removed = await truncateAuditChainToLogEnd(sql)
      if (removed) say(`The last ${removed} events were removed from the audit chain, because the restored log does not contain them.`)
    },
    async afterRestore(say, more = []) {
      const deleted = await repeatAccountDeletions(deps, [...new Set([...more, ...(await destroyedKeyOwners(bytes))])])
      const deletedOwners = deleted === 1 ? '1 person or request that was' : `${deleted} people and requests that were`
      if (deleted) say(`The texts of ${deletedOwners} deleted since the backup were deleted again.`)
      // A login session that was ended since the backup, perhaps because a device was stolen, is still open in the backup.
      const ended = await deps.sessions.endEverySession()
      if (ended)
        say(
          `Ended ${countWithNoun(ended, 'login session')}, because sessions may have been ended since the backup. Everybody has to log in again.`,
        )
      const { recorded, left } = await recordMissingCharges(deps)
      if (recorded) say(`Recorded ${countWithNoun(recorded, 'payment')} that Stripe has and the backup did not have.`)
      if (left)
        say(
          `${countWithNoun(left, 'payment')} at Stripe could not be recorded. Administrators see such payments under “Compare with the log”.`,
        )
      const packages = await recordMissingPackages(deps)
      if (packages) say(`Recorded ${countWithNoun(packages, 'package')} that Stripe sold and the backup did not have.`)
    },
    async encryptLog(say) {
      if (config.eventstoredbUrl) throw new ConfigError('EVENTSTOREDB_URL: only a log in Postgres can be encrypted afterward')
      say(`The texts of ${countWithNoun(await encryptLog(sql, keys, personalTextFields), 'event')} were encrypted.`)
      // The hash chain covers events as they are stored, and encryption has changed them.
      await rebuildAuditChain(sql, store)
    },
    async stop() {
      ending.abort()
      for (const timer of timers) clearInterval(timer)
      // Running work still needs its connections, so wait for it before closing them.
      await withDeadline(
        SHUTDOWN_MS,
        Promise.allSettled([...running, ...outboxes.map(outbox => outbox.settled()), videos.settled(), lease.settled()]),
      ).catch(() => {})
      await Promise.allSettled([deps.sessions.stop(), publicPageCache.stop(), keys.stop(), store.close()])
      await sql.end({ timeout: 3 })
    },
  }
}

/** With two `Host` headers, Node uses the first and a proxy may use the second. Only an attacker sends such a request. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage) {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts++
  return hosts > 1
}

/** The event log: EventStoreDB if it is configured (its client is loaded only then), otherwise Postgres. */
async function storeOf(
  config: ConfigWithAllServices,
  sql: Sql,
  log: Logger,
  outage: OutageLogger,
): Promise<EventStore & { close(): Promise<void> }> {
  if (!config.eventstoredbUrl) return postgresStore(sql, outage)
  const { eventstoredbStore } = await import('../../modules/kernel/stores/eventstoredb.ts')
  try {
    return eventstoredbStore(config.eventstoredbUrl, log)
  } catch (error) {
    await sql.end()
    // Only the EventStoreDB client knows which URLs it accepts, so its message is passed on.
    throw new ConfigError(`EVENTSTOREDB_URL: ${(error as Error).message}`)
  }
}
