import { errandAndDelayedRecheck } from '../kernel/errand-and-delayed-recheck.ts'
import { type Errand, errand, eventProcess } from '../kernel/process.ts'
import { idOfStream, type RecordedEvent } from '../kernel/store.ts'
import type { ConsentEvent } from './consent.ts'

/**
 * Returns errands that take the player's open sessions back: one now, and one a minute later because the player may have been assigning a
 * session when consent ended.
 */
function takeBack(e: Pick<RecordedEvent, 'id' | 'stream' | 'position' | 'at'>, what: Errand['payload']): Errand[] {
  const payload = { player: idOfStream(e.stream), ...what, position: String(e.position) }
  return errandAndDelayedRecheck(e, 'consent.take-back', payload, { ...payload, isRecheck: true })
}

/** Returns errands that copy the answer to the account tables, in case the request that recorded it was interrupted before doing so. */
const copyToAccount = (e: Pick<RecordedEvent, 'id' | 'stream' | 'at'>, guardian: string) =>
  errandAndDelayedRecheck(e, 'consent.copy', { player: idOfStream(e.stream), guardian })

/**
 * Copies each answer of a guardian to the account tables, and reacts when consent ends. After a refusal, this process tells the player, and
 * support if support has to act. After a withdrawal or a change of guardian, it takes the player's open sessions back. A guardian who
 * withdraws consent chooses what happens to started reviews. When another guardian takes over, even started reviews are handed back,
 * because the former guardian's card no longer pays.
 */
export const copyConsentAndReturnSessionsProcess = eventProcess<ConsentEvent>({
  name: 'taking_back',
  version: 2,
  startsFrom: 'beginning',
  on: {
    ConsentGiven: e => copyToAccount(e, e.data.guardian),
    ConsentRenewed: e => copyToAccount(e, e.data.guardian),
    ConsentRefused: e => [
      ...copyToAccount(e, e.data.guardian),
      errand(e, 'consent.refused', { player: idOfStream(e.stream), guardian: e.data.guardian }),
    ],
    ConsentWithdrawn: e => [...copyToAccount(e, e.data.guardian), ...takeBack(e, { reviews: e.data.reviews })],
    GuardianChanged: e => takeBack(e, { reviews: 'hand-back', cause: 'guardian-changed' }),
  },
})
