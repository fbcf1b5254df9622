import { stat } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { withDeadline } from '../../modules/kernel/with-deadline.ts'

const never = new Promise<never>(() => {})

test('a result or error that arrives in time is passed on unchanged', async () => {
  expect(await withDeadline(60_000, Promise.resolve(7))).toBe(7)
  await expect(withDeadline(60_000, Promise.reject(new Error('no')))).rejects.toThrow('no')
})

test('work that takes too long is rejected with a default error, or with a given one', async () => {
  await expect(withDeadline(1, never)).rejects.toThrow('There was no result within 1 ms.')
  await expect(withDeadline(1, never, () => new RangeError('late'))).rejects.toThrow(RangeError)
})

test('once the work has settled, no timer keeps the process alive', async () => {
  vi.useFakeTimers()
  try {
    await withDeadline(60_000, Promise.resolve())
    await expect(withDeadline(60_000, Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a result that arrived while the process was busy still counts', async () => {
  // After `setImmediate`, the event loop runs timers before it handles I/O.
  await new Promise(resolve => setImmediate(resolve))
  const answer = stat(import.meta.filename)
  const settled = withDeadline(1, answer)
  for (const busyUntil = performance.now() + 20; performance.now() < busyUntil; );
  expect((await settled).isFile()).toBe(true)
})
