import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodePoints,
  distanceToSegment,
  encodePoints,
  type Point,
  simplifiedLineIndexes,
} from '../../src/drawing/point-encoding-and-simplification.ts'

const place = fc.record({ x: fc.integer({ min: 0, max: 10_000 }), y: fc.integer({ min: 0, max: 10_000 }) })

test('points are stored as differences and restored unchanged', () => {
  expect(
    encodePoints([
      { x: 100, y: 200 },
      { x: 90, y: 260 },
      { x: 90, y: 260 },
    ]),
  ).toEqual([100, 200, -10, 60, 0, 0])
  fc.assert(
    fc.property(fc.array(place), points => {
      expect(decodePoints(encodePoints(points))).toEqual(points)
    }),
  )
})

test('a point outside the picture moves to its edge, and later points do not move', () => {
  expect(
    decodePoints(
      encodePoints([
        { x: -5, y: 10_400 },
        { x: 20.4, y: 30.6 },
      ]),
    ),
  ).toEqual([
    { x: 0, y: 10_000 },
    { x: 20, y: 31 },
  ])
})

test('a simplified line is within the tolerance of every original point', () => {
  const line = [0, 1, 2, 3, 4].map(x => ({ x: x * 100, y: x === 2 ? 40 : 0 }))
  expect(simplifiedLineIndexes(line, 50)).toEqual([0, 4])
  expect(simplifiedLineIndexes(line, 10)).toEqual([0, 1, 2, 3, 4])
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 200 }), fc.integer({ min: 1, max: 500 }), (points, tolerance) => {
      const keptIndexes = simplifiedLineIndexes(points, tolerance)
      expect(keptIndexes[0]).toBe(0)
      expect(keptIndexes.at(-1)).toBe(points.length - 1)
      points.forEach((point, i) => {
        const after = keptIndexes.find(k => k >= i)!
        const before = keptIndexes.findLast(k => k <= i)!
        expect(distanceToSegment(point, points[before] as Point, points[after] as Point)).toBeLessThanOrEqual(tolerance)
      })
    }),
  )
})
