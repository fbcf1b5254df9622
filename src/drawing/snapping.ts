import type { DrawingTool } from '../../modules/reviews/contract.ts'
import type { Point } from './point-encoding-and-simplification.ts'
import type { PictureAspectRatio } from './shape-geometry.ts'

/** A line or an arrow that is within this angle of a multiple of 45° snaps to it. */
const SNAP_RADIANS = 2 * (Math.PI / 180)

/** The end of a line from `from`, given its direction in radians and its length in ten-thousandths of the picture's height. */
const endOfLine = (from: Point, direction: number, length: number, aspect: PictureAspectRatio): Point => ({
  x: from.x + (Math.cos(direction) * length) / aspect,
  y: from.y + Math.sin(direction) * length,
})

/** Where a shape ends if Shift is held: a circle becomes round, a rectangle square, and all other tools snap to multiples of 22.5°. */
export function constrainShapeEnd(tool: DrawingTool | 'plumb', from: Point, to: Point, aspect: PictureAspectRatio): Point {
  const [dx, dy] = [(to.x - from.x) * aspect, to.y - from.y]
  if (tool === 'circle' || tool === 'rectangle') {
    const side = Math.max(Math.abs(dx), Math.abs(dy))
    return { x: from.x + (Math.sign(dx) * side) / aspect, y: from.y + Math.sign(dy) * side }
  }
  return endOfLine(from, Math.round(Math.atan2(dy, dx) / (Math.PI / 8)) * (Math.PI / 8), Math.hypot(dx, dy), aspect)
}

/**
 * Snaps a line or an arrow that is almost at a multiple of 45° to that direction. Measuring tools (angle, tilt) never snap, because that
 * would change the measurement.
 */
export function snapLineNear45Degrees(tool: DrawingTool | 'plumb', from: Point, to: Point, aspect: PictureAspectRatio): Point {
  if (tool !== 'line' && tool !== 'arrow') return to
  const [dx, dy] = [(to.x - from.x) * aspect, to.y - from.y]
  const direction = Math.atan2(dy, dx)
  const nearest = Math.round(direction / (Math.PI / 4)) * (Math.PI / 4)
  return Math.abs(direction - nearest) <= SNAP_RADIANS ? endOfLine(from, nearest, Math.hypot(dx, dy), aspect) : to
}
