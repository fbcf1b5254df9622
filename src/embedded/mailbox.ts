import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import type { BaseLogger } from 'pino'
import { v7 as uuid } from 'uuid'
import type { ResendConfig } from '../config.ts'
import { isHostOfLoopbackServer } from './dns-rebinding-guard.ts'
import { findFreePort } from './find-free-port.ts'
import { letterContentSecurityPolicy, mailboxContentSecurityPolicy, mailboxPage } from './mailbox-page.ts'
import { isSimulatedDeliveryStatus, newMailboxWebhookSender, type SimulatedDeliveryStatus, simulatedStatusOf } from './mailbox-webhooks.ts'
import { type StoredLetter, sendEmailRequestSchema } from './stored-letter.ts'

/** A request that was sent with an idempotency key. `reply` is undefined while the request is being handled. */
interface Sent {
  /** SHA-256 of the request's body. */
  bodyHash: string
  reply: unknown
  at: number
}

const MAX_BODY_BYTES = 5 * 1024 * 1024
const DAY_MS = 24 * 3600 * 1000

class Fault extends Error {
  status: number
  code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * Starts a mail server for development that implements Resend's API and stores the letters instead of sending them. `pages` is the URL of
 * a page that shows them; `/letters.json?to=someone@example.com` on the same server returns them as JSON for tests. The server listens on
 * the loopback address only, and checks the Host header so that other sites cannot read the letters through a browser. If there is a
 * `webhookUrl`, the server sends a webhook with the outcome of each letter, which depends on the first recipient (see Resend's test
 * addresses), and tests can request more webhooks with `POST /fates`.
 */
export async function startMailbox(options: { dataDir: string; log: BaseLogger; webhookUrl?: string }) {
  const dir = resolve(options.dataDir)
  await mkdir(join(dir, 'letters'), { recursive: true, mode: 0o700 })
  const readOrMake = (file: string, make: () => string) =>
    readFile(join(dir, file), 'utf8').catch(async () => {
      const made = make()
      await writeFile(join(dir, file), made, { mode: 0o600 })
      return made
    })
  const apiKey = await readOrMake('key', () => `re_${randomBytes(18).toString('base64url')}`)
  const webhookSecret = await readOrMake('webhook-secret', () => `whsec_${randomBytes(24).toString('base64')}`)
  const webhooks = options.webhookUrl
    ? newMailboxWebhookSender({ url: options.webhookUrl, secret: webhookSecret, log: options.log })
    : undefined
  const save = async (file: string, data: unknown) => {
    await writeFile(`${file}.draft`, JSON.stringify(data))
    await rename(`${file}.draft`, file)
  }
  const letters: StoredLetter[] = []
  for (const name of await readdir(join(dir, 'letters')))
    if (name.endsWith('.json')) letters.push(JSON.parse(await readFile(join(dir, 'letters', name), 'utf8')))
  // UUIDv7 ids sort by time.
  letters.sort((a, b) => (a.id < b.id ? 1 : -1))
  const keysFile = join(dir, 'sent.json')
  const sent = new Map<string, Sent>(JSON.parse(await readFile(keysFile, 'utf8').catch(() => '[]')))

  const deliver = async (body: unknown): Promise<{ id: string }> => {
    const parsed = sendEmailRequestSchema.safeParse(body)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      const field = String(issue!.path[0] ?? 'body')
      if (issue!.code === 'custom' || (body as Record<string, unknown>)?.[field] === undefined)
        throw new Fault(422, 'missing_required_field', issue!.code === 'custom' ? issue!.message : `Missing \`${field}\` field.`)
      throw new Fault(422, field === 'from' ? 'invalid_from_address' : 'validation_error', `Invalid \`${field}\` field.`)
    }
    const letter: StoredLetter = { id: uuid(), created_at: new Date().toISOString(), ...parsed.data }
    await save(join(dir, 'letters', `${letter.id}.json`), letter)
    letters.unshift(letter)
    options.log.info({ part: 'mailbox', letter: letter.id }, 'a letter')
    void webhooks?.send(letter, simulatedStatusOf(bare(letter.to[0]!)))
    return { id: letter.id }
  }

  // Writes to `sent.json` are serialized, because concurrent writes would use the same temporary file.
  let keeping = Promise.resolve()
  const answered = () => [...sent].filter(([, s]) => s.reply !== undefined)
  const keep = () => {
    keeping = keeping.catch(() => {}).then(() => save(keysFile, answered()))
    return keeping
  }

  /**
   * Implements idempotency keys. Within a day, the same request with the same key gets the same response.
   * @throws Fault 409 if a different request used the key, or the same request is still being handled; 400 if the key is too long or empty
   */
  const once = async (key: string | undefined, body: unknown, work: () => Promise<unknown>) => {
    if (key === undefined) return work()
    if (key.length < 1 || key.length > 256) throw new Fault(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.')
    const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest('base64url')
    const before = sent.get(key)
    if (before && before.at > Date.now() - DAY_MS) {
      if (before.bodyHash !== bodyHash)
        throw new Fault(409, 'invalid_idempotent_request', 'Same idempotency key used with a different request payload.')
      if (before.reply === undefined)
        throw new Fault(409, 'concurrent_idempotent_requests', 'Same idempotency key used while original request is still in progress.')
      return before.reply
    }
    const entry: Sent = { bodyHash, reply: undefined, at: Date.now() }
    sent.set(key, entry)
    try {
      entry.reply = await work()
    } catch (error) {
      sent.delete(key)
      throw error
    }
    for (const [old, { at }] of sent) if (at < Date.now() - DAY_MS) sent.delete(old)
    await keep()
    return entry.reply
  }

  const api = async (method: string, path: string, request: IncomingMessage) => {
    const bearerKey = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (!bearerKey) throw new Fault(401, 'missing_api_key', 'Missing API Key')
    const [a, b] = [Buffer.from(bearerKey), Buffer.from(apiKey)]
    if (a.length !== b.length || !timingSafeEqual(a, b)) throw new Fault(403, 'invalid_api_key', 'API key is invalid')
    const key = request.headers['idempotency-key'] as string | undefined
    if (method === 'POST' && path === '/emails') {
      const body = await readJson(request)
      return once(key, body, () => deliver(body))
    }
    if (method === 'POST' && path === '/emails/batch') {
      const body = await readJson(request)
      if (!Array.isArray(body) || body.length < 1 || body.length > 100)
        throw new Fault(422, 'validation_error', 'A batch has between 1 and 100 emails.')
      for (const email of body)
        if (!sendEmailRequestSchema.safeParse(email).success) throw new Fault(422, 'validation_error', 'An email of the batch is invalid.')
      return once(key, body, async () => ({ data: await Promise.all(body.map(deliver)) }))
    }
    const letter = method === 'GET' && letters.find(l => path === `/emails/${l.id}`)
    if (letter) return { object: 'email', last_event: 'delivered', cc: null, bcc: null, reply_to: null, scheduled_at: null, ...letter }
    throw new Fault(404, 'not_found', 'Not found')
  }

  /** Sends an additional webhook about a letter, for tests. */
  const order = async (asked: unknown): Promise<{ taken: boolean }> => {
    const { letter: id, fate } = asked as { letter?: string; fate?: SimulatedDeliveryStatus }
    const letter = letters.find(l => l.id === id)
    if (!letter || !isSimulatedDeliveryStatus(fate)) throw new Fault(404, 'not_found', 'There is no such letter or fate.')
    return { taken: (await webhooks?.send(letter, fate)) ?? false }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mailbox')
    const method = request.method ?? 'GET'
    const reply = (status: number, type: string, body: string, headers = {}) =>
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...headers }).end(body)
    try {
      if (!isHostOfLoopbackServer(request.headers.host, port))
        throw new Fault(403, 'forbidden', 'The mailbox answers to its loopback address only.')
      const to = searchParams.get('to')?.trim().toLowerCase()
      const for_ = to ? letters.filter(l => l.to.some(t => bare(t) === to)) : letters
      if (method === 'GET' && pathname === '/letters.json') return reply(200, 'application/json', JSON.stringify(for_))
      if (method === 'GET' && pathname === '/') {
        const everyone = [...new Set(letters.flatMap(l => l.to.map(bare)))].sort()
        const shown = { letters: for_, everyone, to, id: searchParams.get('id'), as: searchParams.get('as') }
        return reply(200, 'text/html', mailboxPage(shown), { 'content-security-policy': mailboxContentSecurityPolicy })
      }
      const html = /^\/letters\/([\w-]+)$/.exec(pathname)?.[1]
      const letter = html && letters.find(l => l.id === html)
      if (method === 'GET' && letter)
        return reply(200, 'text/html', letter.html ?? '', { 'content-security-policy': letterContentSecurityPolicy })
      if (method === 'POST' && pathname === '/fates')
        return reply(200, 'application/json', JSON.stringify(await order(await readJson(request))))
      reply(200, 'application/json', JSON.stringify(await api(method, pathname, request)))
    } catch (error) {
      const { status, code, message } =
        error instanceof Fault ? error : new Fault(500, 'internal_server_error', 'An unexpected error occurred.')
      if (!(error instanceof Fault)) options.log.error({ part: 'mailbox', err: error }, 'the mailbox failed')
      reply(status, 'application/json', JSON.stringify({ statusCode: status, name: code, message }))
    }
  }

  const port = await findFreePort(join(dir, 'port'))
  const server = createServer(answer)
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done))
  const url = `http://127.0.0.1:${port}`
  const config: ResendConfig = { apiKey, webhookSecret, url }
  return {
    config,
    pages: url,
    stop: async () => {
      webhooks?.stop()
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
  }
}

const bare = (address: string) => (/<([^>]+)>/.exec(address)?.[1] ?? address).trim().toLowerCase()

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Fault(413, 'validation_error', 'The email is too large.')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new Fault(422, 'validation_error', 'The body is not JSON.')
  }
}
