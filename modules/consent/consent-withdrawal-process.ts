import { type Errand, errand, process } from '../kernel/process.ts'
import { idOf, type Recorded } from '../kernel/store.ts'
import type { ConsentEvent } from './consent.ts'
import { WITHDRAWAL_RECHECK_MS } from './policy.ts'

/** Open sessions come back now, and once more a little later. */
function takeBack(e: Pick<Recorded, 'id' | 'stream' | 'position' | 'at'>, what: Errand['payload']): Errand[] {
  const payload = { player: idOf(e.stream), ...what, position: String(e.position) }
  const later = new Date(Date.parse(e.at) + WITHDRAWAL_RECHECK_MS).toISOString()
  return [
    errand(e, 'consent.take-back', payload),
    errand(e, 'consent.take-back', { ...payload, isRecheck: true }, { due: later, key: ['consent.take-back', 'again'] }),
  ]
}

/**
 * What follows where a guardian's consent ends: open sessions come back to the player. Who withdraws chooses what becomes of reviews that have
 * been started; where another guardian takes over they are handed back too, as the former guardian's card pays for nothing any more.
 */
export const consentWithdrawalProcess = process<ConsentEvent>({
  name: 'taking_back',
  startsFrom: 'beginning',
  on: {
    ConsentWithdrawn: e => takeBack(e, { reviews: e.data.reviews }),
    GuardianChanged: e => takeBack(e, { reviews: 'hand-back', cause: 'guardian-changed' }),
  },
})
