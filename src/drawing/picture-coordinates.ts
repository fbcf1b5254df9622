import { PICTURE_SIDE_UNITS } from '../../modules/reviews/policy.ts'
import type { Point } from './point-encoding-and-simplification.ts'

/** Where the whole picture lies on a canvas, in the canvas's pixels (CSS pixels on a stage). A zoomed picture extends beyond the canvas. */
export interface PictureRect {
  left: number
  top: number
  width: number
  height: number
}

export const isSameRect = (a: PictureRect, b: PictureRect) =>
  a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height

/** Converts a point of the picture to canvas pixels; `toPicturePoint` converts back. */
export const toCanvasPoint = ({ x, y }: Point, at: PictureRect): Point => ({
  x: at.left + (x / PICTURE_SIDE_UNITS) * at.width,
  y: at.top + (y / PICTURE_SIDE_UNITS) * at.height,
})
export const toPicturePoint = ({ x, y }: Point, at: PictureRect): Point => ({
  x: ((x - at.left) / at.width) * PICTURE_SIDE_UNITS,
  y: ((y - at.top) / at.height) * PICTURE_SIDE_UNITS,
})
