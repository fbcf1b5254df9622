import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutageLogger } from '../../modules/kernel/outage-logger.ts'

let lines: [string, object][]
let outage: ReturnType<typeof createOutageLogger>
beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  const line = (details: object, message: string) => void lines.push([message, details])
  outage = createOutageLogger({ info: line, error: line }, 'The store')
})
afterEach(() => void vi.useRealTimers())

const connectionError = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
const messages = () => lines.map(([message]) => message)

test('an outage is logged once at its beginning with the reason, and once at its end', () => {
  outage.recordAnswer()
  for (let n = 0; n < 1000; n++) outage.recordFailure(connectionError)
  expect(lines).toEqual([['The store is unavailable', { store: 'The store', err: connectionError }]])
  vi.advanceTimersByTime(9000)
  for (let n = 0; n < 1000; n++) outage.recordAnswer()
  vi.advanceTimersByTime(1000)
  expect(lines.slice(1)).toEqual([['The store is available again', { store: 'The store', seconds: 10 }]])
  vi.advanceTimersByTime(60_000)
  outage.recordFailure(connectionError)
  expect(messages()).toEqual(['The store is unavailable', 'The store is available again', 'The store is unavailable'])
})

test('an outage lasts as long as some calls fail, even while others succeed', () => {
  for (let n = 0; n < 20; n++) {
    outage.recordFailure(connectionError)
    outage.recordAnswer()
    vi.advanceTimersByTime(900)
  }
  expect(messages()).toEqual(['The store is unavailable'])
  vi.advanceTimersByTime(100)
  expect(messages()).toEqual(['The store is unavailable', 'The store is available again'])
})

test('a watched call passes on its result or error, which may count as an outage', async () => {
  await expect(outage.watch(Promise.reject(connectionError))).rejects.toBe(connectionError)
  expect(messages()).toEqual(['The store is unavailable'])
  expect(await outage.watch(Promise.resolve(7))).toBe(7)
  vi.advanceTimersByTime(1000)
  expect(messages()).toEqual(['The store is unavailable', 'The store is available again'])
  const refused = new Error('no')
  await expect(outage.watch(Promise.reject(refused))).rejects.toBe(refused)
  expect(lines).toHaveLength(2)
  await expect(outage.watch(Promise.reject(refused), error => error === refused)).rejects.toBe(refused)
  expect(messages().at(-1)).toBe('The store is unavailable')
  await expect(outage.watch(Promise.reject(connectionError), error => error === refused)).rejects.toBe(connectionError)
  vi.advanceTimersByTime(1000)
  expect(messages().at(-1)).toBe('The store is available again')
})
