import { type Errand, errand } from './process.ts'
import type { RecordedEvent } from './store.ts'

/** How long after the event the second errand runs: commands that were under way when the event was written have ended by then. */
const RECHECK_DELAY_MS = 60_000

/**
 * Creates two errands: one that runs now, and one that runs `RECHECK_DELAY_MS` after the event, because a command that was decided before
 * the event may take effect after the first run. `recheckPayload`: the second errand's payload if it differs.
 */
export function errandAndDelayedRecheck(
  e: Pick<RecordedEvent, 'id' | 'at'>,
  kind: string,
  payload: Errand['payload'],
  recheckPayload = payload,
): Errand[] {
  const due = new Date(Date.parse(e.at) + RECHECK_DELAY_MS).toISOString()
  return [errand(e, kind, payload), errand(e, kind, recheckPayload, { due, key: [kind, 'again'] })]
}
