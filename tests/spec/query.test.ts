import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** What React would do with a store: listen while mounted. */
interface Store {
  listen(listener: () => void): () => void
  get(): { data?: unknown; error?: Error; loading: boolean }
}
let shown: Store
vi.mock('@nanostores/react', () => ({
  useStore: (store: Store) => {
    shown = store
    return store.get()
  },
}))

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const calls = () => fetched.mock.calls.length
const fire = new Map<string, () => void>()
const page = { hidden: false }
let useQuery: typeof import('../../src/client/query.ts')['useQuery']

const mount = () => {
  useQuery('GET /api/instructors')
  return shown.listen(() => {})
}
const settled = () => vi.advanceTimersByTimeAsync(0)

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => fire.set(name, listener))
  vi.stubGlobal('fetch', fetched)
  fetched.mockReset().mockImplementation(async () => Response.json([]))
  ;({ useQuery } = await import('../../src/client/query.ts'))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a query is a GET of its address', async () => {
  mount()
  await settled()
  expect(fetched.mock.calls.map(([url, { method, body }]) => [url, method, body])).toEqual([['/api/instructors', 'GET', undefined]])
})

test('an answer is fresh for 60,000 ms', async () => {
  mount()()
  await settled()
  await vi.advanceTimersByTimeAsync(59_999)
  mount()()
  expect(calls()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  mount()
  expect(calls()).toBe(2)
})

test('an answer is kept, and shown while it is asked for anew, for 300,000 ms', async () => {
  mount()()
  await settled()
  fetched.mockImplementation(() => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(299_999)
  mount()
  expect([calls(), shown.get()]).toMatchObject([2, { data: [], loading: true }])
})

test('an answer older than 300,000 ms is not shown', async () => {
  mount()()
  await settled()
  fetched.mockImplementation(() => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(300_000)
  mount()
  expect(calls()).toBe(2)
  expect(shown.get()).toMatchObject({ loading: true })
  expect(shown.get().data).toBeUndefined()
})

test('a failure is not tried again by itself', async () => {
  fetched.mockImplementation(async () => Response.json({ message: 'No' }, { status: 500 }))
  mount()
  await settled()
  expect(shown.get().error?.message).toBe('No')
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(calls()).toBe(1)
})

test('nothing is fetched again on focus, on an interval, or when the connection is back', async () => {
  mount()
  await settled()
  await vi.advanceTimersByTimeAsync(3_600_000)
  fire.get('visibilitychange')?.()
  fire.get('online')?.()
  await settled()
  expect(calls()).toBe(1)
})

test('a request is attempted though the browser says it is offline', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  mount()
  await settled()
  expect([calls(), shown.get()]).toMatchObject([1, { data: [] }])
})

test('a 401 fails a query', async () => {
  fetched.mockImplementation(async () => Response.json({ message: 'Sign in to go on.' }, { status: 401 }))
  mount()
  await settled()
  expect(shown.get().error?.message).toBe('Sign in to go on.')
})
