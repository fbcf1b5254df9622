import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { abortableSleep, createBackoffSleep, createInterruptibleSleep } from '../../modules/kernel/sleep.ts'

afterEach(() => void vi.useRealTimers())

test('a sleep ends after its time or when it is aborted, and leaves no listener', async () => {
  const ending = new AbortController()
  const added: unknown[] = []
  const removed: unknown[] = []
  const { signal } = ending
  const watched = new Proxy(signal, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        if (name === 'addEventListener') added.push(args[1])
        if (name === 'removeEventListener') removed.push(args[1])
        return member.apply(target, args)
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

test('the pauses of a backoff double from 50 ms to two seconds', async () => {
  vi.useFakeTimers()
  const wait = createBackoffSleep(new AbortController().signal)
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
})

test('a sleep that was aborted before it began ends immediately', async () => {
  vi.useFakeTimers()
  await abortableSleep(3600_000, AbortSignal.abort())
  expect(vi.getTimerCount()).toBe(0)
})

describe('an interruptible sleep', () => {
  beforeEach(() => void vi.useFakeTimers())

  /** The state of a sleep once everything that is due has run. */
  async function stateOf(sleep: Promise<void>) {
    let isOver = false
    void sleep.then(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(0)
    return isOver ? 'awake' : 'asleep'
  }
  const HOUR_MS = 3_600_000

  test('ends when its time is over', async () => {
    const sleep = createInterruptibleSleep().sleep(HOUR_MS)
    await vi.advanceTimersByTimeAsync(HOUR_MS - 1)
    expect(await stateOf(sleep)).toBe('asleep')
    await vi.advanceTimersByTimeAsync(1)
    expect(await stateOf(sleep)).toBe('awake')
  })

  test('ends when `wake` is called, and leaves no timer', async () => {
    const alarm = createInterruptibleSleep()
    const sleep = alarm.sleep(HOUR_MS)
    expect(await stateOf(sleep)).toBe('asleep')
    alarm.wake()
    expect([await stateOf(sleep), vi.getTimerCount()]).toEqual(['awake', 0])
  })

  test('ends immediately if `wake` was called since the reset, but not if before', async () => {
    const alarm = createInterruptibleSleep()
    alarm.reset()
    alarm.wake()
    expect(await stateOf(alarm.sleep(HOUR_MS))).toBe('awake')
    alarm.reset()
    expect(await stateOf(alarm.sleep(HOUR_MS))).toBe('asleep')
  })
})
