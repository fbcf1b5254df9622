import type { Comparison, Shape } from '../../modules/reviews/contract.ts'
import { mirrorPoints } from '../drawing/point-encoding-and-simplification.ts'

type Side = Comparison['sides'][number]

const mirrorShape = ({ keyframes, ...shape }: Shape): Shape => ({
  ...shape,
  p: mirrorPoints(shape.p),
  ...(keyframes && { keyframes: keyframes.map(k => ({ ...k, p: mirrorPoints(k.p) })) }),
})

/** Toggles mirroring for a side of a comparison. Its drawings are mirrored too, so that they stay on what they point at. */
export function mirrorComparedSide({ mirrored, shapes, ...side }: Side): Side {
  return {
    ...side,
    ...(!mirrored && { mirrored: true }),
    ...(shapes && { shapes: shapes.map(mirrorShape) }),
  }
}
