import type { PictureRect } from './picture-coordinates.ts'

/**
 * The visible part of the picture. `scale` 1 shows all of it; `x`, `y` (0 to 1) are the point of the picture at the center of the stage.
 */
export interface Viewport {
  scale: number
  x: number
  y: number
}
export const fullViewport: Viewport = { scale: 1, x: 0.5, y: 0.5 }
/** The largest `Viewport.scale`. */
export const MAX_ZOOM = 8

interface Size {
  width: number
  height: number
}

/** The picture's position and size in a box, in the box's pixels. At scale 1, it just fits. `aspect` is width divided by height. */
export function pictureRect(box: Size, aspect: number, { scale, x, y }: Viewport): PictureRect {
  const fits =
    box.width / box.height > aspect ? { width: box.height * aspect, height: box.height } : { width: box.width, height: box.width / aspect }
  const [width, height] = [fits.width * scale, fits.height * scale]
  return { left: box.width / 2 - x * width, top: box.height / 2 - y * height, width, height }
}

/**
 * Limits the scale to 1 to `MAX_ZOOM`, and moves the viewport so that a picture larger than the box leaves no gap at the box's edges, and a
 * smaller one is centered.
 */
export function clampViewport(view: Viewport, box: Size, aspect: number): Viewport {
  const scale = Math.min(MAX_ZOOM, Math.max(1, view.scale))
  const { width, height } = pictureRect(box, aspect, { ...view, scale })
  const along = (at: number, shown: number, length: number) => {
    if (length <= shown) return 0.5
    const half = shown / 2 / length
    return Math.min(1 - half, Math.max(half, at))
  }
  return { scale, x: along(view.x, box.width, width), y: along(view.y, box.height, height) }
}

/** Zooms by a factor. The point `at` (in the box's pixels) stays in place, as far as `clampViewport` allows. */
export function zoomViewport(view: Viewport, factor: number, at: { x: number; y: number }, box: Size, aspect: number): Viewport {
  const before = pictureRect(box, aspect, view)
  const scale = Math.min(MAX_ZOOM, Math.max(1, view.scale * factor))
  const under = { x: (at.x - before.left) / before.width, y: (at.y - before.top) / before.height }
  const { width, height } = pictureRect(box, aspect, { ...view, scale })
  return clampViewport({ scale, x: under.x - (at.x - box.width / 2) / width, y: under.y - (at.y - box.height / 2) / height }, box, aspect)
}

/** Moves the picture by a distance in the box's pixels, as dragging does, as far as `clampViewport` allows. */
export function panViewport(view: Viewport, by: { x: number; y: number }, box: Size, aspect: number): Viewport {
  const { width, height } = pictureRect(box, aspect, view)
  return clampViewport({ ...view, x: view.x - by.x / width, y: view.y - by.y / height }, box, aspect)
}

/** Moves the viewport by a tenth of the visible part, for one press of an arrow key. */
export function nudgeViewport({ scale, x, y }: Viewport, by: { x: number; y: number }): Viewport {
  const half = 0.5 / scale
  const along = (at: number, direction: number) => Math.min(1 - half, Math.max(half, at + direction / 10 / scale))
  return { scale, x: along(x, by.x), y: along(y, by.y) }
}

/** The direction of each arrow key, by `KeyboardEvent.key`. */
export const ARROW_DIRECTIONS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
