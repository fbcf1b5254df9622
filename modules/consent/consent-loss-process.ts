import { type Errand, errand, process } from '../kernel/process.ts'
import { idOf, type RecordedEvent } from '../kernel/store.ts'
import type { ConsentEvent } from './consent.ts'
import { WITHDRAWAL_RECHECK_MS } from './policy.ts'

/** Schedules taking open sessions back, now and once more after `WITHDRAWAL_RECHECK_MS`. */
function takeBack(e: Pick<RecordedEvent, 'id' | 'stream' | 'position' | 'at'>, what: Errand['payload']): Errand[] {
  const payload = { player: idOf(e.stream), ...what, position: String(e.position) }
  const later = new Date(Date.parse(e.at) + WITHDRAWAL_RECHECK_MS).toISOString()
  return [
    errand(e, 'consent.take-back', payload),
    errand(e, 'consent.take-back', { ...payload, isRecheck: true }, { due: later, key: ['consent.take-back', 'again'] }),
  ]
}

/**
 * Tells the player, and support if it has to act, that a guardian refused. When a guardian's consent ends, it takes the player's open sessions back.
 * A guardian who withdraws consent chooses what happens to reviews that were started. When another guardian takes over, those are handed back too,
 * because the former guardian's card no longer pays.
 */
export const consentLossProcess = process<ConsentEvent>({
  name: 'taking_back',
  startsFrom: 'beginning',
  on: {
    ConsentRefused: e => errand(e, 'consent.refused', { player: idOf(e.stream), guardian: e.data.guardian }),
    ConsentWithdrawn: e => takeBack(e, { reviews: e.data.reviews }),
    GuardianChanged: e => takeBack(e, { reviews: 'hand-back', cause: 'guardian-changed' }),
  },
})
