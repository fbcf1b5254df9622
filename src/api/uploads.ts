import {
  assertRoomForVideo,
  assertVideoReplaceable,
  type FolderState,
  folderDecider,
  hasOrHadVideo,
  type StoredVideo,
} from '../../modules/folders/folder.ts'
import { type CommandSource, handleCommand } from '../../modules/kernel/decider.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { isMediaJobRefused, mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { type StoredUpload, UPLOAD_CANCELED_MESSAGE, uploadPartCount, videoUploads } from '../../modules/media/multipart-video-uploads.ts'
import { posterKey, videoKey } from '../../modules/media/object-keys.ts'
import { MAX_DECLARED_VIDEO_HOURS, TRANSFER_URL_SECONDS } from '../../modules/media/policy.ts'
import { UnplayableFileError } from '../../modules/media/unplayable-file-error.ts'
import type { NewModelClip } from '../../modules/model-clips/contract.ts'
import { assertRoomForModelClip, hasOrHadClip, modelLibraryDecider } from '../../modules/model-clips/model-library.ts'
import { MODEL_CLIP_RIGHTS_STATEMENT } from '../../modules/model-clips/policy.ts'
import { uploadsContract as contract } from '../../modules/uploads/contract.ts'
import { loadOwnFolder, loadOwnModelLibrary } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { assertFound, invalidField, notFound, Problem } from './problem.ts'
import { commandReply, type RequestContext, routesOfContract } from './routing.ts'

const uploadsOf = (deps: AppDependencies) => videoUploads(deps.sql, deps.objects, deps.clock)

/**
 * A checked upload cannot be discarded until this long after the last attempt to complete it. By then, that attempt has either added the
 * video to the event log or failed.
 */
const COMPLETION_GRACE_MS = 15_000

const uploadForOwner = async (deps: AppDependencies, u: StoredUpload) => {
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
    parts: uploadPartCount(u),
    partBytes,
    arrived: await uploadsOf(deps).arrivedParts(u),
    started,
  }
}

/**
 * Returns a video's length in ms: the one that the browser measured (at most `MAX_DECLARED_VIDEO_HOURS`), because playback uses it; or the
 * one that the file states (`said`), if the two differ by more than a second or the browser measured 0 because it cannot play the file.
 */
const lengthOf = (measured: number, said: number | null) =>
  said !== null && (measured === 0 || Math.abs(said - measured) > 1000) ? said : Math.min(measured, MAX_DECLARED_VIDEO_HOURS * 3600_000)

type CallContext = Pick<RequestContext, 'user' | 'deps'>

/** What an upload is for: a folder of the calling player, or the library of the calling instructor. */
interface Destination {
  /** Whether the destination has this video or ever had it. */
  knows(video: string): boolean
  /**
   * Returns a check that throws CommandRefused if the destination cannot take another video besides the `coming` uploads in progress, or a
   * replacement for the video `replaces`.
   */
  room(replaces?: string): Promise<(coming: number) => void>
}

/** The destination with this id, according to the event log. @throws Problem 404 unless it is the caller's */
async function ownDestination(ctx: CallContext, id: string): Promise<Destination> {
  if (ctx.user!.role === 'instructor') {
    const library = await loadOwnModelLibrary(ctx, id)
    return {
      knows: video => hasOrHadClip(library, video),
      room: async replaces => {
        if (replaces) throw notFound()
        return coming => assertRoomForModelClip(library, coming)
      },
    }
  }
  const state = await loadOwnFolder(ctx, id)
  return {
    knows: video => hasOrHadVideo(state, video),
    room: replaces => roomCheck(ctx.deps, state, replaces),
  }
}

const isVideoWithIdRefused = async ({ sql }: AppDependencies, video: string) =>
  isMediaJobRefused((await mediaJobQueue(sql).of([video])).get(video))

/** Returns a check that throws CommandRefused if the folder cannot take another video, or a replacement for the video `replaces`. */
async function roomCheck(deps: AppDependencies, state: FolderState, replaces?: string) {
  if (!replaces) return (coming: number) => assertRoomForVideo(state, coming)
  const isRefused = await isVideoWithIdRefused(deps, replaces)
  return () => assertVideoReplaceable(state, replaces, isRefused)
}

/** Adds an uploaded video to an instructor's library, with the instructor's description of it and the rights statement they confirmed. */
const addModelClip = (
  deps: AppDependencies,
  instructor: string,
  video: StoredVideo,
  { rightsConfirmed: _, ...details }: NewModelClip,
  by: CommandSource,
) => handleCommand(deps.store, modelLibraryDecider, instructor, 'add', { video, ...details, statement: MODEL_CLIP_RIGHTS_STATEMENT }, by)

/** The caller's upload with this id. Another tab or device may have canceled it. @throws Problem 404, which says so */
async function uploadToContinue({ deps, user }: CallContext, id: string) {
  const upload = await uploadsOf(deps).find(id, user!.id)
  if (!upload) throw notFound(UPLOAD_CANCELED_MESSAGE)
  return upload
}

export const uploadRoutes = routesOfContract(contract, {
  'POST /api/uploads': async ctx => {
    const destination = await ownDestination(ctx, ctx.body.folder)
    await ctx.deps.limits.take('upload', ctx.address, ctx.user.id)
    const declared = { ...ctx.body, player: ctx.user.id }
    return uploadForOwner(ctx.deps, await uploadsOf(ctx.deps).start(declared, await destination.room(ctx.body.replaces)))
  },

  'GET /api/uploads': async ctx => {
    const destination = await ownDestination(ctx, ctx.query.folder)
    const unfinished = await uploadsOf(ctx.deps).unfinished(ctx.query.folder)
    const coming = unfinished.filter(u => !destination.knows(u.id))
    return { uploads: await Promise.all(coming.map(u => uploadForOwner(ctx.deps, u))) }
  },

  'GET /api/uploads/{upload}': async ({ deps, user, params }) =>
    uploadForOwner(deps, assertFound(await uploadsOf(deps).find(params.upload, user.id))),

  'POST /api/uploads/{upload}/sign': async ctx => {
    const { deps, body } = ctx
    const upload = await uploadToContinue(ctx, ctx.params.upload)
    if (upload.status !== 'uploading') throw new CommandRefused('This upload is already complete.', 'arrived')
    const expires = new Date(Date.now() + TRANSFER_URL_SECONDS * 1000).toISOString()
    return { parts: await uploadsOf(deps).sign(upload, [...new Set(body.numbers)]), expires }
  },

  'POST /api/uploads/{upload}/poster': async ctx => {
    const { deps, body } = ctx
    const upload = await uploadToContinue(ctx, ctx.params.upload)
    if (upload.status !== 'uploading') throw new CommandRefused('This upload is already complete.', 'arrived')
    return { url: await uploadsOf(deps).signPoster(upload, body.bytes) }
  },

  'POST /api/uploads/{upload}/complete': async ctx => {
    const { deps, user, params, body, by } = ctx
    await uploadToContinue(ctx, params.upload)
    const { width, height, milliseconds, modelClip, ...more } = body
    if (user.role === 'instructor' && !modelClip) throw invalidField('modelClip', 'Say what the clip shows.')
    try {
      const { position } = await uploadsOf(deps).complete(params.upload, user.id, more, async u => {
        const { id, name, type, bytes } = u
        const video = {
          id,
          name,
          type,
          bytes,
          width,
          height,
          milliseconds: lengthOf(milliseconds, u.milliseconds),
          key: videoKey(u.folder, id),
          poster: u.poster ? posterKey(u.folder, id) : null,
        }
        if (user.role === 'instructor') return addModelClip(deps, u.folder, video, modelClip!, by)
        if (u.replaces) {
          const isRefused = await isVideoWithIdRefused(deps, u.replaces)
          return handleCommand(deps.store, folderDecider, u.folder, 'replaceVideo', { video: u.replaces, by: video, isRefused }, by)
        }
        return handleCommand(deps.store, folderDecider, u.folder, 'addVideo', { video }, by)
      })
      return commandReply(position, { video: params.upload })
    } catch (error) {
      if (!(error instanceof UnplayableFileError)) throw error
      throw new Problem(422, error.message, error.code, { errors: [{ field: 'file', message: error.message }] })
    }
  },

  'DELETE /api/uploads/{upload}': async ctx => {
    const { deps, user, params } = ctx
    const upload = assertFound(await uploadsOf(deps).find(params.upload, user.id))
    if (upload.status === 'uploading') {
      if (await uploadsOf(deps).discard(upload.id, ['uploading'])) return
    } else if (!(await ownDestination(ctx, upload.folder)).knows(upload.id)) {
      const settled = new Date(deps.clock().getTime() - COMPLETION_GRACE_MS)
      if (await uploadsOf(deps).discard(upload.id, ['checked'], settled)) return
      throw new CommandRefused('This video is being added to its folder. Try again in a moment.', 'in-progress')
    }
    throw new CommandRefused('This video is in its folder now. Remove it there.', 'arrived')
  },
})
