import { mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { assignmentIdsShowingVideo } from '../../projections/assignments.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { assertReadModelsReachedPosition } from './assert-read-models-reached-position.ts'

/** Deletes the review videos of these assignments, and the jobs that make them. They are made again on request. Idempotent. */
export async function deleteReviewVideosOfAssignments(
  { sql, objects }: Pick<AppDependencies, 'sql' | 'objects'>,
  assignments: string[],
): Promise<void> {
  const work = mediaJobQueue(sql)
  for (const { video, key } of (await work.of(assignments, 'review')).values()) {
    await work.forget(video, 'review')
    await objects.remove(key)
  }
}

/** Errand handlers for review videos that are outdated because the capture rate of one of their clips was corrected. */
export const outdatedReviewVideoErrandHandlers = (deps: Pick<AppDependencies, 'sql' | 'objects' | 'readModels'>) => ({
  'media.forget-review-videos': async ({ folder, video, position }: { folder: string; video: string; position: string }) => {
    // A video that is requested after this must be made with the new timing, which the worker reads from these read models.
    await assertReadModelsReachedPosition(deps.readModels, ['folders', 'assignments'], position)
    await deleteReviewVideosOfAssignments(deps, await assignmentIdsShowingVideo(deps.sql, { folder, video }))
  },
})
