import type { Keyframe, Shape } from '../../modules/reviews/contract.ts'
import { decodePoints, encodePoints } from './point-encoding-and-simplification.ts'

/**
 * Shapes as they look at the frame at which they were last painted. A shape that is painted again at that frame is the same object, so its
 * cached path stays valid.
 */
const lastAtFrame = new WeakMap<Shape, { frame: number; shape: Shape }>()

/** The last frame at which a shape itself changes; `from` if it never does. */
export const lastChangeFrameOf = ({ from, frames, keyframes }: Pick<Shape, 'from' | 'frames' | 'keyframes'>): number =>
  frames?.at(-1) ?? keyframes?.at(-1)?.frame ?? from

/**
 * Returns a shape as it looks at a frame: a path shows its trail up to that frame, a stopwatch the time elapsed so far, and a shape with
 * keyframes is at the position that they define. Other shapes never change. Before its first frame, a shape looks as it does at its first.
 */
export function shapeAtFrame(shape: Shape, frame: number): Shape {
  const { frames, keyframes } = shape
  const last = lastChangeFrameOf(shape)
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
  const end = decodePoints(after.p)
  return encodePoints(decodePoints(before.p).map((a, i) => ({ x: a.x + (end[i]!.x - a.x) * part, y: a.y + (end[i]!.y - a.y) * part })))
}

function trailAtFrame(shape: Shape, frames: number[], frame: number): Shape {
  const points = decodePoints(shape.p)
  const next = frames.findIndex(f => f > frame)
  if (next <= 0) return { ...shape, p: encodePoints(points.slice(0, 1)), frames: frames.slice(0, 1) }
  const [a, b] = [points[next - 1]!, points[next]!]
  const part = (frame - frames[next - 1]!) / (frames[next]! - frames[next - 1]!)
  const reached = part > 0 ? [{ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }] : []
  return {
    ...shape,
    p: encodePoints([...points.slice(0, next), ...reached]),
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
