import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestUser } from '../api/full-server.ts'
import { newPlayerInput } from '../api/test-server.ts'
import { CLOCK_START_YEAR, HOUR_MS, type ServerWithMovableClock, startServerWithMovableClock } from './server-with-movable-clock.ts'

let t: ServerWithMovableClock
let instructor: TestUser
const { email: instructorEmail } = newPlayerInput()
beforeAll(async () => {
  t = await startServerWithMovableClock(`${CLOCK_START_YEAR}-03-01T15:00:00Z`)
  instructor = await t.instructor({ firstName: 'Kim', lastName: 'Lee', email: instructorEmail })
})
afterAll(() => t.end())

/**
 * Creates a family in New York. `deliver` delivers a review to the minor; `letters` counts the letters about it that the guardian and the
 * minor have received.
 */
async function familyInNewYork() {
  const { minor, email, guardian, guardianEmail, answer } = await t.family()
  expect((await answer({ answer: 'yes', timeZone: 'America/New_York' })).status).toBe(204)
  await t.payForChild(guardian, minor.id)
  await t.signIn(instructor, instructorEmail)
  const feedback = async (to: string) => (await t.subjects(to)).filter(subject => /Kim Lee (reviewed|gave)/.test(subject)).length
  return {
    deliver: () => t.createDeliveredFolder(minor, instructor),
    letters: async () => [await feedback(guardianEmail), await feedback(email)],
  }
}

/** Midnight UTC, in ms since 1970, at the start of the `nth` Sunday of a month; `nth` and `month` count from 1. */
function nthSunday(nth: number, month: number): number {
  const first = new Date(Date.UTC(CLOCK_START_YEAR, month - 1, 1))
  return Date.UTC(CLOCK_START_YEAR, month - 1, 1 + ((7 - first.getUTCDay()) % 7) + 7 * (nth - 1))
}
const hour = (day: number, hours: number) => new Date(day + hours * HOUR_MS)

test("when clocks go forward, a minor's letter at 9 pm waits 10 hours, until 8 am", async () => {
  const { deliver, letters } = await familyInNewYork()
  // Clocks go forward at 2 am that Sunday: 9 pm on Saturday is in UTC-5, and 8 am on Sunday is in UTC-4.
  const sunday = nthSunday(2, 3)
  await t.advanceClockTo(hour(sunday, 2))
  await deliver()
  expect(await letters()).toEqual([1, 0])
  await t.advanceClockTo(hour(sunday, 11.8))
  expect(await letters()).toEqual([1, 0])
  await t.advanceClockTo(hour(sunday, 12))
  expect(await letters()).toEqual([1, 1])
})

test("when clocks go back, a minor's letter at 9 pm waits 12 hours, until 8 am", async () => {
  const sunday = nthSunday(1, 11)
  await t.advanceClockTo(hour(sunday, -24))
  const { deliver, letters } = await familyInNewYork()
  // Clocks go back at 2 am that Sunday: 9 pm on Saturday is in UTC-4, and 8 am on Sunday is in UTC-5.
  await t.advanceClockTo(hour(sunday, 1))
  await deliver()
  expect(await letters()).toEqual([1, 0])
  await t.advanceClockTo(hour(sunday, 12.8))
  expect(await letters()).toEqual([1, 0])
  await t.advanceClockTo(hour(sunday, 13))
  expect(await letters()).toEqual([1, 1])
})

test('a letter to a minor at 7 pm arrives immediately', async () => {
  const { deliver, letters } = await familyInNewYork()
  await t.advanceClockTo(hour(nthSunday(2, 11), 0))
  await deliver()
  expect(await letters()).toEqual([1, 1])
})
