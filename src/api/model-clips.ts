import { handleCommand } from '../../modules/kernel/decider.ts'
import { modelClipsContract as contract } from '../../modules/model-clips/contract.ts'
import { hasOrHadClip, modelLibraryDecider } from '../../modules/model-clips/model-library.ts'
import { modelClipsOf, type StoredModelClip } from '../../projections/model-libraries.ts'
import { loadOwnModelLibrary } from './access.ts'
import { presentClips } from './clip-presenter.ts'
import { assertFound } from './problem.ts'
import { commandReply, type RequestContext, routesOfContract, withCaughtUpReadModels } from './routing.ts'

/** Makes sure that the calling instructor owns this clip, or did before it was deleted. @throws Problem 404 */
async function assertOwnClip(ctx: Pick<RequestContext, 'user' | 'deps'>, clip: string) {
  assertFound(hasOrHadClip(await loadOwnModelLibrary(ctx, ctx.user!.id), clip))
}

export const modelClipRoutes = routesOfContract(contract, {
  'GET /api/model-clips': withCaughtUpReadModels(['model_libraries'], async ({ deps, user }) => {
    const present = async (rows: StoredModelClip[]) => {
      const named = rows.map(row => ({ ...row.video, name: row.title }))
      const videos = await presentClips(deps, named, 'instructor')
      return rows.map(({ video: _, isRemoved: __, ...row }, i) => ({ ...row, video: videos[i]! }))
    }
    const rows = await modelClipsOf(deps.sql, user.id)
    return {
      library: user.id,
      clips: await present(rows.filter(row => !row.isRemoved)),
      retained: await present(rows.filter(row => row.isRemoved)),
    }
  }),
  'PUT /api/model-clips/{clip}': async ctx => {
    const { deps, user, params, body, by } = ctx
    await assertOwnClip(ctx, params.clip)
    await deps.limits.take('change', '', user.id)
    const { position } = await handleCommand(deps.store, modelLibraryDecider, user.id, 'describe', { clip: params.clip, ...body }, by)
    return commandReply(position)
  },
  'DELETE /api/model-clips/{clip}': async ctx => {
    const { deps, user, params, query, by } = ctx
    await assertOwnClip(ctx, params.clip)
    const everywhere = query.everywhere === 'true'
    const { position } = await handleCommand(deps.store, modelLibraryDecider, user.id, 'remove', { clip: params.clip, everywhere }, by)
    return commandReply(position)
  },
})
