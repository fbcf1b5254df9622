import { type Errand, errand, process } from '../kernel/process.ts'
import { idOf, type RecordedEvent } from '../kernel/store.ts'
import type { ConsentEvent } from './consent.ts'
import { WITHDRAWAL_RECHECK_MS } from './policy.ts'

/** Takes open sessions back now and once more a little later. */
function takeBack(e: Pick<RecordedEvent, 'id' | 'stream' | 'position' | 'at'>, what: Errand['payload']): Errand[] {
  const payload = { player: idOf(e.stream), ...what, position: String(e.position) }
  const later = new Date(Date.parse(e.at) + WITHDRAWAL_RECHECK_MS).toISOString()
  return [
    errand(e, 'consent.take-back', payload),
    errand(e, 'consent.take-back', { ...payload, isRecheck: true }, { due: later, key: ['consent.take-back', 'again'] }),
  ]
}

/**
 * Tells the player, and our support where it has to act, that a guardian refused. Takes a player's open sessions back when a guardian's consent ends. A guardian who withdraws chooses what happens to started reviews;
 * when another guardian takes over they are handed back too, because the former guardian's card no longer pays.
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
