import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resendMailer } from '../../modules/letters/resend-mailer.ts'
import { verifyResendWebhook } from '../../modules/letters/verify-resend-webhook.ts'
import { startMailbox } from '../../src/embedded/mailbox.ts'

const log = pino({ level: 'silent' })
let dataDir: string
let mailbox: Awaited<ReturnType<typeof startMailbox>>
let status: number
const got: { headers: Headers; body: string }[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  got.push({ headers: new Headers(request.headers as Record<string, string>), body })
  response.writeHead(status).end()
})
beforeEach(async () => {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-fates-'))
  status = 204
  got.length = 0
  mailbox = await startMailbox({ dataDir, log, webhookUrl: `http://127.0.0.1:${port}/` })
})
afterEach(async () => {
  await mailbox.stop()
  await new Promise(done => server.close(done))
  await rm(dataDir, { recursive: true })
})
const send = (id: string, to: string) =>
  resendMailer(mailbox.config, 'DiamondLink <hello@diamondlink.example>').send({ id, to, subject: 'Hi', html: 'Hi', text: 'Hi' })
const fates = () =>
  got.map(({ headers, body }) => {
    const { letter, to, fate } = verifyResendWebhook(mailbox.config.webhookSecret!, headers, body)!
    return [letter, to, fate]
  })

test("a signed webhook reports the outcome that each of Resend's test addresses means", async () => {
  const addresses = ['pat@example.com', 'bounced@resend.dev', 'complained+2@resend.dev', 'suppressed@resend.dev', 'odd@resend.dev']
  for (const [n, to] of addresses.entries()) await send(`l${n}`, to)
  await expect.poll(() => got.length, { interval: 5 }).toBe(5)
  expect(fates().sort()).toEqual([
    ['l0', 'pat@example.com', 'delivered'],
    ['l1', 'bounced@resend.dev', 'bounced'],
    ['l2', 'complained+2@resend.dev', 'complained'],
    ['l3', 'suppressed@resend.dev', 'suppressed'],
    ['l4', 'odd@resend.dev', 'delivered'],
  ])
})

test('a webhook that is not accepted is sent again, and tests can request extra ones', async () => {
  status = 503
  const letter = await send('l1', 'pat@example.com')
  await expect.poll(() => got.length, { interval: 5 }).toBe(1)
  status = 204
  await expect.poll(() => got.length, { interval: 5 }).toBe(2)
  const ask = (body: object) => fetch(`${mailbox.pages}/fates`, { method: 'POST', body: JSON.stringify(body) })
  expect(await (await ask({ letter, fate: 'complained' })).json()).toEqual({ taken: true })
  expect(fates().at(-1)).toEqual(['l1', 'pat@example.com', 'complained'])
  for (const wrong of [
    { letter, fate: 'lost' },
    { letter: 'none', fate: 'bounced' },
  ])
    expect((await ask(wrong)).status).toBe(404)
})
