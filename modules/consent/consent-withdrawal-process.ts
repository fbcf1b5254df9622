import { errand, process } from '../kernel/process.ts'
import { idOf } from '../kernel/store.ts'
import type { ConsentEvent } from './consent.ts'
import { WITHDRAWAL_RECHECK_MS } from './policy.ts'

/** What follows where consent is withdrawn: open sessions come back to the player, as the guardian chose. */
export const consentWithdrawalProcess = process<ConsentEvent>({
  name: 'taking_back',
  startsFrom: 'beginning',
  on: {
    ConsentWithdrawn: e => {
      const payload = { player: idOf(e.stream), reviews: e.data.reviews, position: String(e.position) }
      const later = new Date(Date.parse(e.at) + WITHDRAWAL_RECHECK_MS).toISOString()
      return [
        errand(e, 'consent.take-back', payload),
        errand(e, 'consent.take-back', payload, { due: later, key: ['consent.take-back', 'again'] }),
      ]
    },
  },
})
