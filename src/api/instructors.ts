import type { Sql } from 'postgres'
import { instructorsContract as contract, type ProfileWithoutRatings, Slug } from '../../modules/instructors/contract.ts'
import { firstSentenceOf } from '../../modules/instructors/first-sentence.ts'
import {
  addConnectionOrFollow,
  inviteCodeOf,
  removeConnectionOrFollow,
  renewInviteCode,
  saveProfileAndSlug,
  slugProblem,
} from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import {
  loadProfilePicture,
  PictureQueueFullError,
  removeProfilePicture,
  setProfilePicture,
} from '../../modules/instructors/profile-pictures.ts'
import { deletionDueReplyField } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import {
  connectedOrFollowedInstructorsOf,
  findInstructors,
  instructorCardByInviteCode,
  ownProfile,
  visibleProfileBySlugOrId,
} from '../../projections/instructor-queries.ts'
import { publicRatingsOfInstructor } from '../../projections/ratings.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { assertMayConnectOrFollow, playerWithMinorStatus, profileViewerOf } from './instructor-reachability.ts'
import { nextPageLink } from './next-page-link.ts'
import { assertFound, invalidField, serviceUnavailable } from './problem.ts'
import { routesOfContract, withCaughtUpReadModels } from './routing.ts'

/** The read models whose data an instructor's card shows. */
const CARD_MODELS = ['vettings', 'responses', 'ratings']

const withRatings = async <P extends ProfileWithoutRatings>(sql: Sql, profile: P) => ({
  ...profile,
  ratings: await publicRatingsOfInstructor(sql, profile.id),
})

const invitation = (deps: AppDependencies, code: string | null) => {
  const inviteCode = assertFound(code)
  return { code: inviteCode, url: `${deps.config.origin}/invite/${inviteCode}` }
}

export const instructorRoutes = routesOfContract(contract, {
  'GET /api/instructors': withCaughtUpReadModels(CARD_MODELS, async ({ deps, user, query, headers }) => {
    const { rows, next } = await findInstructors(deps.sql, await profileViewerOf(deps, user), deps.clock(), query)
    // The specification fixes the reply as a plain list, so a `Link` header points to the next page (RFC 8288).
    if (next) headers.link = nextPageLink('/api/instructors', { after: next, limit: query.limit })
    return rows
  }),

  'GET /api/instructor-search': withCaughtUpReadModels(CARD_MODELS, async ({ deps, user, query }) => {
    const { rows, ...page } = await findInstructors(deps.sql, await profileViewerOf(deps, user), deps.clock(), query)
    return { instructors: rows, ...page }
  }),

  'GET /api/instructors/{slug}': withCaughtUpReadModels(CARD_MODELS, async ({ deps, user, params }) =>
    withRatings(
      deps.sql,
      assertFound(await visibleProfileBySlugOrId(deps.sql, params.slug, await profileViewerOf(deps, user), deps.clock())),
    ),
  ),

  'GET /api/instructors/by-invite/{inviteCode}': withCaughtUpReadModels(CARD_MODELS, async ({ deps, user: caller, params }) => {
    const inviter = await instructorCardByInviteCode(deps.sql, params.inviteCode, await profileViewerOf(deps, caller), deps.clock())
    const { user, about, ...card } = assertFound(inviter)
    return { ...card, tagline: firstSentenceOf(about), user: { ...user, profilePicture: card.profilePicture } }
  }),

  'GET /api/my/instructors': withCaughtUpReadModels(CARD_MODELS, async ({ deps, user }) => {
    return { instructors: await connectedOrFollowedInstructorsOf(deps.sql, await playerWithMinorStatus(deps, user), deps.clock()) }
  }),

  'PUT /api/instructors/{instructor}/connection': async ({ deps, user, params, query: { invite } }) => {
    await assertMayConnectOrFollow(deps, await playerWithMinorStatus(deps, user), params.instructor, invite)
    assertFound(await addConnectionOrFollow(deps.sql, 'connections', user.id, params.instructor, deps.clock()))
  },
  'DELETE /api/instructors/{instructor}/connection': async ({ deps, user, params }) => {
    await removeConnectionOrFollow(deps.sql, 'connections', user.id, params.instructor)
  },
  'PUT /api/instructors/{instructor}/follow': async ({ deps, user, params, query: { invite } }) => {
    await deps.limits.take('page', '', user.id)
    await assertMayConnectOrFollow(deps, await playerWithMinorStatus(deps, user), params.instructor, invite)
    assertFound(await addConnectionOrFollow(deps.sql, 'follows', user.id, params.instructor, deps.clock()))
  },
  'DELETE /api/instructors/{instructor}/follow': async ({ deps, user, params }) => {
    await deps.limits.take('page', '', user.id)
    await removeConnectionOrFollow(deps.sql, 'follows', user.id, params.instructor)
  },

  'GET /api/profile': withCaughtUpReadModels(CARD_MODELS, async ({ deps, user }) => ({
    ...(await withRatings(deps.sql, assertFound(await ownProfile(deps.sql, user.id, deps.clock())))),
    ...(await deletionDueReplyField(deps.store, user.id)),
  })),

  'PUT /api/profile': async ({ deps, user, body }) => {
    await deps.limits.take('page', '', user.id)
    await saveProfileAndSlug(deps.sql, user.id, body)
    return withRatings(deps.sql, assertFound(await ownProfile(deps.sql, user.id, deps.clock())))
  },

  'GET /api/profile/slugs/{slug}': async ({ deps, user, params }) => {
    const wanted = Slug.safeParse(params.slug)
    const message = wanted.success ? await slugProblem(deps.sql, wanted.data, user.id) : wanted.error.issues[0]!.message
    return { available: message === null, message }
  },

  'GET /api/invite': async ({ deps, user }) => invitation(deps, await inviteCodeOf(deps.sql, user.id)),
  'POST /api/invite': async ({ deps, user }) => invitation(deps, await renewInviteCode(deps.sql, user.id)),

  'PUT /api/user/picture': async ({ deps, user, body }) => {
    await deps.limits.take('picture', '', user.id)
    const profilePicture = await setProfilePicture(deps.sql, user.id, body).catch(error => {
      if (!(error instanceof PictureQueueFullError)) throw error
      throw serviceUnavailable(error.seconds, 'Many photos are being uploaded right now. Try again in a moment.')
    })
    if (!profilePicture) throw invalidField('picture', 'We cannot read this photo. Choose a JPEG, PNG or WEBP of up to 24 megapixels.')
    return { profilePicture }
  },
  'DELETE /api/user/picture': ({ deps, user }) => removeProfilePicture(deps.sql, user.id),

  'GET /uploads/profile/{file}': async ({ deps, params }) => {
    const bytes = assertFound(await loadProfilePicture(deps.sql, params.file))
    // Every uploaded picture gets a new file name, so a response never changes and may be cached for a year.
    return new Response(new Uint8Array(bytes), {
      headers: { 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable' },
    })
  },
})
