import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { PaymentGateway } from '../../modules/payments/gateway.ts'
import { startStripeSandbox } from '../../src/embedded/stripe/index.ts'

const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' })

interface Received {
  id: string
  type: string
  signature: string
  body: string
}

/**
 * Starts a webhook endpoint that records what it receives and responds with `endpoint.status`. `until` waits until the
 * received webhooks satisfy a condition.
 */
export async function startWebhookReceiver() {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const endpoint = { status: 200 }
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const part of req) body += part
    const { id, type } = JSON.parse(body) as { id: string; type: string }
    received.push({ id, type, signature: String(req.headers['stripe-signature']), body })
    res.writeHead(endpoint.status).end()
    for (const check of waiting) check()
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    received,
    endpoint,
    types: () => received.map(g => g.type),
    until: (enough: (got: Received[]) => boolean) =>
      new Promise<void>(done => {
        const check = () => {
          if (!enough(received)) return
          waiting.delete(check)
          done()
        }
        waiting.add(check)
        check()
      }),
    async stop() {
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
  }
}

/** Starts a sandbox with its own data directory. `restart` stops it, calls `meanwhile`, and starts it again with the same data. */
export async function startTestSandbox(o: { webhookUrl?: string } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'stripe-'))
  const start = () => startStripeSandbox({ dataDir, log, webhookUrl: o.webhookUrl ?? 'http://127.0.0.1:9/nobody' })
  let running = await start()
  const control = async (method: string, content?: object) => {
    const answer = await fetch(`${running.pages}/_control`, { method, ...(content && { body: JSON.stringify(content) }) })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as { waiting: number }
  }
  return {
    dataDir,
    /** What `stripeGateway` needs. */
    get config() {
      return { ...running.config, origin: 'http://ours.test' }
    },
    get pages() {
      return running.pages
    },
    /** Injects faults, in the format of `testControlSchema`. */
    injectFaults: (content: object) => control('POST', content),
    clearFaults: () => control('DELETE'),
    waiting: async () => (await control('GET')).waiting,
    async restart(meanwhile = async () => {}) {
      await running.stop()
      await meanwhile()
      running = await start()
    },
    async stop() {
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Requests a page, or submits its form, like a browser without scripts. Redirects are returned, not followed. */
export async function getPageOrPostForm(url: string, form?: Record<string, string>) {
  const answer = await fetch(url, {
    redirect: 'manual',
    ...(form && { method: 'POST', body: new URLSearchParams(form), headers: { origin: new URL(url).origin } }),
  })
  return { status: answer.status, to: answer.headers.get('location') ?? '', html: await answer.text(), headers: answer.headers }
}

/** Opens a payout account that accepts transfers. */
export async function openPayoutAccount(gateway: PaymentGateway, pages: string) {
  const account = await gateway.payoutAccount(randomUUID(), 'coach@example.com', randomUUID())
  const link = await gateway.onboardingLink(account, { returnUrl: 'http://ours.test/', refreshUrl: 'http://ours.test/' })
  const details = { first: 'J', last: 'R', birth: '1990-01-01', ssn: '0000', routing: '110000000', account: '000123456789' }
  await getPageOrPostForm(new URL((await getPageOrPostForm(link)).to, pages).href, { ...details, action: 'submit' })
  return account
}
