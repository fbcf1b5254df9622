import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import Stripe from 'stripe'
import { v7 as newId } from 'uuid'
import { stripeGateway } from '../../../modules/payments/gateway.ts'
import { startStripeSandbox } from '../../../src/embedded/stripe/index.ts'

/** Starts a Stripe sandbox that sends no webhooks, with an account that can receive transfers. */
export async function startStripeSandboxWithoutWebhooks() {
  const dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-stripe-'))
  const sandbox = await startStripeSandbox({ dataDir, log: pino({ level: 'error' }), webhookUrl: 'http://127.0.0.1:9/' })
  const control = (body: object) =>
    fetch(`${sandbox.pages}/_control`, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  await control({ webhooks: { hold: true } })
  const at = new URL(sandbox.pages)
  const stripe = new Stripe(sandbox.config.secretKey, { protocol: 'http', host: at.hostname, port: at.port, telemetry: false })
  const gateway = stripeGateway({ ...sandbox.config, origin: 'http://ours.test' })
  const account = await gateway.payoutAccount(newId(), 'coach@example.com', newId())
  const link = await gateway.onboardingLink(account, { returnUrl: 'http://ours.test/', refreshUrl: 'http://ours.test/' })
  const page = (await fetch(link, { redirect: 'manual' })).headers.get('location')!
  const details = {
    first: 'J',
    last: 'R',
    birth: '1990-01-01',
    ssn: '0000',
    routing: '110000000',
    account: '000123456789',
    action: 'submit',
  }
  await fetch(new URL(page, sandbox.pages), { method: 'POST', body: new URLSearchParams(details), redirect: 'manual' })
  // A share can exceed its charge; the rest comes from the platform's balance, which must not be empty.
  await stripe.paymentIntents.create({
    amount: 5_000_00,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    confirm: true,
    off_session: true,
  })
  return {
    stripe,
    gateway,
    account,
    control: async (body: object) => {
      const answer = await control(body)
      if (!answer.ok) throw new Error(await answer.text())
    },
    pages: sandbox.pages,
    stop: async () => {
      await sandbox.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type StripeSandboxWithoutWebhooks = Awaited<ReturnType<typeof startStripeSandboxWithoutWebhooks>>
