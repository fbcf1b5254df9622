import type { Filmstrip } from '../../modules/media/contract.ts'

/** A part of the filmstrip and where it goes. */
export interface Slot {
  /** Column and row of the still in the filmstrip's picture. */
  column: number
  row: number
  /** Where it begins on the strip, and how wide it is, px. */
  x: number
  width: number
}

/** The stills that stand side by side on a strip of this size, px: as many as fit, spread over the whole clip. */
export function slots({ count, columns, width, height }: Omit<Filmstrip, 'url'>, wide: number, high: number): Slot[] {
  const many = Math.max(1, Math.min(count, Math.round(wide / ((high * width) / height))))
  return Array.from({ length: many }, (_, i) => {
    const still = Math.floor(((i + 0.5) * count) / many)
    return { column: still % columns, row: Math.floor(still / columns), x: (i * wide) / many, width: wide / many }
  })
}

/** The still that a frame of so many lies under, and the frame that it shows. */
export function stillOf({ count, columns }: Pick<Filmstrip, 'count' | 'columns'>, frame: number, frames: number) {
  const still = Math.min(count - 1, Math.floor((frame * count) / frames))
  return { column: still % columns, row: Math.floor(still / columns), frame: Math.floor(((still + 0.5) * frames) / count) }
}

/** Paints the stills into a canvas that is so large on the screen, px. */
export function paintStrip(canvas: HTMLCanvasElement, strip: Filmstrip, stills: CanvasImageSource, wide: number, high: number) {
  const dots = globalThis.devicePixelRatio || 1
  canvas.width = Math.round(wide * dots)
  canvas.height = Math.round(high * dots)
  const context = canvas.getContext('2d')
  if (!context) return
  context.scale(dots, dots)
  for (const { column, row, x, width } of slots(strip, wide, high)) {
    // The middle of each still, without bending it.
    const scale = Math.max(width / strip.width, high / strip.height)
    const [w, h] = [width / scale, high / scale]
    const [left, top] = [column * strip.width + (strip.width - w) / 2, row * strip.height + (strip.height - h) / 2]
    context.drawImage(stills, left, top, w, h, x, 0, width, high)
  }
}
