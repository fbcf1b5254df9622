import { getStroke } from 'perfect-freehand'
import type { DrawingTool, Shape } from '../../modules/reviews/contract.ts'
import type { InkColors } from './ink-colors-from-theme.ts'
import { measuredLengthLabel, stopwatchDurationLabel } from './measurements.ts'
import { OutlinedBrush } from './outlined-brush.ts'
import { isSameRect, type PictureRect, toCanvasPoint } from './picture-coordinates.ts'
import { decodePoints, type Point } from './point-encoding-and-simplification.ts'
import { angleDegrees, tiltFromNearestAxis } from './shape-geometry.ts'
import {
  angleArcRadius,
  angleLabelPlace,
  anglePath,
  arrowPath,
  endTicksOfMeasuredLine,
  GRID_CELLS_ACROSS,
  gridLines,
  homePlatePath,
  lineLabelPlace,
  polyline,
} from './shape-paths.ts'

/** Approximate width of a letter divided by its height. */
const LETTER_ASPECT = 0.6

/** Paints one shape. `opacity` is between 0 and 1. */
export function paintShape(ctx: CanvasRenderingContext2D, shape: Shape, at: PictureRect, inks: InkColors, opacity = 1) {
  ctx.save()
  ctx.globalAlpha = opacity
  ctx.lineCap = ctx.lineJoin = 'round'
  PAINT_BY_TOOL[shape.tool](new OutlinedBrush(ctx, shape, at, inks), shape, at)
  ctx.restore()
}

/** Paints a shape. `at`: the rectangle of the picture on the canvas. */
type PaintTool = (brush: OutlinedBrush, shape: Shape, at: PictureRect) => void

const PAINT_BY_TOOL: Record<DrawingTool, PaintTool> = {
  pen: paintPenStroke,
  line: (brush, shape, at) => brush.stroke(polyline(canvasPoints(shape, at))),
  arrow: (brush, shape, at) => brush.stroke(arrowPath(...corners(shape, at), brush.width)),
  circle: paintCircle,
  rectangle: paintRectangle,
  angle: paintAngle,
  tilt: paintTilt,
  path: paintPath,
  length: paintLength,
  grid: paintGrid,
  zone: (brush, shape, at) => brush.stroke(gridLines(...corners(shape, at), 3, 3)),
  plate: (brush, shape, at) => brush.stroke(homePlatePath(...corners(shape, at))),
  stopwatch: (brush, shape, at) => brush.write(stopwatchDurationLabel(shape), canvasPoints(shape, at)[0]!, 'top', 'left'),
  text: (brush, shape, at) => brush.write(shape.text ?? '', canvasPoints(shape, at)[0]!, 'top', 'left'),
}

function paintPenStroke(brush: OutlinedBrush, shape: Shape, at: PictureRect) {
  const path = strokePath(shape, at, brush.width)
  if (shape.z) brush.fill(path)
  else brush.stroke(path)
}

function paintCircle(brush: OutlinedBrush, shape: Shape, at: PictureRect) {
  const [a, b] = corners(shape, at)
  const path = new Path2D()
  path.ellipse((a.x + b.x) / 2, (a.y + b.y) / 2, Math.abs(b.x - a.x) / 2, Math.abs(b.y - a.y) / 2, 0, 0, 2 * Math.PI)
  brush.stroke(path)
}

function paintRectangle(brush: OutlinedBrush, shape: Shape, at: PictureRect) {
  const [a, b] = corners(shape, at)
  const path = new Path2D()
  path.rect(a.x, a.y, b.x - a.x, b.y - a.y)
  brush.stroke(path)
}

/** Paints the arms of an angle, the arc between them, and the degrees. */
function paintAngle(brush: OutlinedBrush, shape: Shape, at: PictureRect) {
  const points = canvasPoints(shape, at)
  const [a, corner, c] = points as [Point, Point, Point]
  brush.stroke(anglePath(points, brush.width))
  const one = Math.atan2(a.y - corner.y, a.x - corner.x)
  const other = Math.atan2(c.y - corner.y, c.x - corner.x)
  const text = `${angleDegrees(decodePoints(shape.p), at.width / at.height)}°`
  const room = Math.hypot(text.length * LETTER_ASPECT * brush.letterHeight, brush.letterHeight) / 2 + brush.width
  const place = angleLabelPlace({ corner, one, other, arc: angleArcRadius(points, brush.width) }, room)
  brush.write(text, place, 'middle', 'center')
}

/** Paints a line, a dashed vertical or level line from its start (whichever is nearer), and the degrees between the two. */
function paintTilt(brush: OutlinedBrush, shape: Shape, at: PictureRect) {
  const [a, b] = corners(shape, at)
  const { degrees, axis } = tiltFromNearestAxis(decodePoints(shape.p), at.width / at.height)
  const isVertical = axis === 'vertical'
  const length = Math.hypot(b.x - a.x, b.y - a.y)
  const end = isVertical ? { x: a.x, y: a.y + Math.sign(b.y - a.y) * length } : { x: a.x + Math.sign(b.x - a.x) * length, y: a.y }
  brush.strokeDashed(polyline([a, end]))
  brush.stroke(polyline([a, b]))
  // The text is beyond the ends of both lines, so that it crosses neither.
  const middle = { x: (b.x + end.x) / 2, y: (b.y + end.y) / 2 }
  const out = (brush.letterHeight * 0.9) / Math.max(1, length)
  const place = { x: middle.x + (middle.x - a.x) * out, y: middle.y + (middle.y - a.y) * out }
  const align = isVertical ? 'center' : end.x > a.x ? 'left' : 'right'
  brush.write(`${degrees}° ${isVertical ? 'off vertical' : 'off level'}`, place, 'middle', align)
}

/** Paints the path of something tracked through the video, with a dot at its latest position. */
function paintPath(brush: OutlinedBrush, shape: Shape, at: PictureRect) {
  const points = canvasPoints(shape, at)
  const tip = points.at(-1)!
  brush.stroke(polyline(points))
  const dot = new Path2D()
  dot.arc(tip.x, tip.y, brush.width * 1.6, 0, 2 * Math.PI)
  brush.fill(dot)
}

/** Paints a dashed reference line of known length, and the line that is measured against it, both with their lengths. */
function paintLength(brush: OutlinedBrush, shape: Shape, at: PictureRect) {
  const [referenceStart, referenceEnd, start, end] = canvasPoints(shape, at) as [Point, Point, Point, Point]
  brush.strokeDashed(polyline([referenceStart, referenceEnd]))
  brush.stroke(polyline([start, end]))
  brush.stroke(endTicksOfMeasuredLine(start, end, brush.width))
  const referenceLabel = lineLabelPlace(referenceStart, referenceEnd, brush.letterHeight)
  brush.write(`${shape.inches} in`, referenceLabel.at, 'middle', referenceLabel.align)
  const label = lineLabelPlace(start, end, brush.letterHeight)
  brush.write(measuredLengthLabel(shape, at.width / at.height), label.at, 'middle', label.align)
}

/** Paints a grid whose cells are nearly square. */
function paintGrid(brush: OutlinedBrush, shape: Shape, at: PictureRect) {
  const [a, b] = corners(shape, at)
  const down = (GRID_CELLS_ACROSS * Math.abs(b.y - a.y)) / Math.max(1, Math.abs(b.x - a.x))
  brush.stroke(gridLines(a, b, GRID_CELLS_ACROSS, Math.max(1, Math.round(down))))
}

const canvasPoints = (shape: Shape, at: PictureRect) => decodePoints(shape.p).map(p => toCanvasPoint(p, at))
/** The first two points of a shape: the ends of a line, or opposite corners. */
const corners = (shape: Shape, at: PictureRect) => canvasPoints(shape, at).slice(0, 2) as [Point, Point]

/** The path of each stroke, for the rectangle in which it was last painted. Shapes are immutable, so a path stays valid. */
const cachedPaths = new WeakMap<Shape, { at: PictureRect; path: Path2D }>()
function strokePath(shape: Shape, at: PictureRect, width: number): Path2D {
  const known = cachedPaths.get(shape)
  if (known && isSameRect(known.at, at)) return known.path
  const points = canvasPoints(shape, at)
  const path = shape.z ? pressureOutline(points, shape.z, width) : polyline(points)
  cachedPaths.set(shape, { at, path })
  return path
}

/** The outline of a stroke whose width follows the pen's pressure `z` (0 to 100 for each point). */
function pressureOutline(points: readonly Point[], z: readonly number[], width: number): Path2D {
  const around = getStroke(
    points.map(({ x, y }, i) => [x, y, (z[i] ?? 50) / 100]),
    { size: width * 1.8, thinning: 0.6, smoothing: 0.5, streamline: 0, simulatePressure: false, last: true },
  )
  const path = new Path2D()
  for (const [i, [x, y]] of around.entries()) i ? path.lineTo(x!, y!) : path.moveTo(x!, y!)
  path.closePath()
  return path
}
