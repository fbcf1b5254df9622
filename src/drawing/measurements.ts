import type { Shape } from '../../modules/reviews/contract.ts'
import { decodePoints, type Point } from './point-encoding-and-simplification.ts'
import type { PictureAspectRatio } from './shape-geometry.ts'

/** Standard lengths on a ball field, in inches. */
export const REFERENCE_LENGTHS_INCHES = [
  [33, 'Bat, 33 in'],
  [17, 'Plate, 17 in'],
  [24, 'Rubber, 24 in'],
] as const

/** How far off a person typically places the end of a line, in ten-thousandths of the picture's height: about 3 px in a 720p video. */
const END_POINT_ERROR_UNITS = 42

const distance = (a: Point, b: Point, aspect: PictureAspectRatio) => Math.hypot((a.x - b.x) * aspect, a.y - b.y)

/**
 * Returns the length that a `length` shape measures, and its error, both in inches. The error covers the four line ends, which are placed
 * by hand. If the measured object is nearer to the camera than the known length, or farther away, the real error is larger.
 */
export function measuredInches(
  { p, inches = 0 }: Pick<Shape, 'p' | 'inches'>,
  aspect: PictureAspectRatio,
): { inches: number; error: number } {
  const [a, b, c, d] = decodePoints(p) as [Point, Point, Point, Point]
  const known = Math.max(1, distance(a, b, aspect))
  const measured = distance(c, d, aspect)
  const lineError = END_POINT_ERROR_UNITS * Math.SQRT2
  const inUnits = inches / known
  return { inches: measured * inUnits, error: inUnits * Math.hypot(lineError, (lineError * measured) / known) }
}

/** Returns a label such as '41 ± 2 in', rounded so that it shows no digit that the error makes meaningless. */
export function measuredLengthLabel(shape: Pick<Shape, 'p' | 'inches'>, aspect: PictureAspectRatio): string {
  const { inches, error } = measuredInches(shape, aspect)
  if (error >= 1) return `${Math.round(inches)} ± ${Math.ceil(error)} in`
  return `${inches.toFixed(1)} ± ${(Math.ceil(error * 10) / 10).toFixed(1)} in`
}

/** Returns a label such as '412 ms', or one with the number of frames if their real time is unknown. */
export function stopwatchDurationLabel({ frames = [0, 0], milliseconds }: Pick<Shape, 'frames' | 'milliseconds'>): string {
  if (milliseconds !== undefined) return `${Math.round(milliseconds)} ms`
  const count = frames.at(-1)! - frames[0]!
  return `${count} frame${count === 1 ? '' : 's'}, real time not known`
}
