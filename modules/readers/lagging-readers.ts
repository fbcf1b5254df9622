import type { EventStore } from '../kernel/store.ts'

/** A reader lags when the event after its position was written longer ago than this. */
const LAG_LIMIT_MS = 5000
/** How long to wait for the store's next event before assuming that there is none. */
const NEXT_EVENT_WAIT_MS = 100

/** Returns the readers that, at `now`, have an unprocessed event older than five seconds. */
export async function laggingReaders<R extends { position: bigint }>(store: EventStore, readers: R[], now: Date): Promise<R[]> {
  const lags = await readerLags(store, readers, now)
  return readers.filter(r => lags.get(r)! > LAG_LIMIT_MS)
}

/** For each reader, the age of its oldest unprocessed event in milliseconds; 0 if there is none. */
export async function readerLags<R extends { position: bigint }>(store: EventStore, readers: R[], now: Date): Promise<Map<R, number>> {
  const lagAfter = new Map<bigint, number>()
  for (const position of new Set(readers.map(r => r.position).sort((a, b) => (a < b ? -1 : 1)))) {
    const lag = Math.max(0, now.getTime() - (await timeOfNextEvent(store, position)))
    // The remaining readers are at later positions, so their next events are younger.
    if (lag === 0) break
    lagAfter.set(position, lag)
  }
  return new Map(readers.map(r => [r, lagAfter.get(r.position) ?? 0]))
}

/** When the event after this position was written, in milliseconds since 1970; `Infinity` if there is none. */
async function timeOfNextEvent(store: EventStore, position: bigint): Promise<number> {
  for await (const [first] of store.follow(position, AbortSignal.timeout(NEXT_EVENT_WAIT_MS))) return Date.parse(first!.at)
  return Infinity
}
