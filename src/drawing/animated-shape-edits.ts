import type { Keyframe, Shape } from '../../modules/reviews/contract.ts'
import { MAX_POINTS_PER_SHAPE, MAX_SHAPE_HOLD_FRAMES } from '../../modules/reviews/policy.ts'
import { decodePoints, encodePoints, type Point } from './point-encoding-and-simplification.ts'
import { lastChangeFrameOf, shapeAtFrame } from './shape-at-frame.ts'

// Only the drawing tools load this code; every viewer of a review loads `shape-at-frame.ts`.

/** Adds or moves the point of a path at a frame. `stay`: how many frames the last point is shown. */
export function withPathPoint(path: Shape, frame: number, at: Point, stay: number): Shape {
  const otherPoints = path.frames!.map((f, i) => ({ frame: f, at: decodePoints(path.p)[i]! })).filter(point => point.frame !== frame)
  const all = [...otherPoints, { frame, at }].sort((a, b) => a.frame - b.frame)
  const frames = all.map(point => point.frame)
  return {
    ...path,
    frames,
    from: frames[0]!,
    p: encodePoints(all.map(point => point.at)),
    hold: Math.min(MAX_SHAPE_HOLD_FRAMES, frames.at(-1)! - frames[0]! + stay),
  }
}

/**
 * Ends a stopwatch at `frame`; the earlier of its two frames becomes the start. `realTime` returns the milliseconds between two frames, or
 * null if unknown.
 */
export function withStopwatchEnd(watch: Shape, frame: number, stay: number, realTime: (from: number, to: number) => number | null): Shape {
  const start = watch.frames![0]!
  const [from, to] = [Math.min(start, frame), Math.max(start, frame)]
  const { milliseconds: _, ...rest } = watch
  const real = realTime(from, to)
  return {
    ...rest,
    frames: [from, to],
    from,
    hold: Math.min(MAX_SHAPE_HOLD_FRAMES, to - from + stay),
    ...(real !== null && { milliseconds: Math.round(real * 10) / 10 }),
  }
}

/** All keyframes of a shape in order. The first is the shape's own frame and points, and the only one if the shape never moves. */
export const keyframesOf = ({ from, p, keyframes = [] }: Pick<Shape, 'from' | 'p' | 'keyframes'>): Keyframe[] => [
  { frame: from, p },
  ...keyframes,
]

/** How many frames a shape stays on the picture after its last change. */
const framesAfterLastChange = (shape: Shape) => Math.max(1, shape.from + shape.hold - lastChangeFrameOf(shape))

/** The shape with these keyframes, at least one. After the last one, it stays on the picture for as long as before. */
function withKeyframes(shape: Shape, [first, ...later]: readonly Keyframe[]): Shape {
  const { keyframes: _, ...rest } = shape
  const { frame: from, p } = first!
  const hold = Math.min(MAX_SHAPE_HOLD_FRAMES, (later.at(-1)?.frame ?? from) - from + framesAfterLastChange(shape))
  return { ...rest, p, from, hold, ...(later.length > 0 && { keyframes: later }) }
}

/** Whether a shape can have a keyframe at a frame: it has one there already, or another one would not exceed the point limit. */
export function hasRoomForKeyframe(shape: Shape, frame: number): boolean {
  const keyframes = keyframesOf(shape)
  return keyframes.some(k => k.frame === frame) || (shape.p.length / 2) * (keyframes.length + 1) <= MAX_POINTS_PER_SHAPE
}

/**
 * Adds or replaces the keyframe at a frame, which may lie before the shape's first one. `p`: its points there, as many as the shape has.
 */
export const withKeyframe = (shape: Shape, frame: number, p: number[]): Shape =>
  withKeyframes(
    shape,
    [...keyframesOf(shape).filter(k => k.frame !== frame), { frame, p }].sort((a, b) => a.frame - b.frame),
  )

/** Removes the keyframe of a shape at a frame, unless it is the only one. */
export function withoutKeyframe(shape: Shape, frame: number): Shape {
  const remaining = keyframesOf(shape).filter(k => k.frame !== frame)
  return remaining.length ? withKeyframes(shape, remaining) : shape
}

/** Sets how many frames a shape stays on the picture after its last change (`hold`), and how many it then fades. */
export const withDurationAfterLastChange = (shape: Shape, { hold, fade }: Pick<Shape, 'hold' | 'fade'>): Shape => ({
  ...shape,
  hold: Math.min(MAX_SHAPE_HOLD_FRAMES, lastChangeFrameOf(shape) - shape.from + hold),
  fade,
})

/** Moves a shape so that it starts at frame `from`, and drops what lies past the end of the video (`frames` frames; 0 if unknown). */
export function shiftShapeToStartFrame(shape: Shape, from: number, frames: number): Shape {
  const by = from - shape.from
  const end = frames ? frames - 1 : Number.POSITIVE_INFINITY
  const { keyframes, ...rest } = shape.frames ? shapeAtFrame(shape, end - by) : shape
  const later = keyframes?.map(k => ({ ...k, frame: k.frame + by })).filter(k => k.frame <= end)
  return {
    ...rest,
    from,
    ...(rest.frames && { frames: rest.frames.map(f => f + by) }),
    ...(later?.length && { keyframes: later }),
  }
}
