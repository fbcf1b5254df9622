import { join } from 'node:path'
import { CommandRefused } from '../../modules/kernel/store.ts'
import type { VideoProperties } from '../../modules/media/contract.ts'
import type { FrameTable } from '../../modules/media/frames.ts'
import { type ReviewVideoScriptAndSourceFiles, SourceFilesPendingError } from '../../modules/media/media-job-handler.ts'
import { isMediaJobUnderWay, type MediaJob, mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { convertedVoiceKey, frameTableKey, renditionKey, reviewVideoKey } from '../../modules/media/object-keys.ts'
import { MediaRefusal } from '../../modules/media/preparation-process/media-refusal.ts'
import { readStoredFrameTable } from '../../modules/media/read-stored-frame-table.ts'
import { type ReviewVideoStatus, reviewVideosContract } from '../../modules/review-videos/contract.ts'
import { MAX_REVIEW_VIDEO_MINUTES } from '../../modules/sharing/policy.ts'
import { type SessionRow, sessionsOfFolderOrPlayer } from '../../projections/assignments.ts'
import { folderOf } from '../../projections/folders.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import type { ReviewVideoInput } from '../review-video/review-video-input.ts'
import { reviewVideoDurationMs, reviewVideoFrameRate, reviewVideoSize } from '../review-video/review-video-size-and-frame-rate.ts'
import { childWithPastConsent, readableSessions } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { findDeliveredSessionForGuests, hasDeliveredStatus } from './delivered-session-for-guests.ts'
import { assertFound } from './problem.ts'
import { routesOfContract, withCaughtUpReadModels } from './routing.ts'
import { loadDeliveredSessionOfPlayer, loadSharedReviewReference, SHARING_READ_MODELS } from './sharing.ts'

const SOURCE_ROOT = join(import.meta.dirname, '..')

const NOBODY_ASKED: ReviewVideoStatus = { state: 'none', progress: 0, url: null, bytes: null }
type DeliveredSession = Pick<SessionRow, 'id' | 'folder'>

/** The current state of the video of a session's review. */
async function videoOf({ sql, objects }: AppDependencies, { id }: Pick<DeliveredSession, 'id'>): Promise<ReviewVideoStatus> {
  const work = (await mediaJobQueue(sql).of([id], 'review')).get(id)
  if (!work) return NOBODY_ASKED
  if (work.state === 'refused') return { ...NOBODY_ASKED, state: 'failed' }
  if (work.state !== 'ready') return { ...NOBODY_ASKED, state: work.state, progress: work.progress }
  const { bytes } = (work.made as unknown as { review: { bytes: number } }).review
  return { state: 'ready', progress: 1, bytes, url: await objects.signDownload(work.key, `Review ${work.asked.slice(0, 10)}.mp4`) }
}

/** Predicted properties of the video. The job queue uses them to separate short jobs from long ones, and to set a time limit. */
function plannedMedia(session: ReviewedSession): VideoProperties {
  const milliseconds = Math.ceil(reviewVideoDurationMs(session))
  const frameRate = reviewVideoFrameRate(session)
  return {
    ...reviewVideoSize(session),
    container: 'mp4',
    codec: 'avc',
    rotation: 0,
    milliseconds,
    frames: Math.ceil((milliseconds * frameRate) / 1000),
    rate: [frameRate, 1],
    variable: false,
    hdr: false,
    sound: true,
    captureRate: null,
  }
}

const hasReview = (session: { review: unknown }): session is ReviewedSession => session.review !== null

/** Requests the video unless it exists or is being made. @throws Problem 404, CommandRefused if it would be too long */
async function makeVideo(deps: AppDependencies, { id, folder }: DeliveredSession, account: string): Promise<ReviewVideoStatus> {
  await deps.limits.take('review-video', '', account)
  const { row, session } = assertFound(await findDeliveredSessionForGuests(deps, folder, id))
  const media = plannedMedia(assertFound(hasReview(session) && session))
  if (media.milliseconds > MAX_REVIEW_VIDEO_MINUTES * 60_000)
    throw new CommandRefused(`This review is too long for one video: at most ${MAX_REVIEW_VIDEO_MINUTES} minutes.`, 'review-too-long')
  const work = mediaJobQueue(deps.sql)
  if ((await videoOf(deps, { id })).state === 'failed') await work.forget(id, 'review')
  const key = reviewVideoKey(folder, id)
  await work.add({ kind: 'review', video: id, folder, player: row.player.id, key, type: 'video/mp4', bytes: 0, media })
  return videoOf(deps, { id })
}

type FolderContext = { deps: AppDependencies; user: { id: string; role: string }; params: { folder: string }; query: { session: string } }

/** A delivered session that the caller may read. @throws Problem 404 */
async function readableSession({ deps, user, params, query }: FolderContext): Promise<SessionRow> {
  const [there, all] = await Promise.all([folderOf(deps.sql, params.folder), sessionsOfFolderOrPlayer(deps.sql, 'folder', params.folder)])
  const { sessions } = readableSessions(user, there, all)
  return assertFound(sessions.find(s => s.id === query.session && hasDeliveredStatus(s)))
}

export const reviewVideoRoutes = routesOfContract(reviewVideosContract, {
  'GET /api/folders/{folder}/review-video': withCaughtUpReadModels(SHARING_READ_MODELS, async ctx =>
    videoOf(ctx.deps, await readableSession(ctx)),
  ),
  'POST /api/folders/{folder}/review-video': withCaughtUpReadModels(SHARING_READ_MODELS, async ctx =>
    makeVideo(ctx.deps, await readableSession(ctx), ctx.user.id),
  ),
  'GET /api/family/children/{child}/reviews/{assignment}/video': withCaughtUpReadModels(SHARING_READ_MODELS, async ctx => {
    const child = await childWithPastConsent(ctx, ctx.params.child)
    return videoOf(ctx.deps, await loadDeliveredSessionOfPlayer(ctx.deps, child.id, ctx.params.assignment))
  }),
  'POST /api/family/children/{child}/reviews/{assignment}/video': withCaughtUpReadModels(SHARING_READ_MODELS, async ctx => {
    const child = await childWithPastConsent(ctx, ctx.params.child)
    return makeVideo(ctx.deps, await loadDeliveredSessionOfPlayer(ctx.deps, child.id, ctx.params.assignment), ctx.guardian.id)
  }),
  'GET /api/shared/{token}/video': withCaughtUpReadModels(SHARING_READ_MODELS, async ({ deps, params, address }) => {
    await deps.limits.take('shared', address)
    const { session } = await loadSharedReviewReference(deps, params.token)
    return videoOf(deps, { id: session })
  }),
})

/** Tells the media worker how to make the video of a review, and from which files. */
export const reviewVideoScriptAndSourceFiles = (deps: AppDependencies): ReviewVideoScriptAndSourceFiles => ({
  entry: join(SOURCE_ROOT, 'review-video/main.ts'),
  // Includes the system's fonts, if any, because captions may use characters that the font Archivo lacks.
  readable: [SOURCE_ROOT, '/usr/share/fonts'],
  filesOf: work => filesOfReview(deps, work),
})

/** @throws SourceFilesPendingError while a source is not ready, MediaRefusal if the video cannot be made */
async function filesOfReview(deps: AppDependencies, { folder, video: id }: MediaJob) {
  const { objects } = deps
  const guestView = await findDeliveredSessionForGuests(deps, folder, id)
  if (!guestView || !hasReview(guestView.session)) throw new MediaRefusal('lost')
  const { session } = guestView
  const clips = [...session.clips.map(clip => ({ clip, of: folder })), ...session.compared.map(clip => ({ clip, of: clip.folder.id }))]
  const voices = session.review.voices ?? []
  const [prepared, spoken] = await Promise.all([
    mediaJobQueue(deps.sql).of(clips.map(c => c.clip.id)),
    mediaJobQueue(deps.sql).of(
      voices.map(v => v.id),
      'voice',
    ),
  ])
  const awaited = [...prepared.values(), ...spoken.values()].some(isMediaJobUnderWay)
  if (awaited || clips.some(c => !prepared.has(c.clip.id))) throw new SourceFilesPendingError()
  const shown = clips.filter(c => prepared.get(c.clip.id)!.state === 'ready')
  const heard = voices.filter(({ id: voice }) => spoken.get(voice)?.state === 'ready')
  const source = async (key: string, file: string) => {
    const head = await objects.head(key)
    if (!head) throw new MediaRefusal('lost', key)
    return { url: await objects.signFetch(key), file, bytes: head.bytes }
  }
  const frameTableOf = async (folder: string, video: string): Promise<FrameTable> => {
    const table = await readStoredFrameTable(objects, folder, video)
    if (!table) throw new MediaRefusal('lost', frameTableKey(folder, video))
    return table
  }
  const isShown = ({ id: video }: { id: string }) => shown.some(c => c.clip.id === video)
  const input: ReviewVideoInput = {
    session: { review: session.review, clips: session.clips.filter(isShown), compared: session.compared.filter(isShown) },
    clips: await Promise.all(
      shown.map(async ({ clip, of }, i) => ({ video: clip.id, file: `clip-${i}`, table: await frameTableOf(of, clip.id) })),
    ),
    voices: heard.map((voice, i) => ({ id: voice.id, file: `voice-${i}` })),
  }
  const sources = await Promise.all([
    ...shown.map(({ clip, of }, i) => source(renditionKey(of, clip.id), `clip-${i}`)),
    ...heard.map((voice, i) => source(convertedVoiceKey(id, voice.id), `voice-${i}`)),
  ])
  return { sources, job: JSON.stringify(input) }
}
