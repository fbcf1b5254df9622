import type { Comparison } from '../../modules/reviews/contract.ts'
import { mirrorPoints } from '../drawing/points.ts'

type Side = Comparison['sides'][number]

/** A side of a comparison shown as in a mirror, or no longer so; its drawings stay on what they point at. */
export function mirrorSide({ mirrored, shapes, ...side }: Side): Side {
  return {
    ...side,
    ...(!mirrored && { mirrored: true }),
    ...(shapes && { shapes: shapes.map(shape => ({ ...shape, p: mirrorPoints(shape.p) })) }),
  }
}
