import type { Draft } from '../../modules/folders/contract.ts'
import { SHAPES_PER_REVIEW } from '../../modules/reviews/policy.ts'

/** Why nothing more can be drawn in a review, where that is so: drawings of its notes, voices and comparisons count together. */
export function tooMany({ notes, voices = [], comparisons = [] }: Draft): string | undefined {
  const drawn = [...notes, ...voices, ...comparisons.flatMap(c => c.sides)].reduce((sum, { shapes = [] }) => sum + shapes.length, 0)
  return drawn >= SHAPES_PER_REVIEW ? `A review has at most ${SHAPES_PER_REVIEW} drawings.` : undefined
}
