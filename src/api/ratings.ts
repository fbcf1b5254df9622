import { addDays } from '../../modules/dates.ts'
import { type FolderSession, folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { ratingsContract as contract } from '../../modules/ratings/contract.ts'
import { RATING_CHANGE_DAYS } from '../../modules/ratings/policy.ts'
import { type RaterRole, ratingDecider } from '../../modules/ratings/rating.ts'
import { ratingsForAdmin } from '../../projections/ratings.ts'
import { childWithPastConsent, loadAssignedSession, loadOwnFolder } from './access.ts'
import { assertConsent } from './family-consent.ts'
import { assertMayWriteToPlayers } from './instructor-reachability.ts'
import { assertFound } from './problem.ts'
import { commandReply, type RequestContext, routesOfContract, withCaughtUpReadModels } from './routing.ts'

type CallContext = Pick<RequestContext, 'deps' | 'by'> & {
  params: { folder: string }
  query: { session: string }
  body: { stars: number; comment?: string | undefined }
}

/** @throws Problem 404 if there is no such delivered session, CommandRefused if it is not paid */
function paidSession(sessions: readonly FolderSession[], id: string): FolderSession {
  const session = assertFound(sessions.find(s => s.id === id && s.review))
  if (session.status === 'paid') return session
  throw new CommandRefused('You can rate a session once it has been paid for.', 'not-paid')
}

async function rate(
  { deps, by, params, query, body }: CallContext,
  of: { player: string; sessions: readonly FolderSession[] },
  rater: RaterRole,
) {
  const { instructor } = paidSession(of.sessions, query.session)
  const now = deps.clock()
  const newRating = {
    session: { folder: params.folder, player: of.player, instructor },
    verdict: { stars: body.stars, comment: body.comment || null, rater },
    now: now.toISOString(),
    until: addDays(now, RATING_CHANGE_DAYS).toISOString(),
  }
  return commandReply((await handleCommand(deps.store, ratingDecider, query.session, 'rate', newRating, by)).position)
}

export const ratingRoutes = routesOfContract(contract, {
  'PUT /api/folders/{folder}/rating': async ctx => {
    const { sessions } = await loadOwnFolder(ctx, ctx.params.folder)
    await assertConsent(ctx.deps, ctx.user.id)
    await ctx.deps.limits.take('page', '', ctx.user.id)
    return rate(ctx, { player: ctx.user.id, sessions }, 'player')
  },

  'PUT /api/family/folders/{folder}/rating': async ctx => {
    const { player, sessions } = await loadState(ctx.deps.store, folderDecider, ctx.params.folder)
    const { id } = await childWithPastConsent(ctx, assertFound(player))
    await ctx.deps.limits.take('page', '', ctx.guardian.id)
    return rate(ctx, { player: id, sessions }, 'guardian')
  },

  'POST /api/folders/{folder}/rating/answer': async ctx => {
    const { id } = await loadAssignedSession(ctx, ctx.params.folder, ctx.query.session)
    await assertMayWriteToPlayers(ctx.deps, ctx.user.id)
    return commandReply((await handleCommand(ctx.deps.store, ratingDecider, id, 'answer', ctx.body, ctx.by)).position)
  },

  'GET /api/admin/instructors/{instructor}/ratings': withCaughtUpReadModels(['ratings'], async ({ deps, params }) => ({
    ratings: await ratingsForAdmin(deps.sql, params.instructor),
  })),

  'POST /api/admin/ratings/{assignment}/hide': async ({ deps, params, body, by }) => {
    assertFound((await loadState(deps.store, ratingDecider, params.assignment)).session)
    return commandReply((await handleCommand(deps.store, ratingDecider, params.assignment, 'hide', body, by)).position)
  },
  'POST /api/admin/ratings/{assignment}/restore': async ({ deps, params, by }) => {
    assertFound((await loadState(deps.store, ratingDecider, params.assignment)).session)
    return commandReply((await handleCommand(deps.store, ratingDecider, params.assignment, 'restore', {}, by)).position)
  },
})
