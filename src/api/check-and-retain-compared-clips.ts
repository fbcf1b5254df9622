import { type FolderState, folderDecider, videosFromSessionsWithInstructor } from '../../modules/folders/folder.ts'
import { type CommandSource, derivedId, handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { frameCountOfReadyMediaJob, mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { modelLibraryDecider } from '../../modules/model-clips/model-library.ts'
import type { ComparableClip } from '../../modules/reviews/assert-review-valid.ts'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { skillsReviewedOnClip } from '../../modules/reviews/policy.ts'
import type { AppDependencies } from './app-dependencies.ts'

interface ReviewToDeliver {
  /** The folder of the reviewed session. */
  folder: string
  assignment: string
  player: string
  instructor: string
  comparisons: Comparison[]
}

const sidesOf = (comparisons: Comparison[]) => comparisons.flatMap(c => c.sides)

/** The skills that a clip shows, according to the last review of it that this instructor delivered; undefined if there is none. */
function reviewedSkills({ sessions }: FolderState, video: string, instructor: string) {
  const last = sessions.findLast(s => s.review && s.instructor === instructor && s.videos.some(v => v.id === video))
  return last && skillsReviewedOnClip({ id: video }, last.review!)
}

/**
 * Returns the clips that the instructor may show to this player, from all folders that the comparisons use: the player's videos that the
 * instructor has access to, and, if a model clip is compared, the instructor's whole library. Reads the event log, because a read model may
 * lag behind.
 */
export async function permittedComparedClips(
  { store, sql }: Pick<AppDependencies, 'store' | 'sql'>,
  { player, instructor, comparisons }: { player: string; instructor: string; comparisons: Comparison[] },
): Promise<ComparableClip[]> {
  const ids = [...new Set(sidesOf(comparisons).map(side => side.folder))]
  const folders = ids.filter(id => id !== instructor)
  const states = await Promise.all(folders.map(async id => [id, await loadState(store, folderDecider, id)] as const))
  const models = ids.includes(instructor) ? (await loadState(store, modelLibraryDecider, instructor)).clips : []
  const clips = [
    ...states.flatMap(([id, state]: readonly [string, FolderState]) =>
      state.player === player
        ? videosFromSessionsWithInstructor(state, instructor).map(v => ({
            folder: id,
            video: v.id,
            skills: reviewedSkills(state, v.id, instructor),
          }))
        : [],
    ),
    ...models.map(c => ({ folder: instructor, video: c.video.id, skills: new Set([c.skill]) })),
  ]
  const jobs = await mediaJobQueue(sql).of(clips.map(c => c.video))
  return clips.map(c => ({ ...c, frames: frameCountOfReadyMediaJob(jobs.get(c.video)) }))
}

/**
 * Retains the model clips and the compared videos of other folders, so that nobody can remove them before the review is delivered.
 * @throws CommandRefused if one of them has already been removed
 */
export async function retainComparedVideos(
  { store }: Pick<AppDependencies, 'store'>,
  { folder: reviewedFolder, assignment, player, instructor, comparisons }: ReviewToDeliver,
  by: CommandSource,
) {
  for (const { folder, video } of sidesOf(comparisons)) {
    if (folder === reviewedFolder) continue
    const step = { ...by, command: derivedId(by.command, 'compare', video) }
    if (folder === instructor) {
      await handleCommand(store, modelLibraryDecider, instructor, 'show', { clip: video, assignment, player }, step)
      continue
    }
    await handleCommand(store, folderDecider, folder, 'compare', { video, instructor, assignment }, step)
  }
}
