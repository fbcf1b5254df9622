import { expect, test } from 'vitest'
import { createComparisonClock } from '../../src/comparison/comparison-clock.ts'

function testClock() {
  let now = 5000
  const clock = createComparisonClock(() => now)
  clock.setRange(-1000, 3000)
  const advance = (milliseconds: number) => {
    now += milliseconds
    return clock.tick()
  }
  return { clock, advance }
}

test('the clock advances at its rate while it plays, and stands still otherwise', () => {
  const { clock, advance } = testClock()
  expect(advance(400)).toBe(0)
  clock.play()
  expect(advance(400)).toBe(400)
  clock.setRate(0.25)
  expect(advance(400)).toBe(500)
  clock.pause()
  expect(advance(400)).toBe(500)
  clock.seek(-5000)
  expect(advance(1)).toBe(-1000)
})

test('after a hold the clock continues from the time at which it was held', () => {
  const { clock, advance } = testClock()
  clock.play()
  advance(100)
  clock.hold(60)
  expect(advance(30)).toBe(90)
})

test('at the end the clock loops, or stops and starts over at the next play', () => {
  const { clock, advance } = testClock()
  clock.play()
  expect([advance(2999), advance(2), advance(10)]).toEqual([2999, -1000, -990])
  clock.$loop.set(false)
  expect([advance(9000), clock.$playing.get()]).toEqual([3000, false])
  clock.play()
  expect(advance(10)).toBe(-990)
})
