import { H3 } from 'h3'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AppDependencies } from '../../src/api/app-dependencies.ts'
import { healthRoutes } from '../../src/api/health.ts'
import { mountRoutes } from '../../src/api/routing.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const healthyCheck = async () => {}
const failingCheck = () => Promise.reject(new Error('gone'))
const hangingCheck = () => new Promise<never>(() => {})
const readerStatus = (name: string, ...parked: string[]) => ({
  name,
  version: 1,
  position: -1n,
  logEnd: null,
  rebuilding: null,
  parked: { count: parked.length, streams: parked.map(stream => ({ stream })) },
})

const NOW = Date.parse('2026-06-01T12:00:00Z')
/** A log whose first unread event is `seconds` seconds old; without an argument, there are no unread events. */
const log = (seconds?: number) => ({
  async *follow() {
    if (seconds !== undefined) yield [{ at: new Date(NOW - seconds * 1000).toISOString() }]
  },
})

/** Requests a path, and advances the fake timers until the response arrives; `waited` says by how many ms. */
async function requestPath(path: string, given: Partial<Record<keyof AppDependencies, unknown>> = {}) {
  const deps = {
    config: { origin: 'http://ours.test' },
    log: pino({ level: 'silent' }),
    store: log(),
    clock: () => new Date(NOW),
    checks: { postgres: healthyCheck, log: healthyCheck },
    readModels: { companionStatuses: async () => [], status: async () => [] },
    processes: { status: async () => [] },
    ...given,
  } as unknown as AppDependencies
  const app = new H3()
  mountRoutes(app, healthRoutes, deps)
  let answer: Response | undefined
  const asking = Promise.resolve(app.fetch(new Request(`http://ours.test${path}`))).then(response => {
    answer = response
  })
  let waited = 0
  for (; !answer && waited < 10_000; waited += 100) await vi.advanceTimersByTimeAsync(100)
  await asking
  return { status: answer!.status, body: await answer!.json(), waited }
}

test('a server that responds is alive, even if all its dependencies are down', async () => {
  expect(await requestPath('/api/health', { checks: { postgres: failingCheck } })).toMatchObject({ status: 200, body: { status: 'ok' } })
})

test('a server is ready while its dependencies respond, and counts parked streams', async () => {
  const readModels = {
    companionStatuses: async () => [],
    status: async () => [readerStatus('folders', 'folder-1', 'folder-2'), readerStatus('story')],
  }
  const processes = { status: async () => [readerStatus('writing', 'folder-1')] }
  const { status, body } = await requestPath('/api/ready', { readModels, processes })
  expect([status, body]).toEqual([
    200,
    {
      ready: true,
      dependencies: { postgres: { state: 'up', milliseconds: expect.any(Number) }, log: { state: 'up', milliseconds: expect.any(Number) } },
      parked: [
        { reader: 'folders', streams: 2 },
        { reader: 'writing', streams: 1 },
      ],
      lagging: [],
      stopped: [],
    },
  ])
  // Anybody may call this, and the name of a stream reveals who has which kind of record.
  expect(JSON.stringify(body)).not.toContain('folder-1')
  for (const { milliseconds } of Object.values<{ milliseconds: number }>(body.dependencies)) expect(milliseconds).toBeLessThan(10_000)
})

test('a lagging reader is reported but does not make a server unready', async () => {
  const readers = {
    readModels: { companionStatuses: async () => [], status: async () => [readerStatus('folders'), readerStatus('story')] },
    processes: { status: async () => [readerStatus('writing')] },
  }
  expect((await requestPath('/api/ready', { ...readers, store: log(1) })).body.lagging).toEqual([])
  const { status, body } = await requestPath('/api/ready', { ...readers, store: log(9) })
  expect([status, body.ready, body.lagging]).toEqual([200, true, ['folders', 'story', 'writing']])
})

test('a server is not ready while the log is older than its readers, and says why', async () => {
  const readers = {
    readModels: {
      companionStatuses: async () => [],
      status: async () => [{ ...readerStatus('folders'), logEnd: 3n }, readerStatus('story')],
    },
    processes: { status: async () => [{ ...readerStatus('writing'), logEnd: -1n }] },
  }
  const { status, body } = await requestPath('/api/ready', { ...readers, store: log(9) })
  expect([status, body.ready, body.stopped, body.lagging]).toEqual([503, false, ['folders', 'writing'], ['story']])
  expect(body.message).toContain('npm run rebuild')
})

test.each([
  ['is gone', failingCheck],
  ['hangs', hangingCheck],
])('a server is not ready while a dependency %s, and names that dependency', async (_, check) => {
  const { status, body, waited } = await requestPath('/api/ready', { checks: { postgres: healthyCheck, s3: check, log: healthyCheck } })
  expect([status, body.ready]).toEqual([503, false])
  expect(Object.entries<{ state: string }>(body.dependencies).map(([name, { state }]) => [name, state])).toEqual([
    ['postgres', 'up'],
    ['s3', 'down'],
    ['log', 'up'],
  ])
  expect(waited).toBeLessThanOrEqual(2100)
})

test.each([
  ['cannot be queried', failingCheck],
  ['do not answer', hangingCheck],
])('a server stays ready while its readers %s', async (_, status) => {
  const { status: answered, body } = await requestPath('/api/ready', { readModels: { companionStatuses: async () => [], status } })
  expect([answered, body.ready, body.parked, body.lagging]).toEqual([200, true, [], []])
})

test('answering /api/ready leaves no timer running', async () => {
  await requestPath('/api/ready')
  expect(vi.getTimerCount()).toBe(0)
})
