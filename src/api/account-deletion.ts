import { isUserMinor } from '../../modules/accounts/account-registration-and-authentication.ts'
import { consumeEmailedLink, createEmailedLinkToken, findEmailedLink } from '../../modules/accounts/emailed-links.ts'
import { initialConsentRefusedAt } from '../../modules/accounts/guardian-tables.ts'
import { addDays, addMonthsWithOverflow } from '../../modules/dates.ts'
import { handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import {
  type AccountPrivacyState,
  accountDecider,
  loadAccountPrivacyState,
} from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { childDeletionContract, accountDeletionContract as contract } from '../../modules/privacy/contract.ts'
import {
  DAYS_TO_WAIT_FOR_FAILED_PAYMENT,
  DELETION_GRACE_DAYS,
  deletionTimeAfterGuardianRefusal,
  SUPPORT_REQUEST_RETENTION_YEARS,
  UNASSIGNED_VIDEO_RETENTION_MONTHS,
} from '../../modules/privacy/policy.ts'
import { creditsAndPointsDecider, unusedPackageCredits } from '../../modules/rewards/credits-and-points-decider.ts'
import { supportRequestCountOfPerson, unassignedVideos } from '../../projections/data-retention-queries.ts'
import { deletionObstaclesOf, type Obligations } from '../../projections/deletion-obstacles.ts'
import { childWithPastConsent } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { obstacleToChildDeletion, obstacleToOwnDeletion } from './deletion-obstacle-messages.ts'
import { assertOwnPassword } from './password-confirmation-and-strength.ts'
import { Problem } from './problem.ts'
import { commandReply, type RequestContext, routesOfContract, withCaughtUpReadModels } from './routing.ts'

/** The read models in which `deletionObstacle` looks. */
export const DELETION_OBSTACLE_READ_MODELS = ['assignments', 'payments']

type DeletionState = Pick<AccountPrivacyState, 'closingReason' | 'due'>

/**
 * What has to be settled before this account can be deleted. Open bills of a closed account stop counting some days after the deletion is
 * due: its owner cannot sign in to pay a bill that could not be charged.
 */
export async function obligationsBeforeDeletion(
  { sql, clock }: Pick<AppDependencies, 'sql' | 'clock'>,
  person: string,
  { closingReason, due }: DeletionState,
): Promise<Obligations> {
  const obligations = await deletionObstaclesOf(sql, person, clock())
  const isUnpaidIgnored = closingReason !== null && due !== null && clock() > addDays(new Date(due), DAYS_TO_WAIT_FOR_FAILED_PAYMENT)
  return isUnpaidIgnored ? { ...obligations, unpaid: 0 } : obligations
}

/** Whether this is an administrator's account, and every other administrator's account will be deleted, too. */
async function isLastAdmin({ sql, store }: Pick<AppDependencies, 'sql' | 'store'>, person: string): Promise<boolean> {
  const admins = (await sql<{ id: string }[]>`select id from users where role = 'admin'`).map(({ id }) => id)
  if (!admins.includes(person)) return false
  const others = await Promise.all(admins.filter(id => id !== person).map(id => loadAccountPrivacyState(store, id)))
  return others.every(({ deletion }) => deletion !== 'none')
}

/** Explains why this account cannot be deleted now; null if it can. */
export async function deletionObstacle(
  deps: Pick<AppDependencies, 'sql' | 'store' | 'clock'>,
  person: string,
  account: DeletionState,
): Promise<string | null> {
  const { sql, clock } = deps
  if (await isLastAdmin(deps, person)) return 'You are the only administrator. Invite another one first, so that someone can run the site.'
  return obstacleToOwnDeletion(await obligationsBeforeDeletion(deps, person, account), await isUserMinor(sql, person, clock()))
}

const dueAfter = (now: Date) => addDays(now, DELETION_GRACE_DAYS).toISOString()

export const accountDeletionRoutes = routesOfContract(contract, {
  'GET /api/account/retention': withCaughtUpReadModels(['folders', 'assignments', 'approvals', 'requests'], async ({ deps, user }) => {
    const now = deps.clock()
    const [videos, requests, refused] = await Promise.all([
      unassignedVideos(deps.sql, { before: now, player: user.id }),
      supportRequestCountOfPerson(deps.sql, user.id),
      initialConsentRefusedAt(deps.sql, user.id, now),
    ])
    const monthsAfter = (at: string, months: number) => addMonthsWithOverflow(new Date(at), months).toISOString()
    return {
      videos: videos.map(({ added, ...video }) => ({ ...video, expires: monthsAfter(added, UNASSIGNED_VIDEO_RETENTION_MONTHS) })),
      requests: requests && { count: requests.count, next: monthsAfter(requests.oldest, 12 * SUPPORT_REQUEST_RETENTION_YEARS) },
      account: refused && deletionTimeAfterGuardianRefusal(refused),
    }
  }),

  'GET /api/account/deletion': withCaughtUpReadModels(DELETION_OBSTACLE_READ_MODELS, async ({ deps, user }) => {
    const account = await loadAccountPrivacyState(deps.store, user.id)
    const { due, isDueByGuardian } = account
    return {
      due,
      byGuardian: isDueByGuardian && (await isUserMinor(deps.sql, user.id, deps.clock())),
      obstacle: await deletionObstacle(deps, user.id, account),
      unusedSessions: unusedPackageCredits(await loadState(deps.store, creditsAndPointsDecider, user.id)),
      openSessions: (await deletionObstaclesOf(deps.sql, user.id, deps.clock())).open,
    }
  }),

  'POST /api/account/deletion': withCaughtUpReadModels(
    DELETION_OBSTACLE_READ_MODELS,
    async (ctx: RequestContext<(typeof contract)['POST /api/account/deletion']>) => {
      const { deps, user, body, by } = ctx
      await assertOwnPassword(ctx, body.password, 'password')
      const obstacle = await deletionObstacle(deps, user.id, await loadAccountPrivacyState(deps.store, user.id))
      if (obstacle) throw new CommandRefused(obstacle, 'deletion-obstacle')
      const due = dueAfter(deps.clock())
      return commandReply((await handleCommand(deps.store, accountDecider, user.id, 'scheduleDeletion', { due }, by)).position)
    },
  ),

  'POST /api/account/deletion/cancel': async ({ deps, user, by }) =>
    commandReply(
      (
        await handleCommand(
          deps.store,
          accountDecider,
          user.id,
          'cancelDeletion',
          { isMinor: await isUserMinor(deps.sql, user.id, deps.clock()) },
          by,
        )
      ).position,
    ),
})

export const childDeletionRoutes = routesOfContract(childDeletionContract, {
  'GET /api/family/children/{child}/deletion': withCaughtUpReadModels(DELETION_OBSTACLE_READ_MODELS, async ctx => {
    const { deps } = ctx
    const { id, firstName } = await childWithPastConsent(ctx, ctx.params.child)
    const { due, isDueByGuardian: byGuardian, closingReason } = await loadAccountPrivacyState(deps.store, id)
    const obstacle = obstacleToChildDeletion(await deletionObstaclesOf(deps.sql, id, deps.clock()), firstName)
    const unusedSessions = unusedPackageCredits(await loadState(deps.store, creditsAndPointsDecider, id))
    return { due, byGuardian, isClosed: closingReason !== null, obstacle, unusedSessions }
  }),

  'POST /api/family/children/{child}/deletion/link': async ctx => {
    const { deps, guardian, address } = ctx
    const { id } = await childWithPastConsent(ctx, ctx.params.child)
    await deps.limits.take('recovery', address, guardian.id)
    await deps.sql.begin(async tx => {
      const link = await createEmailedLinkToken(tx, deps.clock(), 'child-deletion', { owner: id, guardian: guardian.id })
      await deps.post(tx, [errand(link, 'letter.child-deletion-link', { user: id, guardian: guardian.id, link: link.id })])
    })
  },

  'POST /api/family/children/{child}/deletion': withCaughtUpReadModels(DELETION_OBSTACLE_READ_MODELS, async ctx => {
    const { deps, guardian, address, body, by } = ctx
    const { id, firstName } = await childWithPastConsent(ctx, ctx.params.child)
    // If the response to an earlier request was lost, the deletion is already scheduled and the link used up. The retry then succeeds here.
    if ((await loadAccountPrivacyState(deps.store, id)).isDueByGuardian) return
    await deps.limits.take('link', address)
    const now = deps.clock()
    const link = await findEmailedLink(deps.sql, now, 'child-deletion', body.token)
    if (link?.owner !== id || link.guardian !== guardian.id) {
      throw new Problem(410, 'This link has already been used or has expired. We can send you a new one.', 'link-over')
    }
    const obstacle = obstacleToChildDeletion(await deletionObstaclesOf(deps.sql, id, deps.clock()), firstName)
    if (obstacle) throw new CommandRefused(obstacle, 'deletion-obstacle')
    const { position } = await handleCommand(
      deps.store,
      accountDecider,
      id,
      'scheduleDeletion',
      { due: dueAfter(now), guardian: guardian.id },
      by,
    )
    // Use up the link only after the log has the request, so that the guardian can retry after an interruption.
    await consumeEmailedLink(deps.sql, now, 'child-deletion', body.token)
    return commandReply(position)
  }),

  'POST /api/family/children/{child}/deletion/cancel': async ctx => {
    const { id } = await childWithPastConsent(ctx, ctx.params.child)
    return commandReply((await handleCommand(ctx.deps.store, accountDecider, id, 'cancelDeletion', {}, ctx.by)).position)
  },
})
