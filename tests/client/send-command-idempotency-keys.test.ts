import { afterEach, expect, test, vi } from 'vitest'
import { sendCommand } from '../../src/client/send-command.ts'

afterEach(() => vi.unstubAllGlobals())

/**
 * Simulates a server that answers with these statuses in turn; `lost`: the response is lost. @returns a list to which each request's
 * idempotency key is added
 */
function server(...answers: (number | 'lost')[]) {
  const keys: string[] = []
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers['Idempotency-Key']!)
    const status = answers.shift() ?? 204
    if (status === 'lost') throw new TypeError('Failed to fetch')
    return new Response(status === 204 ? null : '{"message":"No."}', { status })
  })
  return keys
}
const id = () => crypto.randomUUID()
const ignoringErrors = (sent: Promise<unknown>) => sent.catch(() => {})
const archive = (folder: string) => ignoringErrors(sendCommand('POST /api/folders/{folder}/archive', { params: { folder } }))
const restore = (folder: string) => ignoringErrors(sendCommand('POST /api/folders/{folder}/restore', { params: { folder } }))

test('a command keeps its idempotency key in retries until the server has decided', async () => {
  const keys = server('lost', 503, 429, 204, 204)
  const folder = id()
  for (let i = 0; i < 5; i++) await archive(folder)
  expect(keys[0]).toMatch(/^[\w-]{36}$/)
  expect(new Set(keys.slice(0, 4)).size).toBe(1)
  expect(keys[4]).not.toBe(keys[3])
})

test('the next command after a refused one has a new key', async () => {
  const keys = server(409, 204)
  const folder = id()
  await archive(folder)
  await archive(folder)
  expect(keys[1]).not.toBe(keys[0])
})

test('a different command has a new key, and so has a later repeat of the first', async () => {
  const keys = server('lost', 204, 'lost')
  const folder = id()
  await archive(folder)
  await restore(folder)
  await archive(folder)
  expect(new Set(keys).size).toBe(3)
})

test('a command with a changed body has a new key; other resources do not affect keys', async () => {
  const keys = server('lost', 'lost', 'lost', 204)
  const [request, other] = [id(), id()]
  const set = (status: 'closed' | 'open', of = request) =>
    ignoringErrors(sendCommand('POST /api/admin/support/{request}/status', { params: { request: of }, body: { status } }))
  await set('closed')
  await set('open')
  await set('open', other)
  await set('open')
  expect(keys[1]).not.toBe(keys[0])
  expect(keys[3]).toBe(keys[1])
})
