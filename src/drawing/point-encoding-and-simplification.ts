import { PICTURE_SIDE_UNITS } from '../../modules/reviews/policy.ts'

/** A point of the picture (0 to `PICTURE_SIDE_UNITS` on both axes), or of a canvas (in pixels). */
export interface Point {
  x: number
  y: number
}

/** Encodes points for `Shape.p` as integers: x and y of the first point, then the differences from each point to the next. */
export function encodePoints(points: readonly Point[]): number[] {
  const p: number[] = []
  let before: Point = { x: 0, y: 0 }
  for (const point of points) {
    const whole = { x: clamp(point.x), y: clamp(point.y) }
    p.push(whole.x - before.x, whole.y - before.y)
    before = whole
  }
  return p
}

export function decodePoints(p: readonly number[]): Point[] {
  const points: Point[] = []
  let [x, y] = [0, 0]
  for (let i = 0; i + 1 < p.length; i += 2) {
    x += p[i]!
    y += p[i + 1]!
    points.push({ x, y })
  }
  return points
}

/**
 * Mirrors the encoded points of a drawing horizontally. `labelWidth`: the width, in picture units, of a label that is painted to the right
 * of its point, so that its right edge is mirrored instead.
 */
export const mirrorPoints = (p: readonly number[], labelWidth = 0): number[] =>
  encodePoints(decodePoints(p).map(({ x, y }) => ({ x: PICTURE_SIDE_UNITS - x - labelWidth, y })))

const clamp = (n: number) => Math.max(0, Math.min(PICTURE_SIDE_UNITS, Math.round(n)))

/** Distance from a point to the line segment from `a` to `b`. */
export function distanceToSegment(point: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const length = dx * dx + dy * dy
  const t = length ? Math.max(0, Math.min(1, ((point.x - a.x) * dx + (point.y - a.y) * dy) / length)) : 0
  return Math.hypot(point.x - a.x - t * dx, point.y - a.y - t * dy)
}

/**
 * Simplifies a line with the Douglas–Peucker algorithm: returns the indexes of the points to keep, so that all others lie within
 * `tolerance` of the simplified line. Horizontal and vertical units must have the same length.
 */
export function simplifiedLineIndexes(points: readonly Point[], tolerance: number): number[] {
  if (points.length < 3) return points.map((_, i) => i)
  const keep = new Uint8Array(points.length)
  keep[0] = keep[points.length - 1] = 1
  const spans: [number, number][] = [[0, points.length - 1]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [first, last] = span
    let [worst, at] = [tolerance, -1]
    for (let i = first + 1; i < last; i++) {
      const distance = distanceToSegment(points[i]!, points[first]!, points[last]!)
      if (distance > worst) [worst, at] = [distance, i]
    }
    if (at < 0) continue
    keep[at] = 1
    spans.push([first, at], [at, last])
  }
  return points.flatMap((_, i) => (keep[i] ? i : []))
}
