import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { interruptibleSleep } from '../../modules/kernel/interruptible-sleep.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** How a sleep of an hour stands once everything that is due has run. */
async function standing(sleep: Promise<void>) {
  let isOver = false
  void sleep.then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(0)
  return isOver ? 'awake' : 'asleep'
}
const HOUR_MS = 3_600_000

test('a sleep ends when its time is over', async () => {
  const sleep = interruptibleSleep().sleep(HOUR_MS)
  await vi.advanceTimersByTimeAsync(HOUR_MS - 1)
  expect(await standing(sleep)).toBe('asleep')
  await vi.advanceTimersByTimeAsync(1)
  expect(await standing(sleep)).toBe('awake')
})

test('a call ends the sleep, and leaves no timer', async () => {
  const alarm = interruptibleSleep()
  const sleep = alarm.sleep(HOUR_MS)
  expect(await standing(sleep)).toBe('asleep')
  alarm.wake()
  expect([await standing(sleep), vi.getTimerCount()]).toEqual(['awake', 0])
})

test('a wake during a round ends the next sleep at once; one before the round does not', async () => {
  const alarm = interruptibleSleep()
  alarm.reset()
  alarm.wake()
  expect(await standing(alarm.sleep(HOUR_MS))).toBe('awake')
  alarm.reset()
  expect(await standing(alarm.sleep(HOUR_MS))).toBe('asleep')
})
