import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { Resend } from 'resend'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MailError, resendMailer } from '../../modules/letters/resend-mailer.ts'
import { startMailbox } from '../../src/embedded/mailbox.ts'

let dataDir: string
let mailbox: Awaited<ReturnType<typeof startMailbox>>
let client: Resend
const logged: string[] = []
const start = async () => {
  mailbox = await startMailbox({ dataDir, log: pino({}, { write: line => logged.push(line) }) })
  client = new Resend(mailbox.config.apiKey, { baseUrl: mailbox.config.url })
}
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-mailbox-'))
  await start()
})
afterAll(async () => {
  await mailbox.stop()
  await rm(dataDir, { recursive: true })
})
const from = 'DiamondLink <hello@diamondlink.example>'
const letter = (to: string, subject = 'Hello') => ({ from, to, subject, html: `<h1>${subject}</h1>`, text: subject })
const listed = async (to: string) =>
  (await (await fetch(`${mailbox.pages}/letters.json?to=${encodeURIComponent(to)}`)).json()) as { id: string; subject: string }[]

test('the official SDK can send, fetch and send batches; the newest letter comes first', async () => {
  const { data } = await client.emails.send(letter('Kim <kim@example.com>'))
  const fetched = await client.emails.get(data!.id)
  expect(fetched.data).toMatchObject({
    id: data!.id,
    to: ['Kim <kim@example.com>'],
    subject: 'Hello',
    text: 'Hello',
    last_event: 'delivered',
  })
  const batch = await client.batch.send([letter('kim@example.com', 'Second'), letter('lee@example.com', 'Third')])
  expect(batch.data?.data).toHaveLength(2)
  expect((await listed('KIM@example.com')).map(l => l.subject)).toEqual(['Second', 'Hello'])
  expect((await listed('lee@example.com')).map(l => l.subject)).toEqual(['Third'])
})

test("the log identifies a letter by its id, and never contains a person's name", async () => {
  const { data } = await client.emails.send(letter('Private Person <private.person@example.com>', 'A private matter'))
  expect(logged.at(-1)).toContain(data!.id)
  expect(logged.join('')).not.toMatch(/private|@/i)
})

test('repeating an idempotency key sends one letter only, even after a restart', async () => {
  const send = (subject: string) => client.emails.send(letter('once@example.com', subject), { idempotencyKey: 'letter-1' })
  const first = await send('Once')
  expect((await send('Once')).data).toEqual(first.data)
  expect((await send('Twice')).error?.name).toBe('invalid_idempotent_request')
  await mailbox.stop()
  await start()
  expect((await send('Once')).data).toEqual(first.data)
  expect(await listed('once@example.com')).toHaveLength(1)
})

test('the mailbox refuses the same requests as Resend, with the same error names', async () => {
  const error = async (sent: Promise<{ error: { name: string; statusCode: number | null } | null }>) => {
    const { error } = await sent
    return [error?.statusCode, error?.name]
  }
  expect(await error(new Resend('re_wrong', { baseUrl: mailbox.pages }).emails.send(letter('a@example.com')))).toEqual([
    403,
    'invalid_api_key',
  ])
  expect(await error(client.emails.send({ ...letter('a@example.com'), from: 'nobody' }))).toEqual([422, 'invalid_from_address'])
  expect(await error(client.emails.send(letter('not an address')))).toEqual([422, 'validation_error'])
  expect(await error(client.emails.send({ from, to: 'a@example.com', subject: 'Empty' } as never))).toEqual([422, 'missing_required_field'])
  expect(await error(client.emails.get('unknown'))).toEqual([404, 'not_found'])
  const keyless = await fetch(`${mailbox.pages}/emails`, { method: 'POST', body: '{}' })
  expect([keyless.status, ((await keyless.json()) as { name: string }).name]).toEqual([401, 'missing_api_key'])
  expect(await listed('a@example.com')).toEqual([])
})

test('the mailbox page shows letters as text, and their HTML in a sandboxed frame', async () => {
  const subject = '<script>alert(1)</script> & "you"'
  await client.emails.send({ from, to: 'page@example.com', subject, html: '<script>alert(2)</script><b>Bold</b>', text: 'a < b' })
  const id = (await listed('page@example.com'))[0]!.id
  const page = await fetch(`${mailbox.pages}/?to=page@example.com&as=text`)
  const html = await page.text()
  expect(html).not.toContain('<script>alert')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;you&quot;')
  expect(html).toContain('a &lt; b')
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe-inline')
  const frame = await fetch(`${mailbox.pages}/letters/${id}`)
  expect(frame.headers.get('content-security-policy')).toMatch(/^sandbox (?!.*allow-scripts)/)
  expect(await frame.text()).toContain('<b>Bold</b>')
})

test('a foreign site whose host name resolves to this machine cannot read the mailbox', async () => {
  const status = await new Promise(done =>
    request(`${mailbox.pages}/letters.json`, { headers: { host: 'evil.example' } }, reply => done(reply.resume().statusCode)).end(),
  )
  expect(status).toBe(403)
})

test('the mailer distinguishes errors that may be retried from those that may not', async () => {
  const send = (config: { apiKey: string; url?: string }, id = 'mail-1') =>
    resendMailer(config, from).send({ id, to: 'mail@example.com', subject: 'Hi', html: 'Hi', text: 'Hi' })
  const failure = async (sent: Promise<unknown>) => {
    const error = await sent.then(
      () => null,
      (e: MailError) => e,
    )
    expect(error).toBeInstanceOf(MailError)
    return [error?.temporary, error?.code]
  }
  const id = await send(mailbox.config)
  expect(await send(mailbox.config)).toBe(id)
  expect(await listed('mail@example.com')).toHaveLength(1)
  expect(await failure(send({ ...mailbox.config, apiKey: 're_wrong' }, 'mail-2'))).toEqual([true, 'invalid_api_key'])
  expect(
    await failure(
      resendMailer(mailbox.config, 'nobody').send({ id: 'mail-3', to: 'x@example.com', subject: 'Hi', html: 'Hi', text: 'Hi' }),
    ),
  ).toEqual([false, 'invalid_from_address'])

  const answers = async (reply: string) => {
    const server = createServer(socket => socket.once('data', () => socket.end(reply)))
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    return { url: `http://127.0.0.1:${port}`, close: () => new Promise(done => server.close(done)) }
  }
  const busy = '{"statusCode":429,"name":"rate_limit_exceeded","message":"Too many requests"}'
  for (const [reply, code] of [
    [`HTTP/1.1 429 Too Many Requests\r\ncontent-length: ${busy.length}\r\n\r\n${busy}`, 'rate_limit_exceeded'],
    ['HTTP/1.1 502 Bad Gateway\r\ncontent-length: 4\r\n\r\noops', 'application_error'],
    ['', 'application_error'],
  ] as const) {
    const server = await answers(reply)
    expect(await failure(send({ apiKey: 're_1', url: server.url }))).toEqual([true, code])
    await server.close()
  }
})
