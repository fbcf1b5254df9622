import { expect, test } from 'vitest'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { mirrorComparedSide } from '../../src/comparison/mirror-compared-side.ts'
import { decodePoints } from '../../src/drawing/point-encoding-and-simplification.ts'

const shape = { id: 's', tool: 'line' as const, color: 0, width: 45, p: [2000, 5000, 4000, -250], from: 0, hold: 1, fade: 0 }
const side: Comparison['sides'][number] = { folder: 'f', video: 'v', origin: 3, offset: 0, scale: 1, shapes: [shape] }

test('mirroring a side mirrors its drawings, and mirroring twice restores them', () => {
  const mirrored = mirrorComparedSide(side)
  expect(mirrored.mirrored).toBe(true)
  expect(decodePoints(mirrored.shapes![0]!.p)).toEqual([
    { x: 8000, y: 5000 },
    { x: 4000, y: 4750 },
  ])
  expect(mirrorComparedSide(mirrored)).toEqual(side)
})
test('mirroring a side that has no drawings adds no list of drawings', () => {
  const { shapes: _, ...plain } = side
  expect(mirrorComparedSide(plain)).toEqual({ ...plain, mirrored: true })
})
