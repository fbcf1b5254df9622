import { type FolderState, folderDecider, videosOfInstructor } from '../../modules/folders/folder.ts'
import { type CommandSource, derivedId, handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { mediaWorkQueue, verifiedFrameCount } from '../../modules/media/media-work.ts'
import { modelLibraryDecider } from '../../modules/model-clips/model-library.ts'
import type { ComparableClip } from '../../modules/reviews/check-review.ts'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { skillsOfClip } from '../../modules/reviews/policy.ts'
import type { ApiDependencies } from './dependencies.ts'

/** A review that is about to be delivered. `own`: the folder to which the reviewed session belongs. */
interface ComparingReview {
  own: string
  assignment: string
  player: string
  instructor: string
  comparisons: Comparison[]
}

const sidesOf = (comparisons: Comparison[]) => comparisons.flatMap(c => c.sides)

/** The disciplines that a clip shows, according to the last review that this instructor delivered about it. */
function reviewedSkills({ sessions }: FolderState, video: string, instructor: string) {
  const last = sessions.findLast(s => s.review && s.instructor === instructor && s.videos.some(v => v.id === video))
  return last && skillsOfClip({ id: video }, last.review!)
}

/**
 * The compared clips that the instructor may show this player: the player's own that the instructor may see, and model clips of the
 * instructor's library. Reads the event log, because a read model may lag behind.
 */
export async function comparableClips(
  { store, sql }: Pick<ApiDependencies, 'store' | 'sql'>,
  { player, instructor, comparisons }: { player: string; instructor: string; comparisons: Comparison[] },
): Promise<ComparableClip[]> {
  const ids = [...new Set(sidesOf(comparisons).map(side => side.folder))]
  const folders = ids.filter(id => id !== instructor)
  const states = await Promise.all(folders.map(async id => [id, await loadState(store, folderDecider, id)] as const))
  const models = ids.includes(instructor) ? (await loadState(store, modelLibraryDecider, instructor)).clips : []
  const clips = [
    ...states.flatMap(([id, state]: readonly [string, FolderState]) =>
      state.player === player
        ? videosOfInstructor(state, instructor).map(v => ({
            ...{ folder: id, video: v.id },
            skills: reviewedSkills(state, v.id, instructor),
          }))
        : [],
    ),
    ...models.map(c => ({ folder: instructor, video: c.video.id, skills: new Set([c.skill]) })),
  ]
  const works = await mediaWorkQueue(sql).of(clips.map(c => c.video))
  return clips.map(c => ({ ...c, frames: verifiedFrameCount(works.get(c.video)) }))
}

/**
 * Retains the compared videos of other folders, and the model clips, before the review is delivered, so that nobody can remove them in
 * between.
 * @throws CommandRefused if one of them has been removed in the meantime
 */
export async function retainComparedVideos(
  { store }: Pick<ApiDependencies, 'store'>,
  { own, assignment, player, instructor, comparisons }: ComparingReview,
  by: CommandSource,
) {
  for (const { folder: of, video } of sidesOf(comparisons)) {
    if (of === own) continue
    const step = { ...by, command: derivedId(by.command, 'compare', video) }
    if (of === instructor) {
      await handleCommand(store, modelLibraryDecider, instructor, 'show', { clip: video, assignment, player }, step)
      continue
    }
    await handleCommand(store, folderDecider, of, 'compare', { video, instructor, assignment }, step)
  }
}
