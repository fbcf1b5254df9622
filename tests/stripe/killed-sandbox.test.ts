import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stripeGateway } from '../../modules/payments/gateway.ts'
import { startWebhookReceiver } from './test-sandbox.ts'

let dataDir: string
let hook: Awaited<ReturnType<typeof startWebhookReceiver>>
let child: ChildProcess
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stripe-'))
  hook = await startWebhookReceiver()
})
afterEach(async () => {
  child.kill('SIGKILL')
  await hook.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start() {
  child = spawn(process.execPath, [join(import.meta.dirname, 'sandbox-child-process-main.ts'), dataDir, hook.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return JSON.parse(line.toString()) as { secretKey: string; webhookSecret: string; url: string }
}

test('a sandbox killed under load keeps answered calls, repeats none, sends all events', async () => {
  const config = await start()
  const gateway = stripeGateway({ ...config, origin: 'http://ours.test' })
  const { hostname, port } = new URL(config.url)
  const stripe = new Stripe(config.secretKey, { host: hostname, port, protocol: 'http', telemetry: false })
  const customer = await gateway.customer('player-1', 'k')
  const method = (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id
  const asked = Array.from({ length: 60 }, () => ({
    payment: randomUUID(),
    attempt: '1',
    customer,
    method,
    amount: 1750,
    key: randomUUID(),
  }))
  const answered = new Map<string, unknown>()
  await Promise.all(
    asked.map(async (one, i) => {
      if (i === 30) child.kill('SIGKILL')
      const done = await gateway.charge(one).catch(() => null)
      if (done) answered.set(one.payment, done)
    }),
  )
  expect(answered.size).toBeLessThan(60)
  expect((await start()).url).toBe(config.url)
  for (const one of asked) {
    const again = await gateway.charge(one)
    expect(again).toMatchObject({ outcome: 'succeeded' })
    if (answered.has(one.payment)) expect(again).toEqual(answered.get(one.payment))
    expect((await stripe.charges.list({ transfer_group: one.payment })).data).toHaveLength(1)
  }
  const paid = () =>
    new Set(hook.received.filter(g => g.type === 'charge.succeeded').map(g => JSON.parse(g.body).data.object.transfer_group))
  await hook.until(() => asked.every(one => paid().has(one.payment)))
})
