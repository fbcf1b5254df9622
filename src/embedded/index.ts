import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { BaseLogger } from 'pino'
import type { Config, ConfigWithAllServices } from '../config.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { findFreePort } from './find-free-port.ts'

/** The endpoints to which Stripe and Resend, real or embedded, send their webhooks. */
const STRIPE_WEBHOOK = '/api/webhooks/stripe'
const RESEND_WEBHOOK = '/api/webhooks/resend'

/**
 * Starts an embedded replacement for every service that is not configured, each on its own loopback port with its data below `dataDir`.
 * `PORT=0` becomes a concrete port, because the Stripe sandbox must know where to send its webhooks.
 * @returns the completed configuration, and the URLs of the parts that have pages
 * @throws ConfigError if a running server uses the data directory
 */
export async function startEmbeddedServices(
  given: Config,
  log: BaseLogger,
): Promise<{ config: ConfigWithAllServices; pages: { mailbox?: string; stripe?: string }; stop(): Promise<void> }> {
  const config = await withPort(given)
  if (config.databaseUrl && config.s3 && config.stripe && config.resend) {
    const { databaseUrl, s3, stripe, resend } = config
    return { config: { ...config, databaseUrl, s3, stripe, resend }, pages: {}, stop: async () => {} }
  }

  const dataDir = resolve(config.dataDir)
  const unlock = await lockDataDir(dataDir)
  // This file holds the URLs and credentials of the running parts, for tools that connect to them: psql, an S3 client, a test.
  const addresses = join(dataDir, 'embedded.json')
  const stops: (() => Promise<void>)[] = []
  /** Waits for a part to start and records how to stop it, so that it does not keep running if another part fails to start. */
  const bring = async <T extends { stop(): Promise<void> }>(part: Promise<T>) => {
    const started = await part
    stops.push(started.stop)
    return started
  }
  const stop = async () => {
    await Promise.allSettled(stops.splice(0).map(end => end()))
    await rm(addresses, { force: true })
    await unlock()
  }

  const local = `http://127.0.0.1:${config.port}`
  const [databaseUrl, s3, resend, stripe] = await Promise.allSettled([
    config.databaseUrl
      ? { url: config.databaseUrl }
      : import('./postgres.ts').then(part => bring(part.startPostgres({ dataDir: join(dataDir, 'postgres'), log }))),
    config.s3
      ? { config: config.s3 }
      : import('./start-s3.ts').then(part => bring(part.startS3({ dataDir: join(dataDir, 's3'), log, origin: config.origin }))),
    config.resend
      ? { config: config.resend, pages: undefined }
      : import('./mailbox.ts').then(part =>
          bring(part.startMailbox({ dataDir: join(dataDir, 'mailbox'), log, webhookUrl: local + RESEND_WEBHOOK })),
        ),
    config.stripe
      ? { config: config.stripe, pages: undefined }
      : import('./stripe/index.ts').then(part =>
          bring(part.startStripeSandbox({ dataDir: join(dataDir, 'stripe'), log, webhookUrl: local + STRIPE_WEBHOOK })),
        ),
  ])
  if (databaseUrl.status === 'rejected' || s3.status === 'rejected' || resend.status === 'rejected' || stripe.status === 'rejected') {
    await stop()
    throw [databaseUrl, s3, resend, stripe].find(part => part.status === 'rejected')?.reason
  }
  const pages = { mailbox: resend.value.pages, stripe: stripe.value.pages }
  const whole: ConfigWithAllServices = {
    ...config,
    databaseUrl: databaseUrl.value.url,
    s3: s3.value.config,
    resend: resend.value.config,
    stripe: stripe.value.config,
  }
  await writeFile(addresses, JSON.stringify({ config: whole, pages }, null, 2), { mode: 0o600 })
  return { config: whole, pages, stop }
}

async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await findFreePort()
  const origin = new URL(config.origin)
  if (origin.port === '0') origin.port = String(port)
  return { ...config, port, origin: origin.origin }
}
