import { expect, test } from 'vitest'
import { createComparisonClock } from '../../src/comparison/comparison-clock.ts'

function clockAtHand() {
  let now = 5000
  const clock = createComparisonClock(() => now)
  clock.setRange(-1000, 3000)
  const pass = (milliseconds: number) => {
    now += milliseconds
    return clock.tick()
  }
  return { clock, pass }
}

test('a clock runs at its rate while it plays, and does not move otherwise', () => {
  const { clock, pass } = clockAtHand()
  expect(pass(400)).toBe(0)
  clock.play()
  expect(pass(400)).toBe(400)
  clock.setRate(0.25)
  expect(pass(400)).toBe(500)
  clock.pause()
  expect(pass(400)).toBe(500)
  clock.seek(-5000)
  expect(pass(1)).toBe(-1000)
})

test('after a hold the clock goes on from there, without catching up', () => {
  const { clock, pass } = clockAtHand()
  clock.play()
  pass(100)
  clock.hold(60)
  expect(pass(30)).toBe(90)
})

test('at the end the clock loops, or stops and starts over on play', () => {
  const { clock, pass } = clockAtHand()
  clock.play()
  expect([pass(2999), pass(2), pass(10)]).toEqual([2999, -1000, -990])
  clock.$loop.set(false)
  expect([pass(9000), clock.$playing.get()]).toEqual([3000, false])
  clock.play()
  expect(pass(10)).toBe(-990)
})
