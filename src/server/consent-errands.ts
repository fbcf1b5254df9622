import { setConsent } from '../../modules/accounts/guardians.ts'
import { consent, type StartedReviews } from '../../modules/consent/consent.ts'
import { derivedId, handle } from '../../modules/kernel/decider.ts'
import { sessionsOf } from '../../projections/assignments.ts'
import type { Deps } from '../api/deps.ts'
import { endSessions, lapsePendingApprovals, type SessionEnding } from './open-sessions.ts'

type Needed = Pick<Deps, 'sql' | 'store' | 'readModels' | 'clock'>

/** What the player and the instructor read beside a folder that came back. */
const HANDED_BACK = 'A parent or guardian has withdrawn their consent, so this folder was handed back.'

/** What follows where a guardian is asked, or withdraws consent. Twice is like once. */
export const consentErrands = ({ sql, store, readModels }: Needed) => ({
  'consent.ask': ({ player, guardian, link }: { player: string; guardian: string; link: string }) =>
    handle(store, consent, player, 'ask', { guardian }, { command: derivedId(link, 'consent.ask'), actor: player }),

  'consent.take-back': async ({ player, reviews, position }: { player: string; reviews: StartedReviews; position: string }) => {
    if (!(await readModels.caughtUp(['assignments', 'approvals'], BigInt(position))))
      throw new Error(`assignments and approvals have not read position ${position} yet`)
    const endingOf = ({ status }: { status: string }): SessionEnding | null => {
      if (status === 'assigned') return { kind: 'withdraw' }
      return status === 'in-review' && reviews === 'hand-back' ? { kind: 'hand-back', reason: HANDED_BACK } : null
    }
    await endSessions(store, await sessionsOf(sql, 'player', player), endingOf, 'consent.take-back')
    await lapsePendingApprovals({ sql, store }, 'player', player, 'consent')
  },
})

/** Puts into the log what guardians agreed to before the log knew of consent, and what servers of the release before write. */
export async function recordEarlierConsents({ sql, store, clock }: Needed, ending: AbortSignal) {
  const agreed = await sql<{ player: string; guardian: string }[]>`
    select player, guardian from guardianships where agreed is not null and consent is null and until is null`
  for (const { player, guardian } of agreed) {
    ending.throwIfAborted()
    const by = { command: derivedId(player, guardian, 'consent.earlier'), actor: guardian }
    await handle(store, consent, player, 'give', { guardian, optional: [] }, by)
    await sql.begin(tx => setConsent(tx, player, guardian, 'given', clock()))
  }
}
