import { loadUser } from '../../modules/accounts/account-registration-and-authentication.ts'
import { childHasGuardianConsent, childrenOf } from '../../modules/accounts/guardian-tables.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { loadAccountPrivacyState } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { newToken, tokenHash } from '../../modules/secret-tokens.ts'
import { sharingContract as contract } from '../../modules/sharing/contract.ts'
import {
  findReviewByLinkHash,
  recordReviewLinkOpening,
  reviewLinksOf,
  revokeReviewLink,
  type SharedReviewReference,
  storeReviewLink,
} from '../../modules/sharing/review-links.ts'
import { sessionsOfFolderOrPlayer } from '../../projections/assignments.ts'
import { childWithPastConsent, loadOwnFolder } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { findDeliveredSessionForGuests, firstNameOf, hasDeliveredStatus } from './delivered-session-for-guests.ts'
import { assertFound, notFound } from './problem.ts'
import { routesOfContract, withCaughtUpReadModels } from './routing.ts'

/** The read models that private links and review videos depend on. */
export const SHARING_READ_MODELS = ['folders', 'assignments']

/** A delivered session of a player. @throws Problem 404 */
export const loadDeliveredSessionOfPlayer = async ({ sql }: AppDependencies, player: string, session: string) =>
  assertFound((await sessionsOfFolderOrPlayer(sql, 'player', player)).find(s => s.id === session && hasDeliveredStatus(s)))

async function makeLink({ sql, clock }: AppDependencies, of: SharedReviewReference, link: { id: string; name: string }) {
  const token = newToken()
  if (!(await sql.begin(tx => storeReviewLink(tx, of, { ...link, hash: tokenHash(token) }, clock())))) throw notFound()
  return { token }
}

/**
 * Whether the creator of a link may still share the review: a guardian while they consent for a minor, or a player who is of age. False
 * once an administrator has closed the player's account.
 */
async function maySharerShow({ sql, store, clock }: AppDependencies, { player, guardian }: SharedReviewReference): Promise<boolean> {
  if ((await loadAccountPrivacyState(store, player)).closingReason !== null) return false
  if (guardian === null) return (await loadUser(sql, player, clock()))?.guardian === null
  return (await childrenOf(sql, guardian, clock())).some(child => child.id === player && childHasGuardianConsent(child))
}

/** The review behind a valid private link. @throws Problem 404 */
export async function loadSharedReviewReference(deps: AppDependencies, token: string): Promise<SharedReviewReference> {
  const shared = assertFound(await findReviewByLinkHash(deps.sql, tokenHash(token), deps.clock()))
  if (!(await maySharerShow(deps, shared))) throw notFound()
  return shared
}

export const sharingRoutes = routesOfContract(contract, {
  'GET /api/folders/{folder}/links': withCaughtUpReadModels(SHARING_READ_MODELS, async ctx => {
    await loadOwnFolder(ctx, ctx.params.folder)
    const { id } = await loadDeliveredSessionOfPlayer(ctx.deps, ctx.user.id, ctx.query.session)
    return { links: await reviewLinksOf(ctx.deps.sql, id, ctx.deps.clock()) }
  }),
  'POST /api/folders/{folder}/links': withCaughtUpReadModels(SHARING_READ_MODELS, async ctx => {
    const { deps, user, params, query, body } = ctx
    await loadOwnFolder(ctx, params.folder)
    const session = await loadDeliveredSessionOfPlayer(deps, user.id, query.session)
    if (session.folder !== params.folder) throw notFound()
    if (assertFound(await loadUser(deps.sql, user.id, deps.clock())).guardian !== null) {
      throw new CommandRefused('Your parent or guardian can share your reviews, on their family page.', 'guardian-shares')
    }
    await deps.limits.take('change', '', user.id)
    return makeLink(deps, { player: user.id, guardian: null, folder: session.folder, session: session.id }, body)
  }),
  'DELETE /api/folders/{folder}/links/{link}': async ctx => {
    const { deps, user, params } = ctx
    await loadOwnFolder(ctx, params.folder)
    if (!(await revokeReviewLink(deps.sql, params.link, { player: user.id, folder: params.folder }))) throw notFound()
  },

  'GET /api/family/children/{child}/reviews/{assignment}/links': withCaughtUpReadModels(SHARING_READ_MODELS, async ctx => {
    const child = await childWithPastConsent(ctx, ctx.params.child)
    const { id } = await loadDeliveredSessionOfPlayer(ctx.deps, child.id, ctx.params.assignment)
    return { links: await reviewLinksOf(ctx.deps.sql, id, ctx.deps.clock()) }
  }),
  'POST /api/family/children/{child}/reviews/{assignment}/links': withCaughtUpReadModels(SHARING_READ_MODELS, async ctx => {
    const { deps, guardian, params, body } = ctx
    const child = await childWithPastConsent(ctx, params.child)
    const session = await loadDeliveredSessionOfPlayer(deps, child.id, params.assignment)
    if (!childHasGuardianConsent(child))
      throw new CommandRefused("Give your consent again first. Without it, your child's reviews cannot be shared.", 'no-consent')
    await deps.limits.take('change', '', guardian.id)
    return makeLink(deps, { player: child.id, guardian: guardian.id, folder: session.folder, session: session.id }, body)
  }),
  'DELETE /api/family/children/{child}/reviews/{assignment}/links/{link}': async ctx => {
    const child = await childWithPastConsent(ctx, ctx.params.child)
    const of = { player: child.id, session: ctx.params.assignment }
    if (!(await revokeReviewLink(ctx.deps.sql, ctx.params.link, of))) throw notFound()
  },

  'GET /api/shared/{token}': withCaughtUpReadModels(SHARING_READ_MODELS, async ({ deps, params, query, address }) => {
    await deps.limits.take('shared', address)
    const shared = await loadSharedReviewReference(deps, params.token)
    const { row, session } = assertFound(await findDeliveredSessionForGuests(deps, shared.folder, shared.session))
    if (!query.renewal) await recordReviewLinkOpening(deps.sql, tokenHash(params.token), deps.clock())
    return { player: firstNameOf(row.player.name), session }
  }),
})
