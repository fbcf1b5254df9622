import type { Filmstrip } from '../../modules/media/contract.ts'

/** A still of the filmstrip and its position on the strip. */
export interface StillSlot {
  /** Column and row of the still in the filmstrip's image. */
  column: number
  row: number
  /** Left edge and width on the strip, in px. */
  x: number
  width: number
}

/** Chooses as many stills as fit side by side on a strip of `wide` by `high` px, evenly spread over the clip. */
export function layOutStills({ count, columns, width, height }: Omit<Filmstrip, 'url'>, wide: number, high: number): StillSlot[] {
  const many = Math.max(1, Math.min(count, Math.round(wide / ((high * width) / height))))
  return Array.from({ length: many }, (_, i) => {
    const still = Math.floor(((i + 0.5) * count) / many)
    return { column: still % columns, row: Math.floor(still / columns), x: (i * wide) / many, width: wide / many }
  })
}

/** The still nearest to a frame of a clip with `frames` frames, and the frame that this still shows. */
export function nearestStill({ count, columns }: Pick<Filmstrip, 'count' | 'columns'>, frame: number, frames: number) {
  const still = Math.min(count - 1, Math.floor((frame * count) / frames))
  return { column: still % columns, row: Math.floor(still / columns), frame: Math.floor(((still + 0.5) * frames) / count) }
}

/** Paints the stills into a canvas of `wide` by `high` CSS pixels. */
export function paintFilmstrip(canvas: HTMLCanvasElement, strip: Filmstrip, stills: CanvasImageSource, wide: number, high: number) {
  const dots = globalThis.devicePixelRatio || 1
  canvas.width = Math.round(wide * dots)
  canvas.height = Math.round(high * dots)
  const context = canvas.getContext('2d')
  if (!context) return
  context.scale(dots, dots)
  for (const { column, row, x, width } of layOutStills(strip, wide, high)) {
    // Crops each still around its middle, so that it is not distorted.
    const scale = Math.max(width / strip.width, high / strip.height)
    const [w, h] = [width / scale, high / scale]
    const [left, top] = [column * strip.width + (strip.width - w) / 2, row * strip.height + (strip.height - h) / 2]
    context.drawImage(stills, left, top, w, h, x, 0, width, high)
  }
}
