import type { Shape } from '../../modules/reviews/contract.ts'
import { stopwatchDurationLabel } from './measurements.ts'
import { PICTURE_FONT_FAMILIES } from './picture-font-families.ts'

/** The CSS font of the letters in drawings, at a height of one pixel. */
const FONT = `650 1px ${PICTURE_FONT_FAMILIES}, Arial, sans-serif`
/** A letter is this many times as high as its shape's line is wide. The minimum height is in ten-thousandths of the picture's height. */
const LETTER_HEIGHT_IN_WIDTHS = 8
const MIN_LETTER_HEIGHT = 240

/** Height of the letters of a shape (its text, or an angle's degrees), in ten-thousandths of the picture's height. */
export const letterHeightForLineWidth = (width: number) => Math.max(MIN_LETTER_HEIGHT, width * LETTER_HEIGHT_IN_WIDTHS)

/** The CSS font for letters that are `height` pixels high. */
export const shapeFont = (height: number) => FONT.replace('1px', `${height}px`)

let ruler: CanvasRenderingContext2D | null = null

/** Sets the canvas that measures texts where no document can create one, as when the server renders a review. */
export function setTextMeasuringCanvas(context: CanvasRenderingContext2D) {
  ruler = context
}

/**
 * Returns the size of a text or stopwatch shape as painted: `width` in ten-thousandths of the picture's width, and `height` in
 * ten-thousandths of the picture's height. Without a 2D canvas, `width` is 0.
 */
export function measureShapeText(shape: Pick<Shape, 'tool' | 'text' | 'width' | 'frames' | 'milliseconds'>, aspect: number) {
  if (!ruler && typeof document !== 'undefined') ruler = document.createElement('canvas').getContext('2d')
  const height = letterHeightForLineWidth(shape.width)
  if (!ruler) return { width: 0, height }
  ruler.font = shapeFont(100)
  return {
    width:
      ((ruler.measureText(shape.tool === 'stopwatch' ? stopwatchDurationLabel(shape) : (shape.text ?? '')).width / 100) * height) / aspect,
    height: height * 1.2,
  }
}
