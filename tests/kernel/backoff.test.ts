import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { abortableSleep, backoff } from '../../modules/kernel/backoff.ts'

test('a pause ends after its time or when it is aborted, and leaves no listener', async () => {
  const ending = new AbortController()
  const added: unknown[] = []
  const removed: unknown[] = []
  const { signal } = ending
  const watched = new Proxy(signal, {
    get(target, name) {
      const its = Reflect.get(target, name)
      if (typeof its !== 'function') return its
      return (...args: unknown[]) => {
        if (name === 'addEventListener') added.push(args[1])
        if (name === 'removeEventListener') removed.push(args[1])
        return its.apply(target, args)
      }
    },
  })
  await abortableSleep(1, watched)
  expect([added.length, removed]).toEqual([1, added])
  const long = abortableSleep(3600_000, watched)
  ending.abort(randomUUID())
  await long
  expect([added.length, removed]).toEqual([2, added])
})

test('pauses of a backoff double from 50 ms to two seconds', async () => {
  vi.useFakeTimers()
  try {
    const wait = backoff(new AbortController().signal)
    for (const ms of [50, 100, 200, 400, 800, 1600, 2000, 2000]) {
      let over = false
      const waiting = wait().then(() => {
        over = true
      })
      await vi.advanceTimersByTimeAsync(ms - 1)
      expect([ms, over]).toEqual([ms, false])
      await vi.advanceTimersByTimeAsync(1)
      await waiting
    }
  } finally {
    vi.useRealTimers()
  }
})
