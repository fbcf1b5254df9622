import type { ComparableSession, Video } from '../../modules/folders/contract.ts'
import type { Checkpoint } from '../../modules/reviews/contract.ts'

/** What a review says about the disciplines of its clips. */
export interface ReviewedSkills {
  checkpoints?: readonly Checkpoint[] | undefined
  grades?: ComparableSession['grades'] | undefined
}

/**
 * The disciplines that a clip shows, according to the reviews: those of the positions set on it, or else the only one that the review
 * grades. Empty if no review says it.
 */
export function skillsOfClip({ id }: Pick<Video, 'id'>, { checkpoints = [], grades = [] }: ReviewedSkills): Set<string> {
  const set = new Set<string>(checkpoints.filter(c => c.video === id).map(c => c.skill))
  const graded = new Set<string>(grades.map(g => g.skill))
  return set.size || graded.size !== 1 ? set : graded
}

/** Whether two clips may show the same movement. False only if the disciplines of both are known and have nothing in common. */
export const areSkillsComparable = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  !one.size || !other.size || [...one].some(skill => other.has(skill))
