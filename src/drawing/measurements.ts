import type { Keyframe, Shape } from '../../modules/reviews/contract.ts'
import { type Point, packPoints, unpackPoints } from './points.ts'
import type { AspectRatio } from './shapes.ts'

/** How far off a person typically places the end of a line, in units of the picture's height: three of 720 lines. */
const END_ERROR = 42

const distance = (a: Point, b: Point, aspect: AspectRatio) => Math.hypot((a.x - b.x) * aspect, a.y - b.y)

/**
 * The length measured by a `length` shape in inches, and its error: both of its lines have two ends that were placed by hand. If the
 * measured object is nearer to the camera than the known length, or farther away, the real error is larger.
 */
export function measuredInches({ p, inches = 0 }: Pick<Shape, 'p' | 'inches'>, aspect: AspectRatio): { inches: number; error: number } {
  const [a, b, c, d] = unpackPoints(p) as [Point, Point, Point, Point]
  const known = Math.max(1, distance(a, b, aspect))
  const measured = distance(c, d, aspect)
  const lineError = END_ERROR * Math.SQRT2
  const inUnits = inches / known
  return { inches: measured * inUnits, error: inUnits * Math.hypot(lineError, (lineError * measured) / known) }
}

/** A text such as '41 ± 2 in', rounded so that it shows no digit that the error makes meaningless. */
export function lengthLabel(shape: Pick<Shape, 'p' | 'inches'>, aspect: AspectRatio): string {
  const { inches, error } = measuredInches(shape, aspect)
  if (error >= 1) return `${Math.round(inches)} ± ${Math.ceil(error)} in`
  return `${inches.toFixed(1)} ± ${(Math.ceil(error * 10) / 10).toFixed(1)} in`
}

/** A text such as '412 ms', or the number of frames if their real time is unknown. */
export function stopwatchLabel({ frames = [0, 0], milliseconds }: Pick<Shape, 'frames' | 'milliseconds'>): string {
  if (milliseconds !== undefined) return `${Math.round(milliseconds)} ms`
  const count = frames.at(-1)! - frames[0]!
  return `${count} frame${count === 1 ? '' : 's'}, real time not known`
}

/**
 * Shapes as they look at the frame at which they were last painted. A shape that is painted again at that frame is the same object, so its
 * cached path stays valid.
 */
const lastAtFrame = new WeakMap<Shape, { frame: number; shape: Shape }>()

/** The last frame at which a shape itself changes; `from` if it never does. */
export const lastFrameOf = ({ from, frames, keyframes }: Pick<Shape, 'from' | 'frames' | 'keyframes'>): number =>
  frames?.at(-1) ?? keyframes?.at(-1)?.frame ?? from

/**
 * A shape as it looks at a frame: a path shows its trail up to that frame, a stopwatch the time elapsed so far, and a shape with keyframes
 * is at the position that they define. All other shapes never change. Before its first frame, a shape looks as it does at that frame.
 */
export function shapeAtFrame(shape: Shape, frame: number): Shape {
  const { frames, keyframes } = shape
  const last = lastFrameOf(shape)
  if (keyframes ? frame <= shape.from : !frames || frame >= last) return shape
  const at = Math.min(frame, last)
  const known = lastAtFrame.get(shape)
  if (known?.frame === at) return known.shape
  const now = keyframes
    ? { ...shape, p: pointsAtFrame(shape, keyframes, at) }
    : shape.tool === 'path'
      ? trailAtFrame(shape, frames!, at)
      : timeAtFrame(shape, frames!, at)
  lastAtFrame.set(shape, { frame: at, shape: now })
  return now
}

/** The points of a shape with keyframes, which move in straight lines from one keyframe to the next. */
function pointsAtFrame({ from, p }: Shape, keyframes: readonly Keyframe[], frame: number): number[] {
  const next = keyframes.findIndex(k => k.frame >= frame)
  const after = keyframes[next]!
  if (after.frame === frame) return after.p
  const before = next > 0 ? keyframes[next - 1]! : { frame: from, p }
  const part = (frame - before.frame) / (after.frame - before.frame)
  const end = unpackPoints(after.p)
  return packPoints(unpackPoints(before.p).map((a, i) => ({ x: a.x + (end[i]!.x - a.x) * part, y: a.y + (end[i]!.y - a.y) * part })))
}

function trailAtFrame(shape: Shape, frames: number[], frame: number): Shape {
  const points = unpackPoints(shape.p)
  const next = frames.findIndex(f => f > frame)
  if (next <= 0) return { ...shape, p: packPoints(points.slice(0, 1)), frames: frames.slice(0, 1) }
  const [a, b] = [points[next - 1]!, points[next]!]
  const part = (frame - frames[next - 1]!) / (frames[next]! - frames[next - 1]!)
  const reached = part > 0 ? [{ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }] : []
  return {
    ...shape,
    p: packPoints([...points.slice(0, next), ...reached]),
    frames: [...frames.slice(0, next), ...reached.map(() => frame)],
  }
}

function timeAtFrame(shape: Shape, [first, last]: number[], frame: number): Shape {
  const passed = Math.max(0, frame - first!)
  const { milliseconds, ...rest } = shape
  return {
    ...rest,
    frames: [first!, first! + passed],
    ...(milliseconds !== undefined && { milliseconds: (milliseconds * passed) / Math.max(1, last! - first!) }),
  }
}
