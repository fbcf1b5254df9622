import { type Errand, errand } from './process.ts'
import type { RecordedEvent } from './store.ts'

/** The delay before the second run: commands that were under way when the event was written have ended by then. */
const RECHECK_DELAY_MS = 60_000

/**
 * An errand that runs now and once more after `RECHECK_DELAY_MS`, because a command that was judged before the event may take effect after
 * the first run. `recheckPayload`: the payload of the second run if it differs.
 */
export function errandWithDelayedRecheck(
  e: Pick<RecordedEvent, 'id' | 'at'>,
  kind: string,
  payload: Errand['payload'],
  recheckPayload = payload,
): Errand[] {
  const due = new Date(Date.parse(e.at) + RECHECK_DELAY_MS).toISOString()
  return [errand(e, kind, payload), errand(e, kind, recheckPayload, { due, key: [kind, 'again'] })]
}
