import type { Logger } from 'pino'
import type { Sql } from 'postgres'

/** How often the database is asked for its time, ms. */
const SYNC_MS = 60_000
/** How far the clock of this machine may be off before a line of the log says so, ms. */
const MAX_SILENT_SKEW_MS = 10_000

/**
 * The database's clock, by which the outbox performs what is due: reminders, links and sessions then go by the same one on every server.
 * Between two readings it goes on with this machine's clock, and while the database is away by the last reading.
 */
export async function databaseClock(sql: Sql, log: Pick<Logger, 'warn'>, signal: AbortSignal): Promise<() => Date> {
  let skew = 0
  let isSaid = false
  const read = async () => {
    const asked = Date.now()
    const [row] = await sql<{ at: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`
    skew = row!.at - (asked + Date.now()) / 2
    const isOff = Math.abs(skew) > MAX_SILENT_SKEW_MS
    if (isOff && !isSaid) log.warn({ seconds: Math.round(-skew / 1000) }, 'the clock of this machine is off: the database says otherwise')
    isSaid = isOff
  }
  await read()
  const timer = setInterval(() => read().catch(() => {}), SYNC_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer))
  return () => new Date(Date.now() + skew)
}
