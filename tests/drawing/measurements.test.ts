import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Shape } from '../../modules/reviews/contract.ts'
import { measuredInches, measuredLengthLabel, stopwatchDurationLabel } from '../../src/drawing/measurements.ts'
import { decodePoints, distanceToSegment, encodePoints } from '../../src/drawing/point-encoding-and-simplification.ts'
import { shapeAtFrame } from '../../src/drawing/shape-at-frame.ts'
import { angleLabelPlace } from '../../src/drawing/shape-paths.ts'

const base = { id: '018f0000-0000-7000-8000-000000000001', color: 0, width: 45, from: 10, hold: 40, fade: 0 }
const path: Shape = {
  ...base,
  tool: 'path',
  frames: [10, 12, 20],
  p: encodePoints([
    { x: 0, y: 0 },
    { x: 200, y: 100 },
    { x: 1000, y: 100 },
  ]),
}
const watch: Shape = { ...base, tool: 'stopwatch', p: [100, 100], frames: [10, 30], milliseconds: 166.7 }

describe('a path at a frame', () => {
  test('ends at its point for that frame, or proportionally between two points', () => {
    expect(decodePoints(shapeAtFrame(path, 10).p)).toEqual([{ x: 0, y: 0 }])
    expect(decodePoints(shapeAtFrame(path, 11).p)).toEqual([
      { x: 0, y: 0 },
      { x: 100, y: 50 },
    ])
    expect(decodePoints(shapeAtFrame(path, 16).p).at(-1)).toEqual({ x: 600, y: 100 })
    expect(shapeAtFrame(path, 20)).toBe(path)
  })

  test('is a cached object: the same frame returns the same object', () => {
    expect(shapeAtFrame(path, 15)).toBe(shapeAtFrame(path, 15))
    expect(shapeAtFrame({ ...base, tool: 'line', p: [0, 0, 1, 1] }, 15)).not.toBe(path)
  })
})

test('a stopwatch shows the time elapsed at each frame, up to its end', () => {
  expect(stopwatchDurationLabel(shapeAtFrame(watch, 10))).toBe('0 ms')
  expect(stopwatchDurationLabel(shapeAtFrame(watch, 20))).toBe('83 ms')
  expect(stopwatchDurationLabel(shapeAtFrame(watch, 40))).toBe('167 ms')
  const { milliseconds: _, ...unknown } = watch
  expect(stopwatchDurationLabel(unknown)).toBe('20 frames, real time not known')
  expect(stopwatchDurationLabel(shapeAtFrame(unknown, 11))).toBe('1 frame, real time not known')
})

describe('a measured length', () => {
  const measured = (known: number, length: number, inches = 33) => ({
    inches,
    p: encodePoints([
      { x: 0, y: 9000 },
      { x: known, y: 9000 },
      { x: 0, y: 0 },
      { x: 0, y: length },
    ]),
  })

  test('is proportional to the known length, whatever the aspect ratio', () => {
    expect(measuredInches(measured(3300, 6000), 1).inches).toBeCloseTo(60)
    expect(measuredInches(measured(3300, 6600), 2).inches).toBeCloseTo(33)
  })

  test('states its error, which is larger for a shorter known length', () => {
    expect(measuredLengthLabel(measured(3300, 6000), 1)).toBe('60 ± 2 in')
    expect(measuredLengthLabel(measured(500, 6000), 1)).toBe('396 ± 48 in')
    expect(measuredLengthLabel(measured(9000, 1000), 1)).toBe('3.7 ± 0.3 in')
    const errors = [9000, 3000, 1000, 300].map(known => measuredInches(measured(known, 5000), 1))
    expect(errors.map(({ inches, error }) => error / inches)).toEqual(errors.map(({ inches, error }) => error / inches).toSorted())
  })
})

test('the label of an angle touches neither its arms nor its arc', () => {
  const turn = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true })
  fc.assert(
    fc.property(
      turn,
      fc.double({ min: 0.02, max: Math.PI - 0.02, noNaN: true }),
      fc.integer({ min: 18, max: 60 }),
      fc.integer({ min: 10, max: 60 }),
      (one, opened, arc, room) => {
        const corner = { x: 500, y: 500 }
        const other = one + opened
        const at = angleLabelPlace({ corner, one, other, arc }, room)
        const end = (direction: number) => ({ x: corner.x + Math.cos(direction) * 400, y: corner.y + Math.sin(direction) * 400 })
        for (const direction of [one, other]) expect(distanceToSegment(at, corner, end(direction))).toBeGreaterThanOrEqual(room - 0.01)
        for (let part = 0; part <= 1; part += 0.05) {
          const direction = one + opened * part
          const onArc = { x: corner.x + Math.cos(direction) * arc, y: corner.y + Math.sin(direction) * arc }
          expect(Math.hypot(at.x - onArc.x, at.y - onArc.y)).toBeGreaterThanOrEqual(room - 0.01)
        }
      },
    ),
  )
})

describe('the contract of a drawing', () => {
  const valid = (shape: object) => Shape.safeParse(shape).success
  const line = { ...base, tool: 'line', p: [0, 0, 100, 100] }
  test('accepts complete paths, stopwatches and lengths', () => {
    expect(valid(path)).toBe(true)
    expect(valid(watch)).toBe(true)
    expect(valid({ ...watch, frames: [10, 10] })).toBe(true)
    expect(valid({ ...base, tool: 'length', inches: 33, p: [0, 0, 100, 0, 0, 100, 50, 50] })).toBe(true)
    for (const tool of ['grid', 'zone', 'plate']) expect(valid({ ...line, tool })).toBe(true)
  })
  test.each([
    ['a path without frames', { ...path, frames: undefined }],
    ['a path with too few frames', { ...path, frames: [10, 12] }],
    ['a path whose frames are not ascending', { ...path, frames: [10, 12, 11] }],
    ['a path whose first frame is not its own', { ...path, from: 9 }],
    ['a stopwatch with one frame', { ...watch, frames: [10] }],
    ['a line with frames', { ...line, frames: [10, 12] }],
    ['a line with a time', { ...line, milliseconds: 3 }],
    ['a line with inches', { ...line, inches: 33 }],
    ['a length without inches', { ...base, tool: 'length', p: [0, 0, 100, 0, 0, 100, 50, 50] }],
  ])('refuses %s', (_, shape) => {
    expect(valid(shape)).toBe(false)
  })
})
