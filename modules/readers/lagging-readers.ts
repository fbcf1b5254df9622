import type { EventStore } from '../kernel/store.ts'

/** A reader lags when the event after its position was written longer ago than this. */
const LAG_LIMIT_MS = 5000
/** How long to wait for the store's next event before assuming that there is none. */
const NEXT_EVENT_WAIT_MS = 100

/** What is known about a reader; `logEnd` is the end of the log if the reader has stopped because the log ends before its position. */
interface ReaderPosition {
  position: bigint
  logEnd: bigint | null
}

/** Returns the readers that, at `now`, have an unprocessed event older than five seconds. */
export async function laggingReaders<R extends ReaderPosition>(store: EventStore, readers: R[], now: Date): Promise<R[]> {
  const lags = await readerLags(store, readers, now)
  return readers.filter(r => lags.get(r)! > LAG_LIMIT_MS)
}

/**
 * For each reader, the age of its oldest unprocessed event in milliseconds; 0 if there is none. Stopped readers have lag 0: their position
 * is beyond the end of the log.
 */
export async function readerLags<R extends ReaderPosition>(store: EventStore, readers: R[], now: Date): Promise<Map<R, number>> {
  const lagAfter = new Map<bigint, number>()
  const running = readers.filter(r => r.logEnd === null)
  for (const position of new Set(running.map(r => r.position).sort((a, b) => (a < b ? -1 : 1)))) {
    const lag = Math.max(0, now.getTime() - (await timeOfNextEvent(store, position)))
    // The remaining readers are at later positions, so their lag is 0, too.
    if (lag === 0) break
    lagAfter.set(position, lag)
  }
  return new Map(readers.map(r => [r, r.logEnd === null ? (lagAfter.get(r.position) ?? 0) : 0]))
}

/** When the event after this position was written, in milliseconds since 1970; `Infinity` if there is none. */
async function timeOfNextEvent(store: EventStore, position: bigint): Promise<number> {
  for await (const [first] of store.follow(position, AbortSignal.timeout(NEXT_EVENT_WAIT_MS))) return Date.parse(first!.at)
  return Infinity
}
