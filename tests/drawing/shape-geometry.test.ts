import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Shape } from '../../modules/reviews/contract.ts'
import { MAX_POINTS_PER_SHAPE, PICTURE_SIDE_UNITS } from '../../modules/reviews/policy.ts'
import { decodePoints, encodePoints } from '../../src/drawing/point-encoding-and-simplification.ts'
import {
  angleDegrees,
  hitsShape,
  moveHandle,
  moveShape,
  shapeHandles,
  shapeOpacityAtFrame,
  shapesOfNotesOnVideo,
  simplifyStroke,
  tiltFromNearestAxis,
} from '../../src/drawing/shape-geometry.ts'

const id = '018f0000-0000-7000-8000-000000000001'
const shape = (tool: Shape['tool'], ...points: [number, number][]): Shape => ({
  id,
  tool,
  color: 0,
  width: 45,
  from: 10,
  hold: 1,
  fade: 0,
  p: encodePoints(points.map(([x, y]) => ({ x, y }))),
  ...(tool === 'text' && { text: 'Stay back' }),
})

test('a shape is opaque from its first frame, stays for its duration, then fades out', () => {
  const at = (frame: number) => shapeOpacityAtFrame({ from: 10, hold: 3, fade: 3 }, frame)
  expect([9, 10, 12, 13, 14, 15, 16].map(at)).toEqual([0, 1, 1, 0.75, 0.5, 0.25, 0])
  expect([10, 11].map(f => shapeOpacityAtFrame({ from: 10, hold: 1, fade: 0 }, f))).toEqual([1, 0])
})

test('a tilt is measured from the nearer axis, corrected for the aspect ratio', () => {
  const tilt = (x: number, y: number, aspect = 1) =>
    tiltFromNearestAxis(
      [
        { x: 5000, y: 5000 },
        { x: 5000 + x, y: 5000 + y },
      ],
      aspect,
    )
  expect(tilt(1000, 0)).toEqual({ degrees: 0, axis: 'horizontal' })
  expect(tilt(-1000, 268)).toEqual({ degrees: 15, axis: 'horizontal' })
  expect(tilt(268, -1000)).toEqual({ degrees: 15, axis: 'vertical' })
  // On a picture twice as wide as it is high, a horizontal unit is twice as long as a vertical one.
  expect(tilt(500, 1000, 2)).toEqual({ degrees: 45, axis: 'horizontal' })
  expect(tilt(134, 1000, 2)).toEqual({ degrees: 15, axis: 'vertical' })
})

test('an angle is corrected for the aspect ratio of the picture', () => {
  const square = [
    { x: 5000, y: 1000 },
    { x: 5000, y: 5000 },
    { x: 9000, y: 5000 },
  ]
  expect(angleDegrees(square, 1)).toBe(90)
  // On a 16:9 picture, one unit is fewer pixels vertically than horizontally.
  expect(
    angleDegrees(
      [
        { x: 9000, y: 1000 },
        { x: 5000, y: 5000 },
        { x: 9000, y: 5000 },
      ],
      16 / 9,
    ),
  ).toBe(29)
  expect(
    angleDegrees(
      [
        { x: 0, y: 5010 },
        { x: 5000, y: 5000 },
        { x: 0, y: 4990 },
      ],
      1,
    ),
  ).toBe(0)
})

test('a simplified stroke has at most the allowed number of points', () => {
  const wave = Array.from({ length: 4000 }, (_, i) => ({ x: i * 2.4, y: 5000 + Math.sin(i / 40) * 2000 }))
  const { p } = simplifyStroke(wave, undefined, 16 / 9)
  expect(p.length / 2).toBeLessThanOrEqual(MAX_POINTS_PER_SHAPE)
  expect(p.length / 2).toBeGreaterThan(50)
  const noise = Array.from({ length: 5000 }, (_, i) => ({ x: (i * 7919) % PICTURE_SIDE_UNITS, y: (i * 104729) % PICTURE_SIDE_UNITS }))
  expect(simplifyStroke(noise, undefined, 1).p.length / 2).toBeLessThanOrEqual(MAX_POINTS_PER_SHAPE)
  const pressed = simplifyStroke(
    wave,
    wave.map((_, i) => (i % 2 ? 0.3 : 0.9)),
    1,
  )
  expect(pressed.z).toHaveLength(pressed.p.length / 2)
  expect(pressed.z![0]).toBe(90)
})

test('a moved shape keeps its form and stays inside the picture', () => {
  const box = shape('rectangle', [1000, 1000], [3000, 2000])
  expect(decodePoints(moveShape(box, { x: 500, y: -200 }).p)).toEqual([
    { x: 1500, y: 800 },
    { x: 3500, y: 1800 },
  ])
  const far = decodePoints(moveShape(box, { x: 99_999, y: -99_999 }).p)
  expect(far).toEqual([
    { x: 8000, y: 0 },
    { x: 10_000, y: 1000 },
  ])
})

test('all shapes except strokes and text have handles', () => {
  const angle = shape('angle', [1, 2], [3, 4], [5, 6])
  expect(shapeHandles(angle)).toHaveLength(3)
  expect(decodePoints(moveHandle(angle, 1, { x: 9, y: 9 }).p)).toEqual([
    { x: 1, y: 2 },
    { x: 9, y: 9 },
    { x: 5, y: 6 },
  ])
  expect(shapeHandles(shape('pen', [1, 1], [2, 2]))).toEqual([])
  expect(shapeHandles(shape('text', [1, 1]))).toEqual([])
})

describe('hitsShape', () => {
  test.each([
    ['line', shape('line', [1000, 1000], [5000, 1000]), [3000, 1080], [3000, 1400]],
    ['rectangle only at its edge', shape('rectangle', [1000, 1000], [5000, 5000]), [1000, 3000], [3000, 3000]],
    ['circle only at its edge', shape('circle', [1000, 1000], [5000, 5000]), [5000, 3000], [3000, 3000]],
    ['stroke', shape('pen', [1000, 1000], [2000, 1000], [2000, 4000]), [2050, 2500], [1500, 2500]],
    ['angle', shape('angle', [1000, 1000], [1000, 4000], [4000, 4000]), [2500, 4000], [2500, 2000]],
  ])('finds a %s', (_, it, on, beside) => {
    const at = ([x, y]: number[]) => ({ x: x!, y: y! })
    expect(hitsShape(it as Shape, at(on as number[]), 100, 1)).toBe(true)
    expect(hitsShape(it as Shape, at(beside as number[]), 100, 1)).toBe(false)
  })
  test('finds text anywhere in its box', () => {
    const it = shape('text', [1000, 1000])
    expect(hitsShape(it, { x: 2500, y: 1200 }, 50, 1, { width: 2000, height: 400 })).toBe(true)
    expect(hitsShape(it, { x: 3500, y: 1200 }, 50, 1, { width: 2000, height: 400 })).toBe(false)
  })
})

describe('a shape for the API', () => {
  const ok = (s: unknown) => Shape.safeParse(s).success
  test('is valid if the tools can draw it', () => {
    for (const it of [
      shape('pen', [0, 0]),
      shape('arrow', [0, 0], [10_000, 10_000]),
      shape('angle', [1, 1], [2, 2], [3, 3]),
      shape('text', [5, 5]),
    ])
      expect(ok(it)).toBe(true)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -99, max: 11_000 }), fc.integer({ min: -99, max: 11_000 })), { minLength: 1, maxLength: 600 }),
        points => ok(shape('pen', ...(points as [number, number][]))),
      ),
    )
  })
  test.each([
    ['too few points', { ...shape('line', [1, 1]) }],
    ['too many points', shape('arrow', [1, 1], [2, 2], [3, 3])],
    ['half a point', { ...shape('pen', [1, 1]), p: [1, 1, 1] }],
    ['a point past the edge', { ...shape('pen', [1, 1]), p: [9999, 1, 2, 0] }],
    ['a point before the edge', { ...shape('pen', [1, 1]), p: [1, 1, 0, -2] }],
    ['an unknown color', { ...shape('pen', [1, 1]), color: 6 }],
    ['no width', { ...shape('pen', [1, 1]), width: 0 }],
    ['pressures for other points', { ...shape('pen', [1, 1], [2, 2]), z: [50] }],
    ['a text without words', { ...shape('text', [1, 1]), text: ' ' }],
    ['words on a line', { ...shape('line', [1, 1], [2, 2]), text: 'no' }],
    ['a text that is too long', { ...shape('text', [1, 1]), text: 'x'.repeat(81) }],
    ['601 points', shape('pen', ...Array.from({ length: 601 }, (): [number, number] => [1, 1]))],
    ['a duration of no frame', { ...shape('pen', [1, 1]), hold: 0 }],
    ['an unknown field', { ...shape('pen', [1, 1]), href: 'x' }],
  ])('is invalid with %s', (_, it) => expect(ok(it)).toBe(false))
})

test('the newest shape is painted on top, whichever note it belongs to', () => {
  const drawn = (id: string): Shape => ({ id, tool: 'line', color: 0, width: 45, p: [0, 0, 9, 9], from: 0, hold: 1, fade: 0 })
  const notes = [
    { video: 'a', shapes: [drawn('1'), drawn('4')] },
    { video: 'b', shapes: [drawn('2')] },
    { video: 'a' },
    { video: 'a', shapes: [drawn('3')] },
  ]
  expect(shapesOfNotesOnVideo(notes, 'a').map(s => s.id)).toEqual(['1', '3', '4'])
  expect(shapesOfNotesOnVideo(notes, undefined)).toEqual([])
})
