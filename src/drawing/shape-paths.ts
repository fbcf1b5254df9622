import type { Point } from './point-encoding-and-simplification.ts'

// The paths of shapes, in pixels of their canvas.

export const polyline = (points: readonly Point[]) => {
  const path = new Path2D()
  for (const [i, { x, y }] of points.entries()) i ? path.lineTo(x, y) : path.moveTo(x, y)
  // A canvas paints nothing for a line of length zero, so a dot gets a tiny length.
  if (points.length === 1) path.lineTo(points[0]!.x + 0.01, points[0]!.y)
  return path
}

/** A line with an arrowhead at its end. */
export function arrowPath(from: Point, to: Point, width: number): Path2D {
  const path = polyline([from, to])
  const direction = Math.atan2(to.y - from.y, to.x - from.x)
  const head = Math.min(Math.max(12, width * 4.5), Math.hypot(to.x - from.x, to.y - from.y))
  const side = (turn: number) => ({ x: to.x - Math.cos(direction + turn) * head, y: to.y - Math.sin(direction + turn) * head })
  path.addPath(polyline([side(0.5), to, side(-0.5)]))
  return path
}

/** Radius of the arc between the arms of an angle, in pixels. */
export const angleArcRadius = ([a, b, c]: readonly Point[], width: number) =>
  Math.min(Math.max(18, width * 7), Math.hypot(a!.x - b!.x, a!.y - b!.y) * 0.8, Math.hypot(c!.x - b!.x, c!.y - b!.y) * 0.8)

/** Both arms of an angle and the arc between them. */
export function anglePath(points: readonly Point[], width: number): Path2D {
  const [a, b, c] = points as [Point, Point, Point]
  const path = polyline(points)
  const [one, other] = [Math.atan2(a.y - b.y, a.x - b.x), Math.atan2(c.y - b.y, c.x - b.x)]
  const turn = Math.atan2(Math.sin(other - one), Math.cos(other - one))
  const arc = new Path2D()
  arc.arc(b.x, b.y, angleArcRadius(points, width), one, one + turn, turn < 0)
  path.addPath(arc)
  return path
}

/** Number of grid cells horizontally; the cells are nearly square. */
export const GRID_CELLS_ACROSS = 8

/** Lines that divide the rectangle between two corners, including its edges. */
export function gridLines(a: Point, b: Point, across: number, down: number): Path2D {
  const path = new Path2D()
  for (let i = 0; i <= across; i++) {
    const x = a.x + ((b.x - a.x) * i) / across
    path.moveTo(x, a.y)
    path.lineTo(x, b.y)
  }
  for (let i = 0; i <= down; i++) {
    const y = a.y + ((b.y - a.y) * i) / down
    path.moveTo(a.x, y)
    path.lineTo(b.x, y)
  }
  return path
}

/**
 * The outline of home plate in the rectangle between two corners. It is 17 inches wide, its sides are half as long as it is deep, and its
 * point lies on the side away from the first corner.
 */
export function homePlatePath(a: Point, b: Point): Path2D {
  const middle = { x: (a.x + b.x) / 2, y: b.y }
  const shoulder = a.y + (b.y - a.y) / 2
  return polyline([a, { x: b.x, y: a.y }, { x: b.x, y: shoulder }, middle, { x: a.x, y: shoulder }, a])
}

/** Short strokes across both ends of a measured line. */
export function endTicksOfMeasuredLine(a: Point, b: Point, width: number): Path2D {
  const turn = Math.atan2(b.y - a.y, b.x - a.x) + Math.PI / 2
  const [dx, dy] = [Math.cos(turn) * width * 2.5, Math.sin(turn) * width * 2.5]
  const path = new Path2D()
  for (const { x, y } of [a, b])
    path.addPath(
      polyline([
        { x: x - dx, y: y - dy },
        { x: x + dx, y: y + dy },
      ]),
    )
  return path
}

/** The position of a label of height `size` above a line, or to the right of a steep one, and its alignment at that point. */
export function lineLabelPlace(a: Point, b: Point, size: number): { at: Point; align: 'left' | 'center' } {
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
  const isSteep = Math.abs(b.y - a.y) > Math.abs(b.x - a.x)
  if (isSteep) return { at: { x: Math.max(a.x, b.x) + size * 0.6, y: middle.y }, align: 'left' }
  return { at: { x: middle.x, y: Math.min(a.y, b.y) - size * 0.9 }, align: 'center' }
}

/**
 * The center of an angle's label, chosen so that a circle of radius `room` around it touches neither the arms nor the arc: between the
 * arms beyond the arc, or, if the arms are too close together, on the other side of the corner.
 */
export function angleLabelPlace(
  { corner, one, other, arc }: { corner: Point; one: number; other: number; arc: number },
  room: number,
): Point {
  const turn = Math.abs(Math.atan2(Math.sin(other - one), Math.cos(other - one)))
  const middle = Math.atan2(Math.sin(one) + Math.sin(other), Math.cos(one) + Math.cos(other))
  const between = Math.max(arc + room, room / Math.max(0.01, Math.sin(Math.min(turn / 2, Math.PI / 2))))
  const distance = between <= arc + 2.5 * room ? between : -room
  return { x: corner.x + Math.cos(middle) * distance, y: corner.y + Math.sin(middle) * distance }
}
