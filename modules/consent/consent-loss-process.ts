import { type Errand, errand, eventProcess } from '../kernel/process.ts'
import { idOfStream, type RecordedEvent } from '../kernel/store.ts'
import type { ConsentEvent } from './consent.ts'
import { OPEN_SESSION_RECHECK_MS } from './policy.ts'

/** Schedules taking open sessions back, now and once more after `OPEN_SESSION_RECHECK_MS`. */
function takeBack(e: Pick<RecordedEvent, 'id' | 'stream' | 'position' | 'at'>, what: Errand['payload']): Errand[] {
  const payload = { player: idOfStream(e.stream), ...what, position: String(e.position) }
  const later = new Date(Date.parse(e.at) + OPEN_SESSION_RECHECK_MS).toISOString()
  return [
    errand(e, 'consent.take-back', payload),
    errand(e, 'consent.take-back', { ...payload, isRecheck: true }, { due: later, key: ['consent.take-back', 'again'] }),
  ]
}

/**
 * Reacts when a guardian's consent ends. After a refusal, it tells the player, and support if support has to act. After a withdrawal or a
 * change of guardian, it takes the player's open sessions back. A guardian who withdraws consent chooses what happens to reviews that were
 * started; when another guardian takes over, those are handed back too, because the former guardian's card no longer pays.
 */
export const consentLossProcess = eventProcess<ConsentEvent>({
  name: 'taking_back',
  startsFrom: 'beginning',
  on: {
    ConsentRefused: e => errand(e, 'consent.refused', { player: idOfStream(e.stream), guardian: e.data.guardian }),
    ConsentWithdrawn: e => takeBack(e, { reviews: e.data.reviews }),
    GuardianChanged: e => takeBack(e, { reviews: 'hand-back', cause: 'guardian-changed' }),
  },
})
