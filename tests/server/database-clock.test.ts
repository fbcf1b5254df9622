import type { Sql } from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { databaseClock } from '../../src/server/database-clock.ts'

const HOUR = 3600_000
let ahead: number | undefined
let lines: [object, string][]
const sql = (async () => {
  if (ahead === undefined) throw new Error('away')
  return [{ at: Date.now() + ahead }]
}) as unknown as Sql
const log = { warn: (about: object, what: string) => void lines.push([about, what]) } as never
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-06-01T12:00:00Z') })
  lines = []
})
afterEach(() => void vi.useRealTimers())

test('due work follows the clock of the database; a wrong server clock is logged once', async () => {
  ahead = HOUR
  const ending = new AbortController()
  const clock = await databaseClock(sql, log, ending.signal)
  const off = () => clock().getTime() - Date.now()
  expect(off()).toBe(HOUR)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(clock()).toEqual(new Date('2026-06-01T13:00:30Z'))
  expect(lines).toEqual([[{ seconds: -3600 }, expect.stringContaining('clock of this machine is off')]])
  ahead = undefined
  await vi.advanceTimersByTimeAsync(60_000)
  expect(off()).toBe(HOUR)
  ahead = -5
  await vi.advanceTimersByTimeAsync(60_000)
  expect([off(), lines.length]).toEqual([-5, 1])
  ending.abort()
  expect(vi.getTimerCount()).toBe(0)
})
