import type { Logger } from 'pino'
import type { Sql } from 'postgres'

/** How often the offset to the database's clock is measured. */
const SYNC_MS = 60_000
/** How far this machine's clock may be off before a warning is logged. */
const MAX_SILENT_SKEW_MS = 10_000

/**
 * Returns a clock that follows the database's. The outbox compares due dates with the database's clock, so reminders, links and sessions
 * follow the same clock on every server. Between measurements, and while the database is unreachable, it runs on this machine's clock with
 * the last known offset.
 */
export async function databaseClock(sql: Sql, log: Pick<Logger, 'warn'>, signal: AbortSignal): Promise<() => Date> {
  let skew = 0
  let isSaid = false
  const read = async () => {
    const startedAt = Date.now()
    const [row] = await sql<{ at: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`
    skew = row!.at - (startedAt + Date.now()) / 2
    const isOff = Math.abs(skew) > MAX_SILENT_SKEW_MS
    if (isOff && !isSaid) log.warn({ seconds: Math.round(-skew / 1000) }, "this machine's clock differs from the database's clock")
    isSaid = isOff
  }
  await read()
  const timer = setInterval(() => read().catch(() => {}), SYNC_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer))
  return () => new Date(Date.now() + skew)
}
