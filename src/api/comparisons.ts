import { type Folder, folder, videosOfInstructor } from '../../modules/folders/folder.ts'
import { type CommandSource, derivedId, handle, load } from '../../modules/kernel/decider.ts'
import { mediaWork, verifiedFrameCount } from '../../modules/media/media-work.ts'
import type { ComparableClip } from '../../modules/reviews/check-review.ts'
import type { Comparison } from '../../modules/reviews/contract.ts'
import type { Deps } from './deps.ts'

const sidesOf = (comparisons: Comparison[]) => comparisons.flatMap(c => c.sides)

/** The compared clips of this player that the instructor may see. Reads the event log, because a read model may lag behind. */
export async function comparableClips(
  { store, sql }: Pick<Deps, 'store' | 'sql'>,
  { player, instructor, comparisons }: { player: string; instructor: string; comparisons: Comparison[] },
): Promise<ComparableClip[]> {
  const ids = [...new Set(sidesOf(comparisons).map(side => side.folder))]
  const states = await Promise.all(ids.map(async id => [id, await load(store, folder, id)] as const))
  const clips = states.flatMap(([id, state]: readonly [string, Folder]) =>
    state.player === player ? videosOfInstructor(state, instructor).map(v => ({ folder: id, video: v.id })) : [],
  )
  const works = await mediaWork(sql).of(clips.map(c => c.video))
  return clips.map(c => ({ ...c, frames: verifiedFrameCount(works.get(c.video)) }))
}

/**
 * Retains the compared videos of other folders before the review is delivered, so that nobody can remove them in between.
 * @throws Refused if one of them has been removed in the meantime
 */
export async function recordComparedVideos(
  { store }: Pick<Deps, 'store'>,
  { own, assignment, instructor, comparisons }: { own: string; assignment: string; instructor: string; comparisons: Comparison[] },
  by: CommandSource,
) {
  for (const { folder: of, video } of sidesOf(comparisons)) {
    if (of === own) continue
    const step = { ...by, command: derivedId(by.command, 'compare', video) }
    await handle(store, folder, of, 'compare', { video, instructor, assignment }, step)
  }
}
