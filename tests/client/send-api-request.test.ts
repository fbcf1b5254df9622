import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { sendApiRequest } from '../../src/client/api.ts'
import { errorMessage } from '../../src/client/use-command.ts'

// Tests the specification's rules for every request against a server with scripted responses.
const received: { method?: string | undefined; url?: string | undefined; headers: IncomingHttpHeaders; body: string }[] = []
let answer = (response: ServerResponse) => void response.end()
const server = createServer(async (incoming, response) => {
  const { method, url, headers } = incoming
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  received.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
  answer(response)
})
const credentials = vi.fn()
const stored = new Map<string, string>()
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
}

beforeAll(async () => {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    credentials(init.credentials)
    return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init)
  })
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', storage)
})
afterEach(() => {
  received.length = 0
  stored.clear()
})
afterAll(() => {
  vi.unstubAllGlobals()
  server.closeAllConnections()
  server.close()
})

const answerWith = (status: number, type: string, body: string, words?: string) => {
  answer = response => void response.writeHead(status, words, { 'content-type': type }).end(body)
}

test('every request sends credentials and accepts JSON; bodies are JSON unless raw', async () => {
  answerWith(200, 'application/json; charset=utf-8', '{"name":"Tee work"}')
  expect(await sendApiRequest('GET', '/api/folders/1')).toEqual({ name: 'Tee work' })
  await sendApiRequest('PUT', '/api/profile', { about: 'I look at hands first.' })
  await sendApiRequest('PUT', '/api/user/picture', new Blob(['a picture'], { type: 'image/png' }))
  expect(received.map(({ method, url, headers, body }) => [method, url, headers.accept, headers['content-type'], body])).toEqual([
    ['GET', '/api/folders/1', 'application/json', undefined, ''],
    ['PUT', '/api/profile', 'application/json', 'application/json', '{"about":"I look at hands first."}'],
    ['PUT', '/api/user/picture', 'application/json', 'image/png', 'a picture'],
  ])
  expect(credentials.mock.calls).toEqual([['include'], ['include'], ['include']])
})

test("a tab's position in the log is sent until its session has ended", async () => {
  const minPositions = async () => {
    received.length = 0
    answerWith(200, 'application/json', '{}')
    await sendApiRequest('GET', '/api/folders')
    return received.map(({ headers }) => headers['x-seen'])
  }
  for (const position of ['9', '7']) {
    answer = response => void response.writeHead(204, { 'x-position': position }).end()
    await sendApiRequest('POST', '/api/folders/1/archive')
  }
  expect(await minPositions()).toEqual(['9'])
  // After a restore from a backup the log is shorter, so a request with the old position would wait in vain for the read models.
  answerWith(401, 'application/problem+json', '{"message":"Log in to continue."}')
  await expect(sendApiRequest('GET', '/api/folders')).rejects.toThrow('Log in to continue.')
  expect(await minPositions()).toEqual([undefined])
})

// @spec:7.2
test("only the developer flag 'enabled' adds dev_bypass=true and X-Dev-Testing: true", async () => {
  answerWith(200, 'application/json', '{}')
  for (const flag of ['true', 'enabled']) {
    stored.set('devTesting', flag)
    await sendApiRequest('GET', '/api/instructors')
    await sendApiRequest('GET', '/api/check-email?email=a%40b.example')
  }
  expect(received.map(({ url, headers }) => [url, headers['x-dev-testing']])).toEqual([
    ['/api/instructors', undefined],
    ['/api/check-email?email=a%40b.example', undefined],
    ['/api/instructors?dev_bypass=true', 'true'],
    ['/api/check-email?email=a%40b.example&dev_bypass=true', 'true'],
  ])
})

test('a request whose connection died silently times out and fails as offline', async () => {
  const timeout = new AbortController()
  const spy = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
  answer = () => {}
  const sent = sendApiRequest('POST', '/api/folders/1/assign', { message: 'Hi' })
  await expect.poll(() => received.length).toBe(1)
  timeout.abort(new DOMException('signal timed out', 'TimeoutError'))
  const error = await sent.catch(error => error)
  expect(errorMessage(error)).toBe('No connection right now. Nothing was lost; try again when you are back online.')
  spy.mockRestore()
})

// @spec:7.22
test.each([
  ['the message field', 'application/json', '{"message":"No swing today.","code":"x"}', 'No swing today.'],
  ['else the whole JSON', 'application/json', '{"code":"x"}', '{"code":"x"}'],
  ['else the text', 'text/plain', 'Foul ball', 'Foul ball'],
  ['else the status text', 'text/plain', '', "I'm a teapot"],
])('the message of an error comes from %s', async (_, type, body, words) => {
  answerWith(418, type, body, "I'm a teapot")
  await expect(sendApiRequest('GET', '/api/rewards')).rejects.toMatchObject({ message: words, status: 418 })
})

// @spec:7.23 @spec:8.12
test("the message of an empty error response is 'Unknown error'", async () => {
  // HTTP/2 has no status text (RFC 9113, section 8.3.2).
  answer = response => void response.writeHead(499, '').end()
  await expect(sendApiRequest('GET', '/api/rewards')).rejects.toMatchObject({ message: 'Unknown error', status: 499 })
})

// @spec:7.27 @spec:8.10
test("a response that is not JSON fails: 'Expected JSON response but got {type}'", async () => {
  answerWith(200, 'text/html; charset=utf-8', '<p>hello</p>')
  await expect(sendApiRequest('GET', '/api/rewards')).rejects.toThrow(/^Expected JSON response but got text\/html; charset=utf-8$/)
})

// @spec:7.28 @spec:8.11
test("a JSON response that cannot be parsed fails: 'Invalid JSON response from server'", async () => {
  answerWith(200, 'application/json', '{"a":')
  await expect(sendApiRequest('GET', '/api/rewards')).rejects.toThrow(/^Invalid JSON response from server$/)
})
