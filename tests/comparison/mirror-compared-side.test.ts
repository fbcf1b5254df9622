import { expect, test } from 'vitest'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { mirrorComparedSide } from '../../src/comparison/mirror-compared-side.ts'
import { decodePoints } from '../../src/drawing/point-encoding-and-simplification.ts'

const shape = { id: 's', tool: 'line' as const, color: 0, width: 45, p: [2000, 5000, 4000, -250], from: 0, hold: 1, fade: 0 }
const side: Comparison['sides'][number] = { folder: 'f', video: 'v', origin: 3, offset: 0, scale: 1, shapes: [shape] }
const noLabels = () => {
  throw new Error('there is nothing to measure')
}

test('mirroring a side mirrors its drawings, and mirroring twice restores them', () => {
  const mirrored = mirrorComparedSide(side, noLabels)
  expect(mirrored.mirrored).toBe(true)
  expect(decodePoints(mirrored.shapes![0]!.p)).toEqual([
    { x: 8000, y: 5000 },
    { x: 4000, y: 4750 },
  ])
  expect(mirrorComparedSide(mirrored, noLabels)).toEqual(side)
})
test('mirroring a side that has no drawings adds no list of drawings', () => {
  const { shapes: _, ...plain } = side
  expect(mirrorComparedSide(plain, noLabels)).toEqual({ ...plain, mirrored: true })
})

test.each(['text', 'stopwatch'] as const)('a mirrored %s takes the mirrored place, although its letters are not mirrored', tool => {
  const label = { ...shape, tool, text: 'Late', p: [2000, 5000], keyframes: [{ frame: 4, p: [3000, 5000] }] }
  const labeled = { ...side, shapes: [label] }
  // A label that is 1,500 wide takes the place from 2,000 to 3,500, and then from 6,500 to 8,000.
  const mirrored = mirrorComparedSide(labeled, () => 1500)
  expect(mirrored.shapes![0]).toMatchObject({ p: [6500, 5000], keyframes: [{ frame: 4, p: [5500, 5000] }] })
  expect(mirrorComparedSide(mirrored, () => 1500)).toEqual(labeled)
})
