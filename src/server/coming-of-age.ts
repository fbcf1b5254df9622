import { ADULT_AGE, ageOn, COMING_OF_AGE_NOTICE_DAYS, dateOfAdulthood } from '../../modules/accounts/policy.ts'
import { consentDecider } from '../../modules/consent/consent.ts'
import { addDays } from '../../modules/dates.ts'
import { derivedId, fold, handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'
import { CommandRefused, type EventStore, streamOf } from '../../modules/kernel/store.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { revokeReviewLinksOfGuardians } from '../../modules/sharing/review-links.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { endPendingApprovalsOfPlayerOrInstructor } from './end-pending-approvals-of-player-or-instructor.ts'

/** The players who have a guardian and are at least 18 on `day`. */
const grownBy = (sql: AppDependencies['sql'], day: Date) => sql<{ player: string; guardian: string; born: string; agreed: boolean }[]>`
  select s.player, s.guardian, u.born, s.agreed is not null as agreed from guardianships s join users u on u.id = s.player
  where s.until is null and u.born <= ${day}::date - make_interval(years => ${ADULT_AGE}) order by s.player`

/** Queues letters that tell players who soon turn 18, and their guardians, what changes: once per player, if the guardian has consented. */
export async function sendComingOfAgeNotices({ sql, post, clock }: Pick<AppDependencies, 'sql' | 'post' | 'clock'>): Promise<void> {
  const now = clock()
  const soon = await grownBy(sql, addDays(now, COMING_OF_AGE_NOTICE_DAYS))
  const playersToNotify = soon.filter(({ born, agreed }) => agreed && ageOn(born, now) < ADULT_AGE)
  await post(
    sql,
    playersToNotify.map(({ player, born }) => errand({ id: player }, 'letter.coming-of-age', { user: player, day: dateOfAdulthood(born) })),
  )
}

/**
 * The cards that a player had saved when the day of the 18th birthday (`YYYY-MM-DD`) began. The player may add more on that day, before the
 * guardianship ends, because from midnight on they pay for themselves.
 */
async function cardsSavedBefore(store: EventStore, player: string, day: string) {
  const events = await store.read(streamOf(walletDecider.stream, player))
  return fold(
    walletDecider,
    events.filter(e => e.at < day),
  ).cards
}

/**
 * Ends the guardianship of players who have turned 18: pending requests for approval lapse, the cards saved before that day are removed,
 * and the guardian's access and private links end. Idempotent; the next run completes what this one could not.
 */
export async function endGuardianships(
  { sql, store, clock, log }: Pick<AppDependencies, 'sql' | 'store' | 'clock' | 'log'>,
  ending: AbortSignal,
) {
  const now = clock()
  for (const { player, guardian, born } of await grownBy(sql, now)) {
    ending.throwIfAborted()
    if (ageOn(born, now) < ADULT_AGE) continue
    try {
      await endPendingApprovalsOfPlayerOrInstructor({ sql, store }, 'player', player, 'of-age')
      for (const { card } of await cardsSavedBefore(store, player, dateOfAdulthood(born)))
        await handleCommand(store, walletDecider, player, 'remove', { card, needed: false, now: now.toISOString() }, systemCommandSource())
      await handleCommand(store, consentDecider, player, 'comeOfAge', {}, systemCommandSource(derivedId(player, guardian, 'of-age')))
      await sql.begin(async tx => {
        await revokeReviewLinksOfGuardians(tx, player)
        await tx`update guardianships set until = ${now} where player = ${player} and guardian = ${guardian} and until is null`
      })
    } catch (error) {
      // The wallet refuses to remove the last card while it is held for an assignment (for at most ten minutes). The next run tries again.
      if (!(error instanceof CommandRefused)) throw error
      log.info({ player, code: error.code }, 'a guardianship cannot end yet and will be retried at the next run')
    }
  }
}
