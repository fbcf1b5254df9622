import { loadState } from '../../modules/kernel/decider.ts'
import { streamOf } from '../../modules/kernel/store.ts'
import { deleteRenditionJobAndFiles } from '../../modules/media/media-job-queue.ts'
import { videoUploads } from '../../modules/media/multipart-video-uploads.ts'
import { modelLibraryDecider } from '../../modules/model-clips/model-library.ts'
import { hasDeletionStarted, loadAccountPrivacyState } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { instructorIdsOfPlayer } from '../../projections/assignments.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { deleteReviewVideosOfAssignments } from './delete-review-videos-with-old-timing.ts'

type FileDeps = Pick<AppDependencies, 'sql' | 'store' | 'objects' | 'clock'>

const isGone = async (store: AppDependencies['store'], person: string) => hasDeletionStarted(await loadAccountPrivacyState(store, person))

/**
 * Whether the files of a model clip are still needed: the clip is in the library of its instructor, or in a delivered review of a player,
 * and the account of that instructor or player is not being deleted. Reads the event log, because a read model may lag.
 */
export async function isModelClipNeeded({ store }: Pick<AppDependencies, 'store'>, instructor: string, clip: string): Promise<boolean> {
  const { clips, retained } = await loadState(store, modelLibraryDecider, instructor)
  const storedClip = [...clips, ...retained].find(c => c.video.id === clip)
  if (!storedClip) return false
  if (clips.includes(storedClip) && !(await isGone(store, instructor))) return true
  for (const player of new Set(storedClip.shown.map(s => s.player))) if (!(await isGone(store, player))) return true
  return false
}

/** Deletes the files of a model clip, including its renditions. Idempotent. */
async function deleteFiles({ sql, objects, clock }: FileDeps, instructor: string, clip: string) {
  // Delete the job first, so that its worker notices that nobody needs the result.
  await deleteRenditionJobAndFiles(sql, objects, instructor, clip)
  await videoUploads(sql, objects, clock).forget(instructor, clip)
}

/**
 * Deletes the model clips of an instructor who leaves, except those that players' reviews show.
 * @returns the ids of the clips that are kept
 */
export async function deleteModelClipsOfLeavingInstructor(deps: FileDeps, instructor: string): Promise<string[]> {
  const { clips, retained } = await loadState(deps.store, modelLibraryDecider, instructor)
  const keptClips: string[] = []
  for (const { video } of [...clips, ...retained]) {
    if (await isModelClipNeeded(deps, instructor, video.id)) keptClips.push(video.id)
    else await deleteFiles(deps, instructor, video.id)
  }
  return keptClips
}

/**
 * Deletes the model clips that nobody needs anymore when this player leaves: clips that were removed from their library, or whose
 * instructor has left, and that were kept only for this player's reviews.
 */
export async function deleteModelClipsKeptForPlayer(deps: FileDeps, player: string): Promise<void> {
  for (const instructor of await instructorIdsOfPlayer(deps.sql, player)) {
    const { clips, retained } = await loadState(deps.store, modelLibraryDecider, instructor)
    for (const { video, shown } of [...clips, ...retained]) {
      if (!shown.some(s => s.player === player) || (await isModelClipNeeded(deps, instructor, video.id))) continue
      await deleteFiles(deps, instructor, video.id)
    }
  }
}

/** Errand handlers for model clips that were deleted from their library. */
export const modelClipCleanupErrandHandlers = (deps: FileDeps) => ({
  'media.forget-model-clip': async ({ instructor, clip }: { instructor: string; clip: string }) => {
    if (await isModelClipNeeded(deps, instructor, clip)) return
    await deleteFiles(deps, instructor, clip)
    // The videos of reviews that show the clip are made again on request, without it.
    const shown = (await deps.store.read(streamOf(modelLibraryDecider.stream, instructor))).flatMap(e => {
      const fields = e.data as { clip?: string; assignment?: string }
      return e.type === 'ModelClipShown' && fields.clip === clip ? [fields.assignment!] : []
    })
    await deleteReviewVideosOfAssignments(deps, shown)
  },
})
