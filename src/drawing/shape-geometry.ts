import type { Shape } from '../../modules/reviews/contract.ts'
import { MAX_POINTS_PER_SHAPE, PICTURE_SIDE_UNITS, TOOLS_WITHOUT_KEYFRAMES } from '../../modules/reviews/policy.ts'
import { decodePoints, distanceToSegment, encodePoints, type Point, simplifiedLineIndexes } from './point-encoding-and-simplification.ts'

/**
 * Width of the picture divided by its height. Both axes have the same number of units, so a horizontal unit is this many times as long as a
 * vertical one.
 */
export type PictureAspectRatio = number

/** Maximum distance of a simplified stroke from the drawn one, as a fraction of the picture's width: less than 1 px at a width of 1920. */
const SIMPLIFY_TOLERANCE = 0.0005

/**
 * Simplifies a stroke to its stored form, with at most `MAX_POINTS_PER_SHAPE` points. `pressures` are 0 to 1, or undefined without a pen.
 */
export function simplifyStroke(
  points: readonly Point[],
  pressures: readonly number[] | undefined,
  aspect: PictureAspectRatio,
): Pick<Shape, 'p' | 'z'> {
  const even = points.map(({ x, y }) => ({ x, y: y / aspect }))
  let keptIndexes = simplifiedLineIndexes(even, SIMPLIFY_TOLERANCE * PICTURE_SIDE_UNITS)
  for (let t = SIMPLIFY_TOLERANCE * 2; keptIndexes.length > MAX_POINTS_PER_SHAPE; t *= 2)
    keptIndexes = simplifiedLineIndexes(even, t * PICTURE_SIDE_UNITS)
  const p = encodePoints(keptIndexes.map(i => points[i]!))
  return pressures ? { p, z: keptIndexes.map(i => Math.round(Math.max(0, Math.min(1, pressures[i]!)) * 100)) } : { p }
}

/** Sorts by UUIDv7, which grows with time, so that the newer shape is on top in every tab, even after a merge. */
export const compareByCreation = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

/** The shape with this id. `shapes` is a function because building the list is expensive and unnecessary without an id. */
export const findShapeById = (id: string | undefined, shapes: () => readonly Shape[]) =>
  id === undefined ? undefined : shapes().find(s => s.id === id)

/** The shapes of all notes on a clip, the newest on top. */
export const shapesOfNotesOnVideo = (
  notes: readonly { video: string; shapes?: readonly Shape[] | undefined }[],
  video: string | undefined,
): Shape[] => notes.flatMap(n => (n.video === video ? (n.shapes ?? []) : [])).sort(compareByCreation)

export const canHaveKeyframes = ({ tool }: Pick<Shape, 'tool'>) => !TOOLS_WITHOUT_KEYFRAMES.includes(tool)

/** The opacity of a shape at a frame, 0 (invisible) to 1. */
export function shapeOpacityAtFrame({ from, hold, fade }: Pick<Shape, 'from' | 'hold' | 'fade'>, frame: number): number {
  const past = frame - from - hold
  if (frame < from || past >= fade) return 0
  return past < 0 ? 1 : 1 - (past + 1) / (fade + 1)
}

/** The angle at the middle one of three points, in whole degrees. */
export function angleDegrees([a, corner, b]: readonly Point[], aspect: PictureAspectRatio): number {
  const direction = (to: Point) => Math.atan2(to.y - corner!.y, (to.x - corner!.x) * aspect)
  const turn = Math.abs(direction(a!) - direction(b!)) * (180 / Math.PI)
  return Math.round(turn > 180 ? 360 - turn : turn)
}

/** The angle between a line and the vertical or the horizontal, whichever is nearer, in whole degrees from 0 to 45. */
export function tiltFromNearestAxis(
  [a, b]: readonly Point[],
  aspect: PictureAspectRatio,
): { degrees: number; axis: 'vertical' | 'horizontal' } {
  const fromHorizontal = Math.atan2(Math.abs(b!.y - a!.y), Math.abs(b!.x - a!.x) * aspect) * (180 / Math.PI)
  return fromHorizontal > 45
    ? { degrees: Math.round(90 - fromHorizontal), axis: 'vertical' }
    : { degrees: Math.round(fromHorizontal), axis: 'horizontal' }
}

/** Moves a shape, but not beyond the edges of the picture. Its form does not change. */
export function moveShape(shape: Shape, by: Point): Shape {
  const points = decodePoints(shape.p)
  const clampShift = (values: number[], d: number) =>
    Math.max(-Math.min(...values), Math.min(PICTURE_SIDE_UNITS - Math.max(...values), Math.round(d)))
  const dx = clampShift(
    points.map(p => p.x),
    by.x,
  )
  const dy = clampShift(
    points.map(p => p.y),
    by.y,
  )
  return { ...shape, p: encodePoints(points.map(({ x, y }) => ({ x: x + dx, y: y + dy }))) }
}

/** The points by which a shape can be reshaped. Pen strokes, texts and stopwatches have none, because they can only be moved. */
export const shapeHandles = (shape: Shape): Point[] => (shape.tool === 'pen' || isTextOrStopwatchShape(shape) ? [] : decodePoints(shape.p))

/** Whether a shape is painted as text, so that its size depends on its letters. */
export const isTextOrStopwatchShape = ({ tool }: Pick<Shape, 'tool'>) => tool === 'text' || tool === 'stopwatch'

/**
 * The point that stays fixed while a handle is moved. The points of a path move independently, so nothing is fixed and the handle itself is
 * returned.
 */
export function fixedEndOf({ tool }: Shape, points: readonly Point[], handle: number): Point {
  if (tool === 'path') return points[handle]!
  if (tool === 'angle') return points[1]!
  return points[tool === 'length' ? handle ^ 1 : handle ? 0 : 1]!
}

/** Returns a copy of the shape with one handle moved. `handle`: its index in the shape's points. */
export const moveHandle = (shape: Shape, handle: number, to: Point): Shape => ({
  ...shape,
  p: encodePoints(decodePoints(shape.p).map((point, i) => (i === handle ? to : point))),
})

/** The bounding box of a shape in picture units. `label`: the size of a text or stopwatch shape. */
export function shapeBounds(
  shape: Shape,
  label?: { width: number; height: number },
): { left: number; top: number; right: number; bottom: number } {
  const points = decodePoints(shape.p)
  const [xs, ys] = [points.map(p => p.x), points.map(p => p.y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { left, top, right: Math.max(...xs) + (label?.width ?? 0), bottom: Math.max(...ys) + (label?.height ?? 0) }
}

/** Whether a press at this point selects the shape. `reach`: the maximum distance, in ten-thousandths of the picture's height. */
export function hitsShape(
  shape: Shape,
  at: Point,
  reach: number,
  aspect: PictureAspectRatio,
  label?: { width: number; height: number },
): boolean {
  const even = ({ x, y }: Point) => ({ x: x * aspect, y })
  const points = decodePoints(shape.p).map(even)
  const press = even(at)
  const maxDistance = reach + shape.width / 2
  const [a, b] = points as [Point, Point]
  switch (shape.tool) {
    case 'text':
    case 'stopwatch': {
      const box = shapeBounds(shape, label)
      return (
        at.x >= box.left - reach / aspect && at.x <= box.right + reach / aspect && at.y >= box.top - reach && at.y <= box.bottom + reach
      )
    }
    case 'circle': {
      const [rx, ry] = [Math.abs(b.x - a.x) / 2 || 1, Math.abs(b.y - a.y) / 2 || 1]
      const [dx, dy] = [press.x - (a.x + b.x) / 2, press.y - (a.y + b.y) / 2]
      const relativeDistance = Math.hypot(dx / rx, dy / ry)
      return Math.abs(relativeDistance - 1) * Math.min(rx, ry) <= maxDistance
    }
    case 'length': {
      const [, , c, d] = points as [Point, Point, Point, Point]
      return distanceToSegment(press, a, b) <= maxDistance || distanceToSegment(press, c, d) <= maxDistance
    }
    case 'grid':
    case 'zone':
    case 'plate':
    case 'rectangle': {
      const corners = [a, { x: b.x, y: a.y }, b, { x: a.x, y: b.y }]
      return corners.some((c, i) => distanceToSegment(press, c, corners[(i + 1) % 4]!) <= maxDistance)
    }
    default:
      return points.some((point, i) => distanceToSegment(press, points[Math.max(0, i - 1)]!, point) <= maxDistance)
  }
}
