import type { EventStore } from '../../modules/kernel/store.ts'

const FIRST_EVENT_TIMEOUT_MS = 3000

/** Whether the log contains any of our events. A log that delivers none within a few seconds counts as empty. */
export async function hasEvents(store: Pick<EventStore, 'follow'>): Promise<boolean> {
  for await (const _ of store.follow(-1n, AbortSignal.timeout(FIRST_EVENT_TIMEOUT_MS))) return true
  return false
}
