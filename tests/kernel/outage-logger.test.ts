import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutageLogger } from '../../modules/kernel/outage-logger.ts'

let lines: [string, object][]
let outage: ReturnType<typeof createOutageLogger>
beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  const line = (about: object, what: string) => void lines.push([what, about])
  outage = createOutageLogger({ info: line, error: line }, 'The store')
})
afterEach(() => void vi.useRealTimers())

const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
const says = () => lines.map(([what]) => what)

test('an outage is logged once when it begins, with the reason, and once at its end', () => {
  outage.answered()
  for (let n = 0; n < 1000; n++) outage.failed(away)
  expect(lines).toEqual([['The store is away', { store: 'The store', err: away }]])
  vi.advanceTimersByTime(9000)
  for (let n = 0; n < 1000; n++) outage.answered()
  vi.advanceTimersByTime(1000)
  expect(lines.slice(1)).toEqual([['The store is back', { store: 'The store', seconds: 10 }]])
  vi.advanceTimersByTime(60_000)
  outage.failed(away)
  expect(says()).toEqual(['The store is away', 'The store is back', 'The store is away'])
})

test('an outage lasts as long as some calls fail, even if others succeed', () => {
  for (let n = 0; n < 20; n++) {
    outage.failed(away)
    outage.answered()
    vi.advanceTimersByTime(900)
  }
  expect(says()).toEqual(['The store is away'])
  vi.advanceTimersByTime(100)
  expect(says()).toEqual(['The store is away', 'The store is back'])
})

test('a watched call settles unchanged and notes an outage; other errors are answers', async () => {
  await expect(outage.watch(Promise.reject(away))).rejects.toBe(away)
  expect(says()).toEqual(['The store is away'])
  expect(await outage.watch(Promise.resolve(7))).toBe(7)
  vi.advanceTimersByTime(1000)
  expect(says()).toEqual(['The store is away', 'The store is back'])
  const refused = new Error('no')
  await expect(outage.watch(Promise.reject(refused))).rejects.toBe(refused)
  expect(lines).toHaveLength(2)
  await expect(outage.watch(Promise.reject(refused), error => error === refused)).rejects.toBe(refused)
  expect(says().at(-1)).toBe('The store is away')
  await expect(outage.watch(Promise.reject(away), error => error === refused)).rejects.toBe(away)
  vi.advanceTimersByTime(1000)
  expect(says().at(-1)).toBe('The store is back')
})
