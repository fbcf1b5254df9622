import { getStroke } from 'perfect-freehand'
import type { Shape } from '../../modules/reviews/contract.ts'
import { INK_NAMES, MAX_COORDINATE } from '../../modules/reviews/policy.ts'
import { measuredLengthLabel, stopwatchLabel } from './measurements.ts'
import { PICTURE_FONT_FAMILIES } from './picture-font-families.ts'
import { decodePoints, type Point } from './points.ts'
import {
  angleArcRadius,
  angleLabelPlace,
  angleOutline,
  arrowOutline,
  endTicksOfMeasuredLine,
  GRID_CELLS_ACROSS,
  gridLines,
  homePlateOutline,
  lineLabelPlace,
  polyline,
} from './shape-paths.ts'
import { angleDegrees, tiltFromNearestAxis } from './shapes.ts'

/** Where the whole picture lies on a canvas, in CSS pixels. If it is zoomed, parts of it lie outside the canvas. */
export interface PictureRect {
  left: number
  top: number
  width: number
  height: number
}

export const isSameRect = (a: PictureRect, b: PictureRect) =>
  a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height

/** CSS colors of the inks, indexed by `Shape.color`. */
export type InkColors = readonly string[]

/** Reads the ink colors from the theme of an element. */
export const readInkColors = (element: Element): InkColors => {
  const style = getComputedStyle(element)
  // `--chalk` is the page's background, which is dark in the studio; the ink is white in every theme.
  return INK_NAMES.map(name => style.getPropertyValue(name === 'chalk' ? '--chalk-mark' : `--${name}`).trim() || '#e2743f')
}

/** A dark outline makes a drawing visible on both grass and sky. */
const EDGE_COLOR = 'rgb(14 21 18 / 0.7)'
const FONT = `650 1px ${PICTURE_FONT_FAMILIES}, Arial, sans-serif`
/** The height of a letter in line widths, and its minimum in picture units. */
const LETTER_HEIGHT_IN_WIDTHS = 8
const MIN_LETTER_HEIGHT = 240

/** Height of the letters of a shape (its text, or an angle's degrees), in units of the picture's height. */
export const shapeTextHeight = (width: number) => Math.max(MIN_LETTER_HEIGHT, width * LETTER_HEIGHT_IN_WIDTHS)

let ruler: CanvasRenderingContext2D | null = null

/** Size of a painted text in picture units, horizontally and vertically. */
export function shapeTextSize(shape: Pick<Shape, 'tool' | 'text' | 'width' | 'frames' | 'milliseconds'>, aspect: number) {
  ruler ??= document.createElement('canvas').getContext('2d')
  const height = shapeTextHeight(shape.width)
  if (!ruler) return { width: 0, height }
  ruler.font = FONT.replace('1px', '100px')
  return {
    width: ((ruler.measureText(shape.tool === 'stopwatch' ? stopwatchLabel(shape) : (shape.text ?? '')).width / 100) * height) / aspect,
    height: height * 1.2,
  }
}

/** Converts a point of the picture to canvas pixels; `toPicturePoint` converts back. */
export const toCanvasPoint = ({ x, y }: Point, at: PictureRect): Point => ({
  x: at.left + (x / MAX_COORDINATE) * at.width,
  y: at.top + (y / MAX_COORDINATE) * at.height,
})
export const toPicturePoint = ({ x, y }: Point, at: PictureRect): Point => ({
  x: ((x - at.left) / at.width) * MAX_COORDINATE,
  y: ((y - at.top) / at.height) * MAX_COORDINATE,
})

/** Paints one shape. `strength` is its opacity, 0 to 1. */
export function paintShape(ctx: CanvasRenderingContext2D, shape: Shape, at: PictureRect, inks: InkColors, strength = 1) {
  // A pen stroke has many points, so `cachedPaths` holds its path.
  const points = shape.tool === 'pen' ? [] : canvasPoints(shape, at)
  const width = Math.max(2, (shape.width / MAX_COORDINATE) * at.height)
  const edge = Math.max(1, width * 0.18)
  const color = inks[shape.color] ?? inks[0]!
  ctx.save()
  ctx.globalAlpha = strength
  ctx.lineCap = ctx.lineJoin = 'round'
  const lines = (path: Path2D) => {
    ctx.lineWidth = width + 2 * edge
    ctx.strokeStyle = EDGE_COLOR
    ctx.stroke(path)
    ctx.lineWidth = width
    ctx.strokeStyle = color
    ctx.stroke(path)
  }
  const letters = (text: string, { x, y }: Point, baseline: CanvasTextBaseline, align: CanvasTextAlign) => {
    const size = (shapeTextHeight(shape.width) / MAX_COORDINATE) * at.height
    ctx.font = FONT.replace('1px', `${size}px`)
    ctx.textBaseline = baseline
    ctx.textAlign = align
    ctx.lineWidth = Math.max(2, size * 0.16)
    ctx.strokeStyle = EDGE_COLOR
    ctx.strokeText(text, x, y)
    ctx.fillStyle = color
    ctx.fillText(text, x, y)
  }
  const [a, b, c] = points as [Point, Point, Point]
  switch (shape.tool) {
    case 'pen':
      if (shape.z) fillWithEdge(ctx, strokePath(shape, at, width), edge, color)
      else lines(strokePath(shape, at, width))
      break
    case 'line':
      lines(polyline([a, b]))
      break
    case 'arrow':
      lines(arrowOutline(a, b, width))
      break
    case 'circle': {
      const path = new Path2D()
      path.ellipse((a.x + b.x) / 2, (a.y + b.y) / 2, Math.abs(b.x - a.x) / 2, Math.abs(b.y - a.y) / 2, 0, 0, 2 * Math.PI)
      lines(path)
      break
    }
    case 'rectangle': {
      const path = new Path2D()
      path.rect(a.x, a.y, b.x - a.x, b.y - a.y)
      lines(path)
      break
    }
    case 'angle': {
      lines(angleOutline(points, width))
      const [one, other] = [Math.atan2(a.y - b.y, a.x - b.x), Math.atan2(c.y - b.y, c.x - b.x)]
      const text = `${angleDegrees(decodePoints(shape.p), at.width / at.height)}°`
      // A letter is about 0.6 times as wide as it is high.
      const size = (shapeTextHeight(shape.width) / MAX_COORDINATE) * at.height
      const room = Math.hypot(text.length * 0.6 * size, size) / 2 + width
      letters(text, angleLabelPlace({ corner: b, one, other, arc: angleArcRadius(points, width) }, room), 'middle', 'center')
      break
    }
    case 'tilt': {
      const { degrees, axis } = tiltFromNearestAxis(decodePoints(shape.p), at.width / at.height)
      const length = Math.hypot(b.x - a.x, b.y - a.y)
      const end =
        axis === 'vertical' ? { x: a.x, y: a.y + Math.sign(b.y - a.y) * length } : { x: a.x + Math.sign(b.x - a.x) * length, y: a.y }
      ctx.save()
      ctx.setLineDash([width * 2, width * 3])
      lines(polyline([a, end]))
      ctx.restore()
      lines(polyline([a, b]))
      // The text is beyond the ends of both lines, so that it crosses neither.
      const letter = (shapeTextHeight(shape.width) / MAX_COORDINATE) * at.height
      const [middle, out] = [{ x: (b.x + end.x) / 2, y: (b.y + end.y) / 2 }, (letter * 0.9) / Math.max(1, length)]
      const words = `${degrees}° ${axis === 'vertical' ? 'off vertical' : 'off level'}`
      const align = axis === 'vertical' ? 'center' : end.x > a.x ? 'left' : 'right'
      letters(words, { x: middle.x + (middle.x - a.x) * out, y: middle.y + (middle.y - a.y) * out }, 'middle', align)
      break
    }
    case 'path': {
      const tip = points.at(-1)!
      lines(polyline(points))
      const dot = new Path2D()
      dot.arc(tip.x, tip.y, width * 1.6, 0, 2 * Math.PI)
      fillWithEdge(ctx, dot, edge, color)
      break
    }
    case 'length': {
      const d = points[3]!
      ctx.save()
      ctx.setLineDash([width * 2, width * 3])
      lines(polyline([a, b]))
      ctx.restore()
      lines(polyline([c, d]))
      lines(endTicksOfMeasuredLine(c, d, width))
      const size = (shapeTextHeight(shape.width) / MAX_COORDINATE) * at.height
      for (const [words, place] of [
        [`${shape.inches} in`, lineLabelPlace(a, b, size)],
        [measuredLengthLabel(shape, at.width / at.height), lineLabelPlace(c, d, size)],
      ] as const)
        letters(words, place.at, 'middle', place.align)
      break
    }
    case 'grid':
      lines(
        gridLines(
          a,
          b,
          GRID_CELLS_ACROSS,
          Math.max(1, Math.round((GRID_CELLS_ACROSS * Math.abs(b.y - a.y)) / Math.max(1, Math.abs(b.x - a.x)))),
        ),
      )
      break
    case 'zone':
      lines(gridLines(a, b, 3, 3))
      break
    case 'plate':
      lines(homePlateOutline(a, b))
      break
    case 'stopwatch':
      letters(stopwatchLabel(shape), a, 'top', 'left')
      break
    case 'text':
      letters(shape.text ?? '', a, 'top', 'left')
  }
  ctx.restore()
}

const canvasPoints = (shape: Shape, at: PictureRect) => decodePoints(shape.p).map(p => toCanvasPoint(p, at))

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

function fillWithEdge(ctx: CanvasRenderingContext2D, path: Path2D, edge: number, color: string) {
  ctx.lineWidth = 2 * edge
  ctx.strokeStyle = EDGE_COLOR
  ctx.stroke(path)
  ctx.fillStyle = color
  ctx.fill(path)
}
