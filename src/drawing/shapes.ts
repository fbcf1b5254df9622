import type { Shape } from '../../modules/reviews/contract.ts'
import { COORDINATE_UNITS, POINTS_PER_SHAPE } from '../../modules/reviews/policy.ts'
import { distance, essential, type Point, packed, unpacked } from './points.ts'

/** Picture as shown: width through height. A step across is this much longer than one down. */
export type Aspect = number

/** How far a simplified stroke may be from what was drawn, of the picture's width: under a pixel at 1920. */
const TOLERANCE = 0.0005

/** A stroke as it is kept: no more points than it takes, and no more than the limit. `pressures` 0 to 1, where a pen tells them. */
export function stroke(points: readonly Point[], pressures: readonly number[] | undefined, aspect: Aspect): Pick<Shape, 'p' | 'z'> {
  const even = points.map(({ x, y }) => ({ x, y: y / aspect }))
  let kept = essential(even, TOLERANCE * COORDINATE_UNITS)
  for (let t = TOLERANCE * 2; kept.length > POINTS_PER_SHAPE; t *= 2) kept = essential(even, t * COORDINATE_UNITS)
  const p = packed(kept.map(i => points[i]!))
  return pressures ? { p, z: kept.map(i => Math.round(Math.max(0, Math.min(1, pressures[i]!)) * 100)) } : { p }
}

/** Ids grow with time: in every tab and for everybody the later drawing lies on top, and two tabs that join come to the same. */
export const byAge = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

/** The drawing of this id. Where none is named the list, which is work to make, is not made. */
export const withId = (id: string | undefined, shapes: () => readonly Shape[]) =>
  id === undefined ? undefined : shapes().find(s => s.id === id)

/** What notes have drawn on a clip, the last on top, whichever note it is of. */
export const drawnOn = (notes: readonly { video: string; shapes?: readonly Shape[] | undefined }[], video: string | undefined): Shape[] =>
  notes.flatMap(n => (n.video === video ? (n.shapes ?? []) : [])).sort(byAge)

/** How strongly a drawing shows at a frame: 0 (not) to 1. */
export function strength({ from, hold, fade }: Pick<Shape, 'from' | 'hold' | 'fade'>, frame: number): number {
  const past = frame - from - hold
  if (frame < from || past >= fade) return 0
  return past < 0 ? 1 : 1 - (past + 1) / (fade + 1)
}

/** The angle at the middle of three points, whole degrees. */
export function degrees([a, corner, b]: readonly Point[], aspect: Aspect): number {
  const way = (to: Point) => Math.atan2(to.y - corner!.y, (to.x - corner!.x) * aspect)
  const turn = Math.abs(way(a!) - way(b!)) * (180 / Math.PI)
  return Math.round(turn > 180 ? 360 - turn : turn)
}

/** Moved by so much, as far as the picture goes; its form stays. */
export function moved(shape: Shape, by: Point): Shape {
  const points = unpacked(shape.p)
  const within = (values: number[], d: number) =>
    Math.max(-Math.min(...values), Math.min(COORDINATE_UNITS - Math.max(...values), Math.round(d)))
  const dx = within(
    points.map(p => p.x),
    by.x,
  )
  const dy = within(
    points.map(p => p.y),
    by.y,
  )
  return { ...shape, p: packed(points.map(({ x, y }) => ({ x: x + dx, y: y + dy }))) }
}

/** The points that one takes hold of to reshape it; a stroke and a text are only moved. */
export const handles = (shape: Shape): Point[] => (shape.tool === 'pen' || shape.tool === 'text' ? [] : unpacked(shape.p))

export const reshaped = (shape: Shape, handle: number, to: Point): Shape => ({
  ...shape,
  p: packed(unpacked(shape.p).map((point, i) => (i === handle ? to : point))),
})

/** The corners that hold a shape. `label`: the size of a text, in units. */
export function bounds(
  shape: Shape,
  label?: { width: number; height: number },
): { left: number; top: number; right: number; bottom: number } {
  const points = unpacked(shape.p)
  const [xs, ys] = [points.map(p => p.x), points.map(p => p.y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { left, top, right: Math.max(...xs) + (label?.width ?? 0), bottom: Math.max(...ys) + (label?.height ?? 0) }
}

/** Whether somebody who points there means this shape: within `reach`, in units of the picture's height. */
export function hit(shape: Shape, at: Point, reach: number, aspect: Aspect, label?: { width: number; height: number }): boolean {
  const even = ({ x, y }: Point) => ({ x: x * aspect, y })
  const points = unpacked(shape.p).map(even)
  const here = even(at)
  const near = reach + shape.width / 2
  const [a, b] = points as [Point, Point]
  switch (shape.tool) {
    case 'text': {
      const box = bounds(shape, label)
      return (
        at.x >= box.left - reach / aspect && at.x <= box.right + reach / aspect && at.y >= box.top - reach && at.y <= box.bottom + reach
      )
    }
    case 'circle': {
      const [rx, ry] = [Math.abs(b.x - a.x) / 2 || 1, Math.abs(b.y - a.y) / 2 || 1]
      const [dx, dy] = [here.x - (a.x + b.x) / 2, here.y - (a.y + b.y) / 2]
      const away = Math.hypot(dx / rx, dy / ry)
      return Math.abs(away - 1) * Math.min(rx, ry) <= near
    }
    case 'rectangle': {
      const corners = [a, { x: b.x, y: a.y }, b, { x: a.x, y: b.y }]
      return corners.some((c, i) => distance(here, c, corners[(i + 1) % 4]!) <= near)
    }
    default:
      return points.some((point, i) => distance(here, points[Math.max(0, i - 1)]!, point) <= near)
  }
}
