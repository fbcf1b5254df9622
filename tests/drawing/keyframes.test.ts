import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Shape } from '../../modules/reviews/contract.ts'
import { mirrorComparedSide } from '../../src/comparison/mirror-compared-side.ts'
import {
  keyframesOf,
  shiftShapeToStartFrame,
  withDurationAfterLastChange,
  withKeyframe,
  withoutKeyframe,
} from '../../src/drawing/animated-shape-edits.ts'
import { decodePoints, encodePoints } from '../../src/drawing/point-encoding-and-simplification.ts'
import { shapeAtFrame } from '../../src/drawing/shape-at-frame.ts'
import { shapeOpacityAtFrame } from '../../src/drawing/shape-geometry.ts'

const base = { id: '018f0000-0000-7000-8000-000000000001', color: 0, width: 45, hold: 30, fade: 4 }
const pointsOf = (x: number) =>
  encodePoints([
    { x, y: 1000 },
    { x: x + 500, y: 3000 },
  ])
const line: Shape = { ...base, tool: 'line', from: 10, p: pointsOf(1000) }
const tracking = withKeyframe(withKeyframe(line, 20, pointsOf(2000)), 40, pointsOf(6000))

/** Keyframes of a line in ascending order, each with its two points. */
const anyKeyframes = fc
  .uniqueArray(
    fc.record({ frame: fc.nat(500), at: fc.array(fc.record({ x: fc.nat(10_000), y: fc.nat(10_000) }), { minLength: 2, maxLength: 2 }) }),
    {
      selector: place => place.frame,
      minLength: 1,
      maxLength: 12,
    },
  )
  .map(all => all.toSorted((a, b) => a.frame - b.frame))
type Keyframes = typeof anyKeyframes extends fc.Arbitrary<infer T> ? T : never
const shapeWith = ([first, ...later]: Keyframes) =>
  later.reduce((shape, { frame, at }) => withKeyframe(shape, frame, encodePoints(at)), {
    ...line,
    from: first!.frame,
    p: encodePoints(first!.at),
  })

describe('a drawing with keyframes', () => {
  test('has exactly the points of a keyframe at the frame of that keyframe', () => {
    fc.assert(
      fc.property(anyKeyframes, all => {
        const shape = shapeWith(all)
        for (const { frame, at } of all) expect(decodePoints(shapeAtFrame(shape, frame).p)).toEqual(at)
      }),
    )
  })

  test('moves in one direction between two keyframes and never overshoots', () => {
    fc.assert(
      fc.property(anyKeyframes, all => {
        const shape = shapeWith(all)
        for (const [i, to] of all.entries()) {
          if (i === 0) continue
          const from = all[i - 1]!
          for (let frame = from.frame; frame < to.frame; frame++) {
            const [now, next] = [frame, frame + 1].map(f => decodePoints(shapeAtFrame(shape, f).p))
            for (const [j, end] of to.at.entries())
              for (const axis of ['x', 'y'] as const) {
                const [a, b] = [from.at[j]![axis], end[axis]]
                const goesBack = (next![j]![axis] - now![j]![axis]) * Math.sign(b - a) < 0
                if (goesBack || Math.abs(now![j]![axis] - a) > Math.abs(b - a)) return false
              }
          }
        }
        return true
      }),
      { numRuns: 40 },
    )
  })

  test('does not depend on the order in which its keyframes were set', () => {
    fc.assert(
      fc.property(
        anyKeyframes.chain(all => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([inOrder, inAnyOrder]) => {
          expect(shapeWith(inAnyOrder)).toEqual(shapeWith(inOrder))
        },
      ),
    )
  })

  test('passes the schema of the API contract', () => {
    fc.assert(
      fc.property(anyKeyframes, all => {
        expect(Shape.safeParse(shapeWith(all)).success).toBe(true)
      }),
    )
  })

  test('has the shape of its first keyframe before it, and of its last keyframe after it', () => {
    expect(shapeAtFrame(tracking, 3)).toBe(tracking)
    expect(shapeAtFrame(tracking, 90).p).toEqual(pointsOf(6000))
    expect(shapeAtFrame(tracking, 90)).toBe(shapeAtFrame(tracking, 60))
  })

  test('stays visible for its duration after the last keyframe', () => {
    expect([39, 40, 69, 70].map(frame => shapeOpacityAtFrame(tracking, frame) === 1)).toEqual([true, true, true, false])
    const brief = withDurationAfterLastChange(tracking, { hold: 1, fade: 0 })
    expect([40, 41].map(frame => shapeOpacityAtFrame(brief, frame))).toEqual([1, 0])
  })

  test('stands still if only one of its keyframes remains', () => {
    expect(keyframesOf(withoutKeyframe(tracking, 20)).map(k => k.frame)).toEqual([10, 40])
    expect(keyframesOf(withoutKeyframe(tracking, 10)).map(k => k.frame)).toEqual([20, 40])
    const single = withoutKeyframe(withoutKeyframe(tracking, 20), 40)
    expect(single).toEqual(line)
    expect(withoutKeyframe(single, 10)).toBe(single)
  })

  test('keeps the spacing of its keyframes when pasted, up to the end of the video', () => {
    const pasted = shiftShapeToStartFrame(tracking, 100, 0)
    expect(keyframesOf(pasted).map(k => k.frame)).toEqual([100, 110, 130])
    expect(keyframesOf(shiftShapeToStartFrame(tracking, 100, 120)).map(k => k.frame)).toEqual([100, 110])
    expect(Shape.safeParse(pasted).success).toBe(true)
  })

  test('is mirrored at each of its keyframes', () => {
    const { shapes } = mirrorComparedSide({ folder: 'f', video: 'v', origin: 0, offset: 0, scale: 1, shapes: [tracking] }, () => 0)
    expect(decodePoints(shapeAtFrame(shapes![0]!, 40).p).map(({ x }) => x)).toEqual([4000, 3500])
  })
})

test('a pasted path is shifted to its new frames and ends with the video', () => {
  const path: Shape = { ...base, tool: 'path', from: 10, frames: [10, 12, 20], p: [0, 0, 200, 100, 800, 0] }
  expect(shiftShapeToStartFrame(path, 50, 0)).toMatchObject({ from: 50, frames: [50, 52, 60], p: path.p })
  const cut = shiftShapeToStartFrame(path, 50, 57)
  expect(cut).toMatchObject({ from: 50, frames: [50, 52, 56] })
  expect(Shape.safeParse(cut).success).toBe(true)
})

test.each([
  ['a keyframe at or before its first frame', { keyframes: [{ frame: 10, p: pointsOf(0) }] }],
  [
    'keyframes out of order',
    {
      keyframes: [
        { frame: 30, p: pointsOf(0) },
        { frame: 20, p: pointsOf(0) },
      ],
    },
  ],
  ['a keyframe with fewer points', { keyframes: [{ frame: 20, p: [0, 0] }] }],
  ['a keyframe outside the picture', { keyframes: [{ frame: 20, p: [9000, 0, 2000, 0] }] }],
  ['keyframes of a path', { tool: 'path', frames: [10, 12], keyframes: [{ frame: 20, p: pointsOf(0) }] }],
  ['more points than a drawing may have', { keyframes: Array.from({ length: 300 }, (_, i) => ({ frame: 11 + i, p: pointsOf(0) })) }],
])('the contract refuses a drawing with %s', (_, invalid) => {
  expect(Shape.safeParse(line).success).toBe(true)
  expect(Shape.safeParse({ ...line, ...invalid }).success).toBe(false)
})
