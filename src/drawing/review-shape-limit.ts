import type { Draft } from '../../modules/folders/contract.ts'
import { MAX_SHAPES_PER_REVIEW } from '../../modules/reviews/policy.ts'

/**
 * The message for a review that has the maximum number of drawings, otherwise undefined. Drawings of notes, voice-overs and comparisons
 * count together with those of a recording in progress, which are not in the draft yet.
 */
export function reviewShapeLimitMessage({ notes, voices = [], comparisons = [] }: Draft, shapesOfRecording = 0): string | undefined {
  const drawn = [...notes, ...voices, ...comparisons.flatMap(c => c.sides)].reduce(
    (sum, { shapes = [] }) => sum + shapes.length,
    shapesOfRecording,
  )
  return drawn >= MAX_SHAPES_PER_REVIEW ? `A review has at most ${MAX_SHAPES_PER_REVIEW} drawings.` : undefined
}
