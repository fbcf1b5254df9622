import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import Stripe from 'stripe'
import { expect } from 'vitest'
import { startMailbox } from '../../src/embedded/mailbox.ts'
import { startStripeSandbox } from '../../src/embedded/stripe/index.ts'
import { signatureHeader } from '../../src/embedded/stripe/webhook-deliveries.ts'
import { testCardDetails } from '../support/test-card-details.ts'
import {
  createAssignedFolder,
  type FullServer,
  type FullServerOptions,
  newReviewInput,
  startFullServer,
  type TestUser,
} from './full-server.ts'
import { ORIGIN } from './test-server.ts'

interface MailboxLetter {
  id: string
  subject: string
  text: string
  tags: { name: string; value: string }[]
}

/** How long readers may take to catch up on a busy machine, in ms. */
const CATCH_UP_MS = 30_000

/** Starts the server with a mailbox and a Stripe sandbox whose webhooks the test itself delivers, as often and as late as it wants. */
export async function startServerWithStripe(options: FullServerOptions = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-stripe-'))
  const sandbox = await startStripeSandbox({ dataDir, log: pino({ level: 'error' }), webhookUrl: 'http://127.0.0.1:9/' })
  const control = (body: object) =>
    fetch(`${sandbox.pages}/_control`, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  await control({ webhooks: { hold: true } })
  const at = new URL(sandbox.pages)
  const stripe = new Stripe(sandbox.config.secretKey, { protocol: 'http', host: at.hostname, port: at.port, telemetry: false })
  const mailbox = await startMailbox({ dataDir: join(dataDir, 'mail'), log: pino({ level: 'error' }) })
  const s: FullServer = await startFullServer({ stripe: sandbox.config, resend: mailbox.config }, options)
  const submit = (url: string, form: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

  const secretFor = (event: object) => ('account' in event ? sandbox.webhookSecrets.connect : sandbox.webhookSecrets.account)
  const deliver = async (event: object, secret = secretFor(event), t?: number) => {
    const body = JSON.stringify(event)
    return s.fetch(
      new Request(`${ORIGIN}/api/webhooks/stripe`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'stripe-signature': signatureHeader(body, secret, t) },
      }),
    )
  }
  const position = async () => (await s.sql`select coalesce(max(position), -1)::text as position from events`)[0]!.position as string

  return {
    ...s,
    stripe,
    control,
    deliver,
    submit,
    secret: sandbox.webhookSecrets.account,
    mailSecret: mailbox.config.webhookSecret!,
    mailbox: mailbox.pages,
    /** Enters a card on the hosted page. Returns the URL to which the player comes back; its query names the checkout session. */
    async enterCard(url: string, number = '4242424242424242') {
      const done = await submit(url, testCardDetails(number, 'Ana'))
      expect(done.status).toBe(303)
      return done.headers.get('location')!
    },
    async saveCardOf(player: TestUser, number?: string) {
      const { body } = await player.call('POST', '/api/cards/setup', { back: '/player/dashboard' })
      const back = await this.enterCard(body.url, number)
      const saved = await player.call('POST', '/api/cards/confirm', { session: new URL(back).searchParams.get('setup') })
      expect(saved.status).toBe(200)
      return saved.body.card as { id: string }
    },
    /** Returns the provider's last 100 events, oldest first, as its webhooks send them. */
    async webhooks() {
      const { data } = await stripe.events.list({ limit: 100 })
      return data.reverse()
    },
    async deliverAll() {
      // With the real Stripe, people fill in a form before the webhook is sent, so by then the read models know their account.
      await this.waitUntilIdle()
      for (const event of await this.webhooks()) expect((await deliver(event)).status).toBe(204)
      await this.waitUntilIdle()
    },
    /** Waits until all events are processed, no errand is being retried or due within 5 s, and folder and money read models are current. */
    async waitUntilIdle() {
      for (let before = ''; before !== (await position()); ) {
        before = await position()
        expect(await s.deps.processes.caughtUp(BigInt(before), CATCH_UP_MS)).toBe(true)
        await expect.poll(async () => (await waiting()).length, { interval: 10 }).toBe(0)
      }
      expect(await s.deps.readModels.caughtUp(['payments', 'folders', 'payouts', 'purchases'], BigInt(await position()), CATCH_UP_MS)).toBe(
        true,
      )
    },
    /** Schedules the postponed errands of a kind to run now, and waits until the server is idle. */
    async makeDue(kind: string) {
      // A process may not have created the errand for the latest event yet.
      expect(await s.deps.processes.caughtUp(BigInt(await position()), CATCH_UP_MS)).toBe(true)
      await s.sql`update errands set due = now() where kind = ${kind} and done is null`
      await s.sql`select pg_notify('errands', '')`
      await this.waitUntilIdle()
    },
    /** Creates a folder with delivered feedback, which opens a payment. */
    async createDeliveredFolder(player: TestUser, instructor: TestUser) {
      const assigned = await createAssignedFolder(player, instructor)
      const given = await instructor.call('POST', `/api/folders/${assigned.folder}/feedback`, newReviewInput(assigned.video))
      expect(given.status).toBe(204)
      await this.waitUntilIdle()
      return { ...assigned, payment: assigned.assignment }
    },
    /** Letters to an address, oldest first. */
    async letters(to: string): Promise<MailboxLetter[]> {
      const found = (await (await fetch(`${mailbox.pages}/letters.json?to=${encodeURIComponent(to)}`)).json()) as MailboxLetter[]
      return found.reverse()
    },
    async onboard(instructor: TestUser) {
      const { body } = await instructor.call('POST', '/api/payouts/account')
      const page = (await fetch(body.url, { redirect: 'manual' })).headers.get('location')!
      const details = { first: 'J', last: 'R', birth: '1990-01-01', ssn: '0000', routing: '110000000', account: '000123456789' }
      expect((await submit(new URL(page, sandbox.pages).href, { ...details, action: 'submit' })).status).toBe(303)
    },
    async end() {
      await s.end()
      await Promise.all([sandbox.stop(), mailbox.stop()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }

  async function waiting() {
    return s.sql`select kind, error from errands where done is null and failed is null and (tried is not null or due <= now() + interval '5 seconds')`
  }
}
export type ServerWithStripe = Awaited<ReturnType<typeof startServerWithStripe>>
