import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BaseLogger } from 'pino'
import { isHostOfLoopbackServer } from '../dns-rebinding-guard.ts'
import { newStripeApi } from './api.ts'
import { newSandboxPages } from './pages/routes.ts'
import { openStripeSandboxStore } from './store.ts'
import { readOrCreateSandboxSettings, writeSandboxSettings } from './stored-keys-and-port.ts'
import { newFaultInjector } from './test-controls.ts'
import { newWebhookSender } from './webhook-deliveries.ts'

const MAX_BODY_BYTES = 1_000_000

/**
 * Starts a Stripe sandbox on a loopback port: the API for the official client, hosted pages for people, and signed webhooks to
 * `webhookUrl`. All data is stored in `dataDir`. It reuses its previous port if that is free, so that links survive a restart.
 * @returns the configuration for the gateway, and the URL of an overview page
 */
export async function startStripeSandbox(o: { dataDir: string; log: BaseLogger; webhookUrl: string }) {
  const settings = readOrCreateSandboxSettings(o.dataDir)
  const store = openStripeSandboxStore(join(o.dataDir, 'journal.jsonl'))
  const faultInjector = newFaultInjector()
  const { secretKey, webhookSecret, connectWebhookSecret } = settings
  const webhooks = newWebhookSender({
    store,
    url: o.webhookUrl,
    secret: webhookSecret,
    connectSecret: connectWebhookSecret,
    faultInjector,
    log: o.log,
  })
  const changed = () => webhooks.wake()
  let origin = ''
  const api = newStripeApi({ store, secretKey, faultInjector, origin: () => origin, log: o.log, changed })
  const pages = newSandboxPages({ store, faultInjector, webhooks, origin: () => origin, webhookUrl: o.webhookUrl, changed })

  const server = createServer(async (req, res) => {
    try {
      if (!isHostOfLoopbackServer(req.headers.host, (server.address() as AddressInfo).port)) {
        return res.writeHead(403, { 'content-type': 'text/plain' }).end('The Stripe sandbox answers to its loopback address only.')
      }
      const url = new URL(`http://sandbox${req.url}`)
      const body = await read(req)
      if (body === null) return res.writeHead(413).end()
      if (/^\/v[12]\//.test(url.pathname)) return await api(req, res, url.pathname, req.method === 'GET' ? url.search.slice(1) : body)
      pages(req, res, url, body)
    } catch (e) {
      o.log.error({ err: e, url: req.url }, 'the Stripe sandbox failed')
      if (!res.headersSent) res.writeHead(500)
      res.end()
    }
  })
  const port = await listen(server, settings.port)
  if (port !== settings.port) writeSandboxSettings(o.dataDir, { ...settings, port })
  origin = `http://127.0.0.1:${port}`
  webhooks.wake()
  return {
    config: { secretKey, webhookSecret: `${webhookSecret},${connectWebhookSecret}`, url: origin },
    /** The secrets for signing webhooks about the business's own events, and about events of payout accounts. */
    webhookSecrets: { account: webhookSecret, connect: connectWebhookSecret },
    pages: origin,
    async stop() {
      webhooks.stop()
      faultInjector.reset()
      const closed = new Promise(done => server.close(done))
      server.closeAllConnections()
      await closed
      store.close()
    },
  }
}

/** The request body, or null if it is too long. */
async function read(req: IncomingMessage) {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of req as AsyncIterable<Buffer>) {
    length += part.length
    if (length > MAX_BODY_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** Listens on the previous port, or on another one if that is taken. */
async function listen(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((done, failed) => {
      server.once('error', failed).listen(port, '127.0.0.1', () => {
        server.off('error', failed)
        done()
      })
    })
  } catch (e) {
    if (port === 0 || (e as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw e
    return listen(server, 0)
  }
  return (server.address() as { port: number }).port
}
