import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasAdmin } from '../../modules/accounts/account-registration-and-authentication.ts'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { sweepScratchDirectories } from '../../modules/media/scratch-directories.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { demoAccounts, isDemoAllowed, refusePublicServerWithDemoAccounts } from '../demo/demo-accounts-and-safety-checks.ts'
import { seedDemoData } from '../demo/seed-demo-data.ts'
import { startEmbeddedServices } from '../embedded/index.ts'
import { type App, buildApp } from './app.ts'
import { assertStoreRejectsUnsignedCopy } from './assert-store-rejects-unsigned-copy.ts'
import { createLogger, prettyLogStream } from './logging.ts'
import { projections } from './module-registry.ts'

/** For this long after SIGTERM or SIGINT, the server still accepts requests that are already on their way to it. */
const LAST_REQUESTS_MS = 500
/** After `LAST_REQUESTS_MS`, requests in flight get this long to finish; `SHUTDOWN_DEADLINE_MS` limits the whole shutdown. */
const DRAIN_MS = 6000
const SHUTDOWN_DEADLINE_MS = 9500

/** Does the background work (read models, processes, errands, media jobs) next to other servers, without serving requests. */
const workOnly = process.argv.includes('--work')
/** Rebuilds every read model from the log while other servers run, then exits. For a log that was restored from a backup. */
const rebuildOnly = process.argv.includes('--rebuild')

/** Repeats deletions made since the restored backup, ends all login sessions, records payments made since, then exits. */
const afterRestoreOnly = process.argv.includes('--after-restore')

/** Rewrites a log of an earlier version with its personal text encrypted, then exits. All servers have to be stopped. */
const encryptOnly = process.argv.includes('--encrypt-log')

const say = (line: string) => process.stdout.write(`${line}\n`)
const giveUp = (line: string): never => {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

async function main() {
  const settings = readConfig(process.env)
  const log = createLogger(settings.logLevel, await prettyLogStream(process.stdout, settings))
  process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })

  let server: Server | undefined
  let app: App | undefined
  let stopEmbedded = async () => {}
  let stopping: Promise<void> | undefined
  const stop = (code: number) => {
    stopping ??= (async () => {
      setTimeout(() => process.exit(code || 1), SHUTDOWN_DEADLINE_MS).unref()
      if (server) await drain(server)
      await app?.stop().catch(error => log.error({ err: error }, 'stopping'))
      await stopEmbedded().catch(error => log.error({ err: error }, 'stopping'))
      process.exit(code)
    })()
    return stopping
  }
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))

  // Check the port first, so that a conflict is reported before a database is created.
  if (!workOnly && !rebuildOnly && !afterRestoreOnly && !encryptOnly && settings.port !== 0) await assertPortIsFree(settings)
  try {
    const { config, pages, stop: end } = await startEmbeddedServices(settings, log)
    stopEmbedded = end
    app = await buildApp(config, log)
    if (stopping) return
    if (encryptOnly) {
      await app.encryptLog(say)
      return stop(0)
    }
    if (afterRestoreOnly) {
      await app.afterRestore(say)
      return stop(0)
    }
    if (rebuildOnly) {
      await app.rebuild(say)
      return stop(0)
    }
    if (!workOnly) await refusePublicServerWithDemoAccounts(config, app.deps.sql)
    if (!workOnly && settings.s3) await assertStoreRejectsUnsignedCopy(settings.s3, log)
    // Sweep before any background work starts: an interrupted export starts again immediately, and the sweep would delete its directory. It
    // takes directories with this process's id for those of a dead process that had the same id.
    await sweepScratchDirectories()
    await app.work()
    if (workOnly) return say('Working: read models, processes and errands.')
    const shown =
      isDemoAllowed(settings) &&
      (await seedDemoData(app, projections).catch(error =>
        log.error({ err: error }, 'the demo is incomplete; the next start continues it'),
      ))
    server = await listen(app, config)
    if (app.metrics && config.metricsPort) {
      const { serveMetrics } = await import('./metrics.ts')
      await serveMetrics(app.metrics, app.deps, { host: config.host, port: config.metricsPort })
    }
    const { port } = server.address() as AddressInfo
    say(`DiamondLink is ready at ${config.origin}${config.origin.endsWith(`:${port}`) ? '' : ` (port ${port})`}`)
    if (pages.mailbox) say(`  Emails are shown at ${pages.mailbox}`)
    if (pages.stripe) say(`  Payments are simulated at ${pages.stripe}`)
    if (shown) for (const { role, email, password } of demoAccounts) say(`  Demo ${role}: ${email}, password ${password}`)
    if (!(await hasAdmin(app.deps.sql))) {
      const { token } = await createEmailedLinkToken(app.deps.sql, app.deps.clock(), 'admin-setup')
      say(`  The first administrator registers at ${config.origin}/admin/register?token=${token} (works for a day, once)`)
    }
  } catch (error) {
    await stopEmbedded().catch(() => {})
    throw error
  }
}

async function listen(app: App, { host, port }: Config): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 120_000 }, app.handler)
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, done)
  })
  return server
}

/** @throws ConfigError if the port is in use, this user may not use it, or the host is not an address of this machine */
async function assertPortIsFree({ host, port }: Config) {
  const probe = createServer()
  await new Promise<void>((done, fail) => {
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') fail(new ConfigError(`PORT: ${port} is in use; stop what uses it, or choose another`))
      else if (error.code === 'EACCES') fail(new ConfigError(`PORT: ${port} may not be used by this user; choose one above 1023`))
      else if (error.code === 'EADDRNOTAVAIL') fail(new ConfigError(`HOST: ${host} is not an address of this machine`))
      else fail(error)
    })
    probe.listen(port, host, () => probe.close(() => done()))
  })
}

/**
 * Serves requests that are already on their way, then accepts no new connections, lets requests in flight finish, and closes the remaining
 * connections after `DRAIN_MS`.
 */
async function drain(server: Server) {
  // Over a keep-alive connection, the client would send another request to a server that is shutting down.
  server.prependListener('request', (_, res) => res.setHeader('connection', 'close'))
  // Closing an idle connection immediately would break a request that its client is sending at that moment.
  if (await hasConnections(server)) await sleep(LAST_REQUESTS_MS)
  const closed = new Promise<void>(done => server.close(() => done()))
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}

const hasConnections = (server: Server) => new Promise<boolean>(done => server.getConnections((error, count) => done(!!error || count > 0)))

main().catch(error => giveUp(error instanceof ConfigError ? error.message : `DiamondLink did not start: ${error?.stack ?? error}`))
