import { consentRefusalTime } from '../../modules/accounts/guardians.ts'
import { handle, load } from '../../modules/kernel/decider.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { account, accountOf } from '../../modules/privacy/account.ts'
import { privacyContract as contract } from '../../modules/privacy/contract.ts'
import {
  DELETION_DAYS,
  deletionAfterRefusal,
  monthsBefore,
  SUPPORT_REQUEST_YEARS,
  UNASSIGNED_VIDEO_MONTHS,
} from '../../modules/privacy/policy.ts'
import { perks, remainingCredits } from '../../modules/rewards/perks.ts'
import { type Obligations, obligationsOf } from '../../projections/obligations.ts'
import { supportRequestAges, unassignedVideos } from '../../projections/retention.ts'
import type { Deps } from './deps.ts'
import { assertOwnPassword } from './password-checks.ts'
import { type Context, commandReply, readModelQuery, serve } from './route.ts'

const DAY_MS = 24 * 3600_000
const DELETION_READ_MODELS = ['assignments', 'payments']

/** Explains which unsettled matter keeps a person from leaving; null if there is none. */
function obstacleOf({ assigned, unpaid, undecided, reviewing, expected }: Obligations): string | null {
  if (assigned) return 'A folder of yours is with an instructor. Take it back, or wait for the feedback and pay for it.'
  if (unpaid) return 'Feedback that you were given is not paid yet. Pay for it first.'
  if (reviewing) return 'You have started a review. Deliver it or hand the folder back first.'
  if (undecided) return 'A refund is on its way, or a bank decides about a payment. Come back when that is settled.'
  if (expected) return 'Money for your feedback has not reached you yet. Come back when it has.'
  return null
}

/** Explains why this account cannot be deleted now; null if it can. */
export async function deletionObstacle({ sql }: Pick<Deps, 'sql'>, person: string): Promise<string | null> {
  const [admins] = await sql<{ last: boolean }[]>`
    select role = 'admin' and not exists (select 1 from users o where o.role = 'admin' and o.id <> u.id) as last from users u where id = ${person}`
  if (admins?.last) return 'You are the only administrator. Invite another one first, so that somebody can run the place.'
  return obstacleOf(await obligationsOf(sql, person))
}

export const accountDeletionRoutes = serve(contract, {
  'GET /api/account/retention': readModelQuery(['folders', 'assignments', 'requests'], async ({ deps, user }) => {
    const now = deps.clock()
    const [videos, requests, refused] = await Promise.all([
      unassignedVideos(deps.sql, { before: now, player: user.id }),
      supportRequestAges(deps.sql, user.id),
      consentRefusalTime(deps.sql, user.id, now),
    ])
    const monthsAfter = (at: string, months: number) => monthsBefore(new Date(at), -months).toISOString()
    return {
      videos: videos.map(({ added, ...video }) => ({ ...video, expires: monthsAfter(added, UNASSIGNED_VIDEO_MONTHS) })),
      requests: requests && { count: requests.count, next: monthsAfter(requests.oldest, 12 * SUPPORT_REQUEST_YEARS) },
      account: refused && deletionAfterRefusal(refused),
    }
  }),

  'GET /api/account/deletion': readModelQuery(DELETION_READ_MODELS, async ({ deps, user }) => ({
    due: (await accountOf(deps.store, user.id)).due,
    obstacle: await deletionObstacle(deps, user.id),
    unusedSessions: remainingCredits(await load(deps.store, perks, user.id)),
    openSessions: (await obligationsOf(deps.sql, user.id)).open,
  })),

  'POST /api/account/deletion': readModelQuery(
    DELETION_READ_MODELS,
    async (ctx: Context<(typeof contract)['POST /api/account/deletion']>) => {
      const { deps, user, body, by } = ctx
      await assertOwnPassword(ctx, body.password, 'password')
      const obstacle = await deletionObstacle(deps, user.id)
      if (obstacle) throw new CommandRefused(obstacle, 'deletion-obstacle')
      const due = new Date(deps.clock().getTime() + DELETION_DAYS * DAY_MS).toISOString()
      return commandReply((await handle(deps.store, account, user.id, 'scheduleDeletion', { due }, by)).position)
    },
  ),

  'POST /api/account/deletion/cancel': async ({ deps, user, by }) =>
    commandReply((await handle(deps.store, account, user.id, 'cancelDeletion', {}, by)).position),
})
