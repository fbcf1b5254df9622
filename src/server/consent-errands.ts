import { setConsent } from '../../modules/accounts/guardians.ts'
import { consent, type StartedReviews } from '../../modules/consent/consent.ts'
import { folder } from '../../modules/folders/folder.ts'
import { bySystem, derivedId, handle } from '../../modules/kernel/decider.ts'
import { Refused } from '../../modules/kernel/store.ts'
import { foldersWithPendingApproval } from '../../projections/approvals.ts'
import { sessionsOf } from '../../projections/assignments.ts'
import type { Deps } from '../api/deps.ts'

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
    for (const { id: session, folder: of, status, instructor } of await sessionsOf(sql, 'player', player)) {
      const by = bySystem(derivedId(session, 'consent.take-back'))
      const back =
        status === 'assigned'
          ? handle(store, folder, of, 'withdraw', {}, by)
          : status === 'in-review' && reviews === 'hand-back'
            ? handle(store, folder, of, 'decline', { instructor: instructor.id, session, reason: HANDED_BACK }, by)
            : undefined
      // Started or delivered in this very moment, it is as the guardian chose for reviews that have begun.
      await back?.catch(error => {
        if (!(error instanceof Refused)) throw error
      })
    }
    for (const of of await foldersWithPendingApproval(sql, 'player', player))
      await handle(store, folder, of, 'lapse', { cause: 'consent' }, bySystem())
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
