import type { Comparison, Shape } from '../../modules/reviews/contract.ts'
import { mirrorPoints } from '../drawing/point-encoding-and-simplification.ts'
import { isTextOrStopwatchShape } from '../drawing/shape-geometry.ts'

type Side = Comparison['sides'][number]

/** @param widthOfLabel measures a text or stopwatch shape, in picture units */
export function mirrorShape({ keyframes, ...shape }: Shape, widthOfLabel: (shape: Shape) => number): Shape {
  // The letters are not mirrored: they are still painted to the right of the point.
  const width = isTextOrStopwatchShape(shape) ? widthOfLabel(shape) : 0
  return {
    ...shape,
    p: mirrorPoints(shape.p, width),
    ...(keyframes && { keyframes: keyframes.map(k => ({ ...k, p: mirrorPoints(k.p, width) })) }),
  }
}

/**
 * Toggles mirroring for a side of a comparison. Its drawings are mirrored too, so that they stay on what they point at.
 * @param widthOfLabel measures a text or stopwatch shape, in picture units
 */
export function mirrorComparedSide({ mirrored, shapes, ...side }: Side, widthOfLabel: (shape: Shape) => number): Side {
  return {
    ...side,
    ...(!mirrored && { mirrored: true }),
    ...(shapes && { shapes: shapes.map(shape => mirrorShape(shape, widthOfLabel)) }),
  }
}
