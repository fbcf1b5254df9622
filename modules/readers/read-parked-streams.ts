import type { ISql, Sql } from 'postgres'

/** A stream with an event that a reader could not process. The reader skips the stream until the stream is retried. */
export interface ParkedStream {
  reader: string
  stream: string
  /** The position of the first event that was not processed. */
  position: string
  event: string
  type: string
  error: string
  at: string
}

const MAX_LISTED_PER_READER = 100

/** The oldest 100 parked streams of each of these readers, and how many it has in total. A reader without parked streams has no entry. */
export async function parkedStreamsOf(sql: Sql, readers: string[]): Promise<Map<string, { count: number; streams: ParkedStream[] }>> {
  const rows = await sql<(ParkedStream & { count: number })[]>`
    select reader, stream, position::text, event, type, error, at, count::int from (
      select *, row_number() over (partition by reader order by position) as n, count(*) over (partition by reader) as count
      from parked where reader in ${sql(readers)}
    ) p where n <= ${MAX_LISTED_PER_READER} order by reader, n`
  return new Map(
    [...Map.groupBy(rows, row => row.reader)].map(([reader, rows]) => [
      reader,
      { count: rows[0]!.count, streams: rows.map(({ count: _, ...row }) => row) },
    ]),
  )
}

/** Returns the readers that have a parked stream which the code with this fingerprint has not tried yet. */
export async function readersWithUntriedParkedStreams(sql: Sql, readers: string[], code: string): Promise<string[]> {
  const rows = await sql`select distinct reader from parked where reader in ${sql(readers)} and code <> ${code}`
  return rows.map(r => r.reader as string)
}

/**
 * Returns a function that looks up the names of a reader's parked streams. It caches them, and queries again only when `version`, the
 * reader's `checkpoints.parked`, has changed.
 */
export function parkedStreamCache() {
  const known = new Map<string, { version: string | null; streams: ReadonlySet<string> }>()
  return async (db: ISql, reader: string, version: string | null): Promise<ReadonlySet<string>> => {
    const cached = known.get(reader)
    if (cached?.version === version) return cached.streams
    const rows = version === null ? [] : await db`select stream from parked where reader = ${reader}`
    const streams = new Set(rows.map(r => r.stream as string))
    known.set(reader, { version, streams })
    return streams
  }
}
