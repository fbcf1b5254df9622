import {
  currentGuardianAndConsentOf,
  hasFormerGuardianAgreed,
  initialConsentRefusedAt,
  setConsent,
} from '../../modules/accounts/guardian-tables.ts'
import { consentDecider, type StartedReviewsChoice } from '../../modules/consent/consent.ts'
import type { ConsentLossCause } from '../../modules/folders/folder.ts'
import { derivedId, handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'
import { deletionTimeAfterGuardianRefusal } from '../../modules/privacy/policy.ts'
import { sessionsOfFolderOrPlayer } from '../../projections/assignments.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { applyConsentAnswerToAccount } from '../api/family-consent.ts'
import { openAutomaticSupportRequest } from './automatic-support-request.ts'
import { endOpenFolderSessions, type WithdrawalOrHandBack } from './end-open-folder-sessions.ts'
import { endPendingApprovalsOfPlayerOrInstructor } from './end-pending-approvals-of-player-or-instructor.ts'

type Needed = Pick<AppDependencies, 'sql' | 'store' | 'readModels' | 'clock'>

/**
 * The text of the support request that is sent when a newly named guardian refuses, although an earlier one had agreed. The player can read
 * it, too.
 */
const REFUSED_AFTER_CHANGE =
  'Sent automatically: the person who was newly named as parent or guardian said no. The address may have been a mistake. Ask the family who should be listed as parent or guardian, and change it on the page of this player.'

/** The reason shown to the player and the instructor next to a returned folder. */
const HANDED_BACK: Record<ConsentLossCause, string> = {
  'consent-withdrawn': 'A parent or guardian has withdrawn their consent, so this folder was returned.',
  'guardian-changed': 'A different parent or guardian is now listed for this player and has to agree first, so this folder was returned.',
}

interface TakingBack {
  player: string
  reviews: StartedReviewsChoice
  position: string
  /** Absent in errands from older versions, which knew only one cause: that consent was withdrawn. */
  cause?: ConsentLossCause
  /** Set in a second run some time later, which catches an assignment that was under way during the first one. */
  isRecheck?: boolean
}

/**
 * Errand handlers for recording that a guardian was asked, for copying the answer to the account tables, and for consent that was refused,
 * withdrawn, or lost because the guardian changed. All are idempotent.
 */
export const consentErrandHandlers = ({ sql, store, readModels, clock, post }: Needed & Pick<AppDependencies, 'post'>) => ({
  'consent.ask': async ({ player, guardian, link }: { player: string; guardian: string; link: string }) => {
    // The errand may run late, when the player already has a different guardian.
    if ((await currentGuardianAndConsentOf(sql, player))?.guardian !== guardian) return
    await handleCommand(store, consentDecider, player, 'ask', { guardian }, { command: derivedId(link, 'consent.ask'), actor: player })
  },

  'consent.copy': async ({ player, guardian }: { player: string; guardian: string }) => {
    const present = await loadState(store, consentDecider, player)
    // If the guardian has changed or is being asked again, there is no answer to copy.
    if (present.guardian !== guardian || present.status === 'none' || present.status === 'asked') return
    const { status } = present
    await sql.begin(tx => applyConsentAnswerToAccount(tx, player, guardian, status, clock()))
  },

  'consent.refused': async ({ player, guardian }: { player: string; guardian: string }, { id }: { id: string }) => {
    const now = await loadState(store, consentDecider, player)
    // The guardian has agreed in the meantime, or the player has named another guardian.
    if (now.status !== 'refused' || now.guardian !== guardian) return
    const present = await currentGuardianAndConsentOf(sql, player)
    if (present?.guardian !== guardian || present.agreed) return
    const isAfterChange = await hasFormerGuardianAgreed(sql, player)
    const refusedAt = await initialConsentRefusedAt(sql, player, clock())
    if (!isAfterChange && !refusedAt) throw new Error('the accounts have not noted this refusal yet')
    if (isAfterChange) {
      const [request, command] = [derivedId(id, 'support'), derivedId(id, 'ask')]
      await openAutomaticSupportRequest(store, { id: request, person: player, content: REFUSED_AFTER_CHANGE, command })
    }
    const letter = { user: player, deletedAt: refusedAt && deletionTimeAfterGuardianRefusal(refusedAt) }
    await post(sql, [errand({ id }, 'letter.consent-refused', letter)])
  },

  'consent.take-back': async ({ player, reviews, position, cause = 'consent-withdrawn', isRecheck }: TakingBack) => {
    // The guardian may have consented again since the first run; then the folders stay assigned.
    const isGivenAgain = (await loadState(store, consentDecider, player)).status === 'given'
    if (isRecheck && isGivenAgain) return
    if (!(await readModels.caughtUp(['assignments', 'approvals'], BigInt(position))))
      throw new Error(`assignments and approvals have not read position ${position} yet`)
    const endingOf = ({ status }: { status: string }): WithdrawalOrHandBack | null => {
      if (status === 'assigned') return { kind: 'withdraw' }
      return status === 'in-review' && reviews === 'hand-back' ? { kind: 'hand-back', reason: HANDED_BACK[cause], cause } : null
    }
    // If this errand was delayed, the player may have assigned a folder with the new consent.
    const sessions = (await sessionsOfFolderOrPlayer(sql, 'player', player)).filter(
      s => !isGivenAgain || BigInt(s.position) <= BigInt(position),
    )
    await endOpenFolderSessions(store, sessions, endingOf, 'consent.take-back')
    await endPendingApprovalsOfPlayerOrInstructor({ sql, store }, 'player', player, cause === 'consent-withdrawn' ? 'consent' : 'guardian')
  },
})

/**
 * Records in the event log those consents that so far exist only in the account tables: old ones, and those that servers of the previous
 * release write.
 */
export async function backfillConsentEvents({ sql, store, clock }: Needed, ending: AbortSignal) {
  const agreed = await sql<{ player: string; guardian: string }[]>`
    select player, guardian from guardianships where agreed is not null and consent is null and until is null`
  for (const { player, guardian } of agreed) {
    ending.throwIfAborted()
    const by = { command: derivedId(player, guardian, 'consent.earlier'), actor: guardian }
    await handleCommand(store, consentDecider, player, 'give', { guardian, optional: [] }, by)
    await sql.begin(tx => setConsent(tx, player, guardian, 'given', clock()))
  }
}
