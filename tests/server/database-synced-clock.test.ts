import type { Sql } from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { databaseClock } from '../../src/server/database-synced-clock.ts'

const HOUR_MS = 3600_000
let clockOffsetMs: number | undefined
let lines: [object, string][]
const sql = (async () => {
  if (clockOffsetMs === undefined) throw new Error('away')
  return [{ at: Date.now() + clockOffsetMs }]
}) as unknown as Sql
const log = { warn: (about: object, what: string) => void lines.push([about, what]) } as never
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-06-01T12:00:00Z') })
  lines = []
})
afterEach(() => void vi.useRealTimers())

test("due work follows the database's clock; a wrong server clock is logged once", async () => {
  clockOffsetMs = HOUR_MS
  const ending = new AbortController()
  const clock = await databaseClock(sql, log, ending.signal)
  const off = () => clock().getTime() - Date.now()
  expect(off()).toBe(HOUR_MS)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(clock()).toEqual(new Date('2026-06-01T13:00:30Z'))
  expect(lines).toEqual([[{ seconds: -3600 }, expect.stringContaining("this machine's clock differs")]])
  clockOffsetMs = undefined
  await vi.advanceTimersByTimeAsync(60_000)
  expect(off()).toBe(HOUR_MS)
  clockOffsetMs = -5
  await vi.advanceTimersByTimeAsync(60_000)
  expect([off(), lines.length]).toEqual([-5, 1])
  ending.abort()
  expect(vi.getTimerCount()).toBe(0)
})
