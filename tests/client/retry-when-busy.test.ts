import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, callApi } from '../../src/client/api.ts'
import { retryWhenBusy } from '../../src/client/retry-when-busy.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Simulates a server that answers with these statuses in turn. @returns a list that each request is added to, with its time in seconds */
function server(...statuses: number[]) {
  const began = Date.now()
  const requests: { key: string; body: string; at: number }[] = []
  vi.stubGlobal('fetch', async (_: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    requests.push({ key: headers['Idempotency-Key']!, body, at: (Date.now() - began) / 1000 })
    const status = statuses.shift()!
    const problem = { message: 'Many people are logging in right now. Try again in a moment.' }
    return new Response(JSON.stringify(problem), { status, headers: { 'content-type': 'application/json', 'retry-after': '5' } })
  })
  return requests
}
const key = '018f0000-0000-7000-8000-000000000001'
const body = { email: 'ana@example.com', password: 'correct horse', firstName: 'Ana' }
const register = () => retryWhenBusy(() => callApi('POST /api/register/player', { body: body as never }, { idempotencyKey: key }))

test('a registration on a busy server is retried with the same idempotency key', async () => {
  const requests = server(503, 503, 201)
  const done = register()
  await vi.runAllTimersAsync()
  await done
  expect(requests).toEqual([0, 5, 10].map(at => ({ key, body: JSON.stringify(body), at })))
})

test.each([
  ['when the server stays busy for too long', [503, 503, 503, 201], 3],
  ['at once when it is refused', [422, 201], 1],
  ['at once at a rate limit, which a short wait does not lift', [429, 201], 1],
])('a registration fails %s', async (_, statuses, times) => {
  const requests = server(...statuses)
  const failure = register().catch(error => error)
  await vi.runAllTimersAsync()
  expect(await failure).toBeInstanceOf(ApiError)
  expect((await failure).message).toBe('Many people are logging in right now. Try again in a moment.')
  expect(requests).toHaveLength(times)
})
