import type { TransactionSql } from 'postgres'
import { loadUser } from '../../modules/accounts/account-registration-and-authentication.ts'
import { guardianChangeContract as contract, type User } from '../../modules/accounts/contract.ts'
import { relationOfEmailToAccount } from '../../modules/accounts/credential-changes.ts'
import { restorableEmailRefusal } from '../../modules/accounts/emailed-links.ts'
import { currentGuardianAndConsentOf, findOrAddGuardian, replaceGuardian } from '../../modules/accounts/guardian-tables.ts'
import { concurrencyLimit } from '../../modules/concurrency-limit.ts'
import { consentDecider, guardianChangedRefusal } from '../../modules/consent/consent.ts'
import { type CommandSource, derivedId, fold, handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'
import { CommandRefused, streamOf } from '../../modules/kernel/store.ts'
import { accountDecider, loadAccountPrivacyState } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { revokeReviewLinksOfPlayer } from '../../modules/sharing/review-links.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { requestGuardianConsent } from './guardian-consent-and-sign-in.ts'
import { notFound } from './problem.ts'
import { commandReply, routesOfContract } from './routing.ts'

/**
 * The log position of a change that this command has already made, if the request is repeated. Null if the change has yet to be made, or
 * was interrupted between the log and the accounts and has to be completed.
 * @throws CommandRefused if the guardian has changed again since
 */
async function positionOfCompletedChange(
  { sql, store }: Pick<AppDependencies, 'sql' | 'store'>,
  player: string,
  by: CommandSource,
): Promise<bigint | null> {
  const events = await store.read(streamOf(consentDecider.stream, player))
  const recorded = events.find(event => event.type === 'GuardianChanged' && event.meta.command === by.command)
  if (!recorded) return null
  const change = recorded.data as { guardian: string; former: string | null; reason: string | null }
  const present = (await currentGuardianAndConsentOf(sql, player))?.guardian ?? null
  // `handleCommand` returns the earlier position, or throws if an earlier request with the same key asked for something else.
  if (present === change.guardian) return (await handleCommand(store, consentDecider, player, 'change', change, by)).position
  if (present === change.former && fold(consentDecider, events).guardian === change.guardian) return null
  throw guardianChangedRefusal()
}

/** The player's current guardian, if that is the caller and they have ever consented. */
const ownPresent = async ({ sql }: Pick<AppDependencies, 'sql'>, player: string, guardian: string) => {
  const present = await currentGuardianAndConsentOf(sql, player)
  return present?.agreed && present.guardian === guardian ? present : null
}

interface Change {
  player: string
  /** Null if the player had no guardian. */
  former: { guardian: string; agreed: boolean } | null
  to: { name: string; email: string }
  reason: string | null
}

/** While a change holds a connection, it needs a second one for the log, so many simultaneous changes could deadlock. */
const changesUnderWay = concurrencyLimit(2)

/** A guardian's request to delete the account ends with the change: neither the child nor the new guardian made it. */
async function cancelDeletionByFormerGuardian(store: AppDependencies['store'], player: string, position: bigint) {
  const { isDueByGuardian, closingReason, isDeletedAgain } = await loadAccountPrivacyState(store, player)
  if (!isDueByGuardian || closingReason !== null || isDeletedAgain) return
  const source = systemCommandSource(derivedId(player, `${position}`, 'cancel-deletion'))
  await handleCommand(store, accountDecider, player, 'cancelDeletion', {}, source)
}

/**
 * Ends the former guardian's access and payments, and asks the new one for consent. The log is written while the player's row is locked, so
 * that only one of two simultaneous changes is recorded, and before the accounts are committed, so that a retry after an interruption
 * completes the change.
 * @returns the position of the change
 */
async function changeGuardian(deps: AppDependencies, { player, former, to, reason }: Change, by: CommandSource): Promise<bigint> {
  const { sql, store, clock, post } = deps
  const guardian = await findOrAddGuardian(sql, to, clock())
  const change = { guardian, former: former?.guardian ?? null, reason }
  const replace = async (tx: TransactionSql) => {
    if (!(await replaceGuardian(tx, player, { ...change, ...to }, clock()))) return null
    const { position } = await handleCommand(store, consentDecider, player, 'change', change, by)
    await revokeReviewLinksOfPlayer(tx, player)
    await cancelDeletionByFormerGuardian(store, player, position)
    await requestGuardianConsent(tx, deps, player, to.email)
    // A former guardian who never consented may be a stranger whose address was a typing error, so they get no letter.
    if (former?.agreed) await post(tx, [errand({ id: by.command }, 'letter.guardian-changed', { user: player, guardian: former.guardian })])
    return position
  }
  const position = await changesUnderWay.run(() => sql.begin(replace))
  // The client may have sent this request twice, and the other copy made the change.
  const completed = position ?? (await positionOfCompletedChange(deps, player, by))
  if (completed === null) throw guardianChangedRefusal()
  return completed
}

async function assertAnotherAddress({ sql, clock }: AppDependencies, email: string, player: User, present: { email: string } | null) {
  const playersEmail = await relationOfEmailToAccount(sql, player, email, clock())
  if (playersEmail === 'former') throw restorableEmailRefusal("This was the player's email address", 'their account')
  if (playersEmail) throw new CommandRefused("Enter the guardian's own email address, not the player's", 'own-address', 'email')
  if (email.toLowerCase() === present?.email)
    throw new CommandRefused("This is already the guardian's email address. Enter a different one.", 'same-guardian', 'email')
}

export const guardianChangeRoutes = routesOfContract(contract, {
  'POST /api/family/children/{child}/guardian': async ({ deps, guardian, params, body, by, address }) => {
    const { child } = params
    // Reads the accounts before the log, so that a change that a copy of this request makes in between is found in the log.
    const [present, user] = [await ownPresent(deps, child, guardian.id), await loadUser(deps.sql, child, deps.clock())]
    const completed = await positionOfCompletedChange(deps, child, by)
    if (completed !== null) return commandReply(completed)
    if (!present || !user?.guardian) throw notFound()
    await assertAnotherAddress(deps, body.email, user, present)
    await deps.limits.take('guardian', address, guardian.id)
    return commandReply(await changeGuardian(deps, { player: child, former: present, to: body, reason: null }, by))
  },

  'POST /api/admin/people/{person}/guardian': async ({ deps, user: admin, params, body, by, address }) => {
    const { person } = params
    const user = await loadUser(deps.sql, person, deps.clock())
    if (user?.role !== 'player') throw notFound()
    if (user.guardian === null) throw new CommandRefused('This player is 18 or older and needs no guardian.', 'of-age')
    const present = await currentGuardianAndConsentOf(deps.sql, person)
    const completed = await positionOfCompletedChange(deps, person, by)
    if (completed !== null) return commandReply(completed)
    const { reason, ...to } = body
    await assertAnotherAddress(deps, to.email, user, present)
    await deps.limits.take('guardian', address, admin.id)
    return commandReply(await changeGuardian(deps, { player: person, former: present, to, reason }, by))
  },
})
