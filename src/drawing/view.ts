import type { Place } from './paint.ts'

/** What part of the picture is seen: `scale` 1 is all of it; `x`, `y` are the place of the picture (0 to 1) in the middle of the stage. */
export interface View {
  scale: number
  x: number
  y: number
}
export const whole: View = { scale: 1, x: 0.5, y: 0.5 }
export const MOST = 8

interface Size {
  width: number
  height: number
}

/** Where the picture lies in a box, in the box's pixels: as large as fits, times the scale. */
export function placeOf(box: Size, aspect: number, { scale, x, y }: View): Place {
  const fits =
    box.width / box.height > aspect ? { width: box.height * aspect, height: box.height } : { width: box.width, height: box.width / aspect }
  const [width, height] = [fits.width * scale, fits.height * scale]
  return { left: box.width / 2 - x * width, top: box.height / 2 - y * height, width, height }
}

/** The view with no empty edge where the picture is larger than the box, and in the middle where it is smaller. */
export function held(view: View, box: Size, aspect: number): View {
  const scale = Math.min(MOST, Math.max(1, view.scale))
  const { width, height } = placeOf(box, aspect, { ...view, scale })
  const along = (at: number, shown: number, length: number) => {
    if (length <= shown) return 0.5
    const half = shown / 2 / length
    return Math.min(1 - half, Math.max(half, at))
  }
  return { scale, x: along(view.x, box.width, width), y: along(view.y, box.height, height) }
}

/** Larger or smaller by a factor; what lies under `at` (pixels of the box) stays there. */
export function zoomed(view: View, factor: number, at: { x: number; y: number }, box: Size, aspect: number): View {
  const before = placeOf(box, aspect, view)
  const scale = Math.min(MOST, Math.max(1, view.scale * factor))
  const under = { x: (at.x - before.left) / before.width, y: (at.y - before.top) / before.height }
  const { width, height } = placeOf(box, aspect, { ...view, scale })
  return held({ scale, x: under.x - (at.x - box.width / 2) / width, y: under.y - (at.y - box.height / 2) / height }, box, aspect)
}

/** Moved by so many pixels of the box, as a hand moves paper. */
export function panned(view: View, by: { x: number; y: number }, box: Size, aspect: number): View {
  const { width, height } = placeOf(box, aspect, view)
  return held({ ...view, x: view.x - by.x / width, y: view.y - by.y / height }, box, aspect)
}

/** Moved by one press of a key: a tenth of what is seen, as far as the picture goes. */
export function nudged({ scale, x, y }: View, by: { x: number; y: number }): View {
  const half = 0.5 / scale
  const along = (at: number, way: number) => Math.min(1 - half, Math.max(half, at + way / 10 / scale))
  return { scale, x: along(x, by.x), y: along(y, by.y) }
}

/** Which way an arrow key leads. */
export const WAYS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
