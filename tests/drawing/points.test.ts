import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distance, essential, type Point, packed, unpacked } from '../../src/drawing/points.ts'

const place = fc.record({ x: fc.integer({ min: 0, max: 10_000 }), y: fc.integer({ min: 0, max: 10_000 }) })

test('points are kept as differences and come back as they were', () => {
  expect(
    packed([
      { x: 100, y: 200 },
      { x: 90, y: 260 },
      { x: 90, y: 260 },
    ]),
  ).toEqual([100, 200, -10, 60, 0, 0])
  fc.assert(
    fc.property(fc.array(place), points => {
      expect(unpacked(packed(points))).toEqual(points)
    }),
  )
})

test('a place beside the picture is kept at its edge, and the points after it where they are', () => {
  expect(
    unpacked(
      packed([
        { x: -5, y: 10_400 },
        { x: 20.4, y: 30.6 },
      ]),
    ),
  ).toEqual([
    { x: 0, y: 10_000 },
    { x: 20, y: 31 },
  ])
})

test('of a stroke enough stays that no point of it is further away than the tolerance', () => {
  const line = [0, 1, 2, 3, 4].map(x => ({ x: x * 100, y: x === 2 ? 40 : 0 }))
  expect(essential(line, 50)).toEqual([0, 4])
  expect(essential(line, 10)).toEqual([0, 1, 2, 3, 4])
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 200 }), fc.integer({ min: 1, max: 500 }), (points, tolerance) => {
      const kept = essential(points, tolerance)
      expect(kept[0]).toBe(0)
      expect(kept.at(-1)).toBe(points.length - 1)
      points.forEach((point, i) => {
        const after = kept.find(k => k >= i)!
        const before = kept.findLast(k => k <= i)!
        expect(distance(point, points[before] as Point, points[after] as Point)).toBeLessThanOrEqual(tolerance)
      })
    }),
  )
})
