import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, request } from '../../src/client/api.ts'
import { $user, checkSession } from '../../src/client/session.ts'

const storage = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
const json = (body: unknown, init?: ResponseInit) => Response.json(body, init)
const answers = (...replies: Response[]) => {
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async () => replies.shift()!)
  vi.stubGlobal('fetch', fetch)
  return fetch
}
const failure = (response: Response) => {
  answers(response)
  return request('GET', '/api/instructors').then(
    () => expect.unreachable(),
    (error: ApiError) => error,
  )
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
})
afterEach(() => vi.unstubAllGlobals())

test('every request sends credentials and asks for JSON; bodies are JSON unless they are raw', async () => {
  const fetch = answers(json([]), json({}), json({}))
  await request('GET', '/api/instructors')
  await request('POST', '/api/logout', { a: 1 })
  const photo = new Blob(['x'], { type: 'image/png' })
  await request('PUT', '/api/user/picture', photo)
  const [get, post, put] = fetch.mock.calls.map(([, init]) => init)
  expect(fetch.mock.calls.map(([url]) => url)).toEqual(['/api/instructors', '/api/logout', '/api/user/picture'])
  expect(get).toMatchObject({ method: 'GET', credentials: 'include', headers: { Accept: 'application/json' } })
  expect(get!.body).toBeUndefined()
  expect(post).toMatchObject({ method: 'POST', credentials: 'include', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } })
  expect(put).toMatchObject({ credentials: 'include', body: photo, headers: { 'Content-Type': 'image/png' } })
})

test("a developer-testing flag of 'enabled', and no other, adds dev_bypass=true and X-Dev-Testing: true", async () => {
  const fetch = answers(...Array.from({ length: 4 }, () => json([])))
  await request('GET', '/api/instructors')
  localStorage.setItem('devTesting', 'true')
  await request('GET', '/api/instructors')
  localStorage.setItem('devTesting', 'enabled')
  await request('GET', '/api/instructors')
  await request('GET', '/api/check-email?email=a%40b.example')
  expect(fetch.mock.calls.map(([url, init]) => [url, (init.headers as Record<string, string>)['X-Dev-Testing']])).toEqual([
    ['/api/instructors', undefined],
    ['/api/instructors', undefined],
    ['/api/instructors?dev_bypass=true', 'true'],
    ['/api/check-email?email=a%40b.example&dev_bypass=true', 'true'],
  ])
})

test('an error says the message field, else the whole JSON, else the text, else the status text', async () => {
  const of = async (body: string, type: string, statusText = 'Teapot') =>
    (await failure(new Response(body, { status: 418, statusText, headers: { 'content-type': type } }))).message
  expect(await of('{"message":"No swing today.","code":"x"}', 'application/json')).toBe('No swing today.')
  expect(await of('{"code":"x"}', 'application/json')).toBe('{"code":"x"}')
  expect(await of('Foul ball', 'text/plain')).toBe('Foul ball')
  expect(await of('', 'text/plain')).toBe('Teapot')
  expect(await failure(json({ message: 'No' }, { status: 409 }))).toBeInstanceOf(ApiError)
})

test("an error that says nothing at all is 'Unknown error'", async () => {
  expect((await failure(new Response('', { status: 500, statusText: '' }))).message).toBe('Unknown error')
})

test("another content type is 'Expected JSON response but got {type}'", async () => {
  const html = new Response('<p>hello</p>', { headers: { 'content-type': 'text/html; charset=utf-8' } })
  expect((await failure(html)).message).toBe('Expected JSON response but got text/html; charset=utf-8')
})

test("what cannot be parsed is 'Invalid JSON response from server'", async () => {
  const cut = new Response('{"a":', { headers: { 'content-type': 'application/json' } })
  expect((await failure(cut)).message).toBe('Invalid JSON response from server')
})

test('a 401 fails a request; asked who is signed in, it is nobody, and the stale flag is cleared', async () => {
  expect((await failure(json({ message: 'Sign in to go on.' }, { status: 401 }))).status).toBe(401)
  localStorage.setItem('isLoggedIn', 'true')
  answers(json({ message: 'Sign in to go on.' }, { status: 401 }))
  expect(await checkSession()).toBeNull()
  expect([$user.get(), localStorage.getItem('isLoggedIn')]).toEqual([null, null])
})
