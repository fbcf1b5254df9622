import type { EventStore } from './store.ts'

/** How long an event may wait for a reader, ms. */
const LATE = 5000
/** How long the log is asked whether there is anything after a position, ms. */
const PATIENCE = 100

/** Those among these that have not taken an event which was there 5 s before `now`. */
export async function lagging<S extends { position: bigint }>(store: EventStore, standing: S[], now: Date): Promise<S[]> {
  const late = new Map<bigint, boolean>()
  for (const position of new Set(standing.map(s => s.position).sort((a, b) => (a < b ? -1 : 1)))) {
    late.set(position, now.getTime() - (await firstAfter(store, position)) > LATE)
    if (!late.get(position)) break
  }
  return standing.filter(s => late.get(s.position))
}

/** When the next event was written, ms since 1970; never, where there is none. */
async function firstAfter(store: EventStore, position: bigint): Promise<number> {
  for await (const [first] of store.follow(position, AbortSignal.timeout(PATIENCE))) return Date.parse(first!.at)
  return Infinity
}
