import type { ComparableSession, Video } from '../../modules/folders/contract.ts'
import type { Checkpoint } from '../../modules/reviews/contract.ts'

/** What a review knows of the disciplines of its clips. */
export interface ReviewedSkills {
  checkpoints?: readonly Checkpoint[] | undefined
  grades?: ComparableSession['grades'] | undefined
}

/**
 * The disciplines that a clip shows, as far as reviews tell: those of the positions set on it, else the only one that the review grades.
 * Empty where nobody has said it.
 */
export function skillsOfClip({ id }: Pick<Video, 'id'>, { checkpoints = [], grades = [] }: ReviewedSkills): Set<string> {
  const set = new Set<string>(checkpoints.filter(c => c.video === id).map(c => c.skill))
  const graded = new Set<string>(grades.map(g => g.skill))
  return set.size || graded.size !== 1 ? set : graded
}

/** Whether two clips may show the same movement: not where both are known and have no discipline in common. */
export const mayCompare = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  !one.size || !other.size || [...one].some(skill => other.has(skill))
