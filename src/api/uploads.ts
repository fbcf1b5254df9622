import { uploadsContract as contract } from '../../modules/folders/contract.ts'
import { assertReplaceable, assertRoomForVideo, type Folder, folder } from '../../modules/folders/folder.ts'
import { handle, load } from '../../modules/kernel/decider.ts'
import { Refused } from '../../modules/kernel/store.ts'
import { isRefused, mediaWork } from '../../modules/media/media-work.ts'
import { posterKey, videoKey } from '../../modules/media/object-keys.ts'
import { MAX_DECLARED_HOURS, PUT_URL_SECONDS } from '../../modules/media/policy.ts'
import { partCount, type Upload, uploads } from '../../modules/media/uploads.ts'
import { UnplayableFile } from '../../modules/media/windowed-source.ts'
import { ownFolder } from './access.ts'
import type { Deps } from './deps.ts'
import { assertFound, Problem } from './problem.ts'
import { commandReply, serve } from './route.ts'

const moving = (deps: Deps) => uploads(deps.sql, deps.objects, deps.clock)

/** How long, in ms, a request may still be running between the last check of an upload and the recording of its video. */
const COMPLETION_GRACE_MS = 15_000

const shown = async (deps: Deps, u: Upload) => {
  const { id, name, bytes, fingerprint, partBytes, started } = u
  const type = u.type as 'video/mp4'
  return {
    id,
    folder: u.folder,
    replaces: u.replaces,
    name,
    type,
    bytes,
    fingerprint,
    parts: partCount(u),
    partBytes,
    arrived: await moving(deps).arrived(u),
    started,
  }
}

/** The length that the browser measured, because its player uses it; the file's own if the two differ by more than a second. */
const lengthOf = (measured: number, said: number | null) =>
  said !== null && Math.abs(said - measured) > 1000 ? said : Math.min(measured, MAX_DECLARED_HOURS * 3600_000)

/** Whether this video is, or ever was, in this folder, according to the event log. */
const known = async ({ store }: Deps, u: Pick<Upload, 'folder' | 'id'>) => {
  const { videos, removed } = await load(store, folder, u.folder)
  return videos.some(v => v.id === u.id) || removed.includes(u.id)
}

const isSeenByNobody = async ({ sql }: Deps, video: string) => {
  const work = (await mediaWork(sql).of([video])).get(video)
  return !!work && isRefused(work)
}

/** Returns a check that throws Refused if the folder cannot take another video, or one that replaces another. */
async function room(deps: Deps, state: Folder, replaces?: string) {
  if (!replaces) return (coming: number) => assertRoomForVideo(state, coming)
  const unseen = await isSeenByNobody(deps, replaces)
  return () => assertReplaceable(state, replaces, unseen)
}

export const uploadRoutes = serve(contract, {
  'POST /api/uploads': async ctx => {
    const state = await ownFolder(ctx, ctx.body.folder)
    await ctx.deps.limits.take('upload', ctx.address, ctx.user.id)
    const declared = { ...ctx.body, player: ctx.user.id }
    return shown(ctx.deps, await moving(ctx.deps).start(declared, await room(ctx.deps, state, ctx.body.replaces)))
  },

  'GET /api/uploads': async ctx => {
    const { videos, removed } = await ownFolder(ctx, ctx.query.folder)
    const unfinished = await moving(ctx.deps).unfinished(ctx.query.folder)
    const coming = unfinished.filter(u => !videos.some(v => v.id === u.id) && !removed.includes(u.id))
    return { uploads: await Promise.all(coming.map(u => shown(ctx.deps, u))) }
  },

  'GET /api/uploads/{upload}': async ({ deps, user, params }) => shown(deps, assertFound(await moving(deps).find(params.upload, user.id))),

  'POST /api/uploads/{upload}/sign': async ({ deps, user, params, body }) => {
    const upload = assertFound(await moving(deps).find(params.upload, user.id))
    if (upload.status !== 'uploading') throw new Refused('All of this upload has arrived.', 'arrived')
    const expires = new Date(Date.now() + PUT_URL_SECONDS * 1000).toISOString()
    return { parts: await moving(deps).sign(upload, [...new Set(body.numbers)]), expires }
  },

  'POST /api/uploads/{upload}/poster': async ({ deps, user, params, body }) => {
    const upload = assertFound(await moving(deps).find(params.upload, user.id))
    if (upload.status !== 'uploading') throw new Refused('All of this upload has arrived.', 'arrived')
    return { url: await moving(deps).signPoster(upload, body.bytes) }
  },

  'POST /api/uploads/{upload}/complete': async ({ deps, user, params, body, by }) => {
    assertFound(await moving(deps).find(params.upload, user.id))
    const { width, height, milliseconds, ...more } = body
    try {
      const { position } = await moving(deps).complete(params.upload, user.id, more, async u => {
        const { id, name, type, bytes } = u
        const video = {
          ...{ id, name, type, bytes, width, height, milliseconds: lengthOf(milliseconds, u.milliseconds) },
          ...{ key: videoKey(u.folder, id), poster: u.poster ? posterKey(u.folder, id) : null },
        }
        if (u.replaces) {
          const unseen = await isSeenByNobody(deps, u.replaces)
          return handle(deps.store, folder, u.folder, 'replaceVideo', { video: u.replaces, by: video, unseen }, by)
        }
        return handle(deps.store, folder, u.folder, 'addVideo', { video }, by)
      })
      return commandReply(position, { video: params.upload })
    } catch (error) {
      if (!(error instanceof UnplayableFile)) throw error
      throw new Problem(422, error.message, error.code, { errors: [{ field: 'file', message: error.message }] })
    }
  },

  'DELETE /api/uploads/{upload}': async ({ deps, user, params }) => {
    const upload = assertFound(await moving(deps).find(params.upload, user.id))
    if (upload.status === 'uploading') {
      if (await moving(deps).discard(upload.id, ['uploading'])) return
    } else if (!(await known(deps, upload))) {
      const settled = new Date(deps.clock().getTime() - COMPLETION_GRACE_MS)
      if (await moving(deps).discard(upload.id, ['checked'], settled)) return
      throw new Refused('This video is just coming into its folder. Give it a moment.', 'in-progress')
    }
    throw new Refused('This video is in its folder now. Remove it there.', 'arrived')
  },
})
