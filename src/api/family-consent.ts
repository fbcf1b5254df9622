import type { TransactionSql } from 'postgres'
import { loadUser } from '../../modules/accounts/account-registration-and-authentication.ts'
import {
  childHasGuardianConsent,
  type GuardianConsentStatus,
  guardianById,
  hasAnyGuardianEverAgreed,
  setConsent,
  setFamilyTimeZone,
} from '../../modules/accounts/guardian-tables.ts'
import { consentDecider, guardianChangedRefusal } from '../../modules/consent/consent.ts'
import { consentContract as contract } from '../../modules/consent/contract.ts'
import { type CommandSource, handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { CommandRefused, streamOf } from '../../modules/kernel/store.ts'
import { ACCOUNT_DAYS_AFTER_REFUSAL } from '../../modules/privacy/policy.ts'
import { revokeReviewLinksOfPlayer } from '../../modules/sharing/review-links.ts'
import { childOfGuardian } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { assertFound, notFound } from './problem.ts'
import { commandReply, routesOfContract } from './routing.ts'

type Answer = { answer: 'yes' | 'no'; optional: 'news'[] }

/**
 * Records a guardian's answer for a player in the event log. The returned status is the one to store with the account. It comes from the
 * log, because a repeated request may carry an answer that the guardian has changed since.
 * @throws CommandRefused if another guardian has replaced this one, or if a "no" comes after a "yes"; Problem 404 if the request repeats an
 * answer that no longer counts, because a guardian has been asked since or the player has turned 18
 */
export async function recordConsentAnswerInLog(
  { store }: Pick<AppDependencies, 'store'>,
  player: string,
  guardian: string,
  { answer, optional }: Answer,
  by: CommandSource,
): Promise<{ position: bigint; status: GuardianConsentStatus }> {
  const source = { ...by, actor: guardian }
  const { position } =
    answer === 'yes'
      ? await handleCommand(store, consentDecider, player, 'give', { guardian, optional }, source)
      : await handleCommand(store, consentDecider, player, 'refuse', { guardian }, source)
  const { status, guardian: present } = await loadState(store, consentDecider, player)
  if (present !== guardian || status === 'none' || status === 'asked') throw notFound()
  return { position, status }
}

/**
 * Copies a guardian's answer from the log to the account tables. Declining or withdrawing consent also revokes the private links to the
 * player's reviews.
 */
export async function applyConsentAnswerToAccount(
  tx: TransactionSql,
  player: string,
  guardian: string,
  status: GuardianConsentStatus,
  now: Date,
) {
  await setConsent(tx, player, guardian, status, now)
  if (status !== 'given') await revokeReviewLinksOfPlayer(tx, player)
}

const missingConsent: Record<'waiting' | 'refused' | 'refused-after-change' | 'withdrawn', string> = {
  waiting: 'Your parent or guardian has to agree first. Ask them to open the link we sent, or have it sent again.',
  refused: `Your parent or guardian did not agree. They can change their answer on their family page within ${ACCOUNT_DAYS_AFTER_REFUSAL} days; after that your account will be deleted.`,
  'refused-after-change':
    'The person who was named as your parent or guardian said no. Your account stays open, and our support team can correct who is listed as your parent or guardian.',
  withdrawn: 'Your parent or guardian has withdrawn their consent. They can give it again on their family page.',
}

/**
 * Passes if the player's guardian consents or no consent is needed. Also reads the log, because the account tables may lag behind a fresh
 * answer.
 * @throws CommandRefused `guardian-needed`
 */
export async function assertConsent({ sql, store, clock }: Pick<AppDependencies, 'sql' | 'store' | 'clock'>, player: string) {
  const user = await loadUser(sql, player, clock())
  if (!user?.guardian) return
  const { status } = await loadState(store, consentDecider, player)
  const state = status === 'refused' || status === 'withdrawn' ? status : user.guardian
  if (state === 'confirmed') return
  const isAfterChange = state === 'refused' && (await hasAnyGuardianEverAgreed(sql, player))
  throw new CommandRefused(missingConsent[isAfterChange ? 'refused-after-change' : state], 'guardian-needed')
}

export const familyConsentRoutes = routesOfContract(contract, {
  'GET /api/family/children/{child}/consent': async ctx => {
    const { deps, guardian } = ctx
    const child = await childOfGuardian(ctx, ctx.params.child)
    const [{ status, optional }, events, me] = await Promise.all([
      loadState(deps.store, consentDecider, child.id),
      deps.store.read(streamOf(consentDecider.stream, child.id)),
      guardianById(deps.sql, guardian.id),
    ])
    const name = (actor: string) => (actor === guardian.id ? assertFound(me).name : actor === child.id ? child.firstName : null)
    return {
      status: status === 'none' && childHasGuardianConsent(child) ? 'given' : status,
      optional,
      // Hide events between the child and an earlier guardian, and an administrator's reason for the change: they are not for this
      // guardian.
      history: events
        .filter(e => (e.data as { guardian?: string }).guardian === guardian.id && e.type !== 'GuardianChanged')
        .map(e => ({ id: e.id, at: e.at, type: e.type, who: name(e.meta.actor), data: e.data as Record<string, unknown> }))
        .reverse(),
    }
  },

  'POST /api/family/children/{child}/consent': async ctx => {
    const { deps, guardian, body, by } = ctx
    const child = await childOfGuardian(ctx, ctx.params.child)
    const { position, status } = await recordConsentAnswerInLog(deps, child.id, guardian.id, body, by)
    await deps.sql.begin(async tx => {
      await applyConsentAnswerToAccount(tx, child.id, guardian.id, status, deps.clock())
      if (body.timeZone) await setFamilyTimeZone(tx, guardian.id, body.timeZone, { isDefault: true })
    })
    return commandReply(position)
  },

  'POST /api/family/children/{child}/consent/withdraw': async ctx => {
    const { deps, guardian, body, by } = ctx
    const child = await childOfGuardian(ctx, ctx.params.child)
    const { position } = await handleCommand(deps.store, consentDecider, child.id, 'withdraw', { guardian: guardian.id, ...body }, by)
    const { status, guardian: present } = await loadState(deps.store, consentDecider, child.id)
    if (present !== guardian.id) throw guardianChangedRefusal()
    if (status === 'withdrawn') await deps.sql.begin(tx => applyConsentAnswerToAccount(tx, child.id, guardian.id, status, deps.clock()))
    return commandReply(position)
  },
})
