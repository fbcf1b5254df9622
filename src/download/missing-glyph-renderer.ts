import type { MissingGlyphRenderer } from './pdf-text.ts'

/** Pixels per point, enough for a printer. */
const DOTS_PER_POINT = 4
/** Room around the letters as a multiple of the font size, because some scripts extend far above and below the line. */
const [ABOVE, BELOW, BESIDE] = [1.2, 0.5, 0.1]

const channel = (part: number) => Math.round(part * 255)

/**
 * Draws text with the device's fonts, which can render every script that the screen can show. Shipping fonts instead would add megabytes
 * per script.
 */
export function createMissingGlyphRenderer(): MissingGlyphRenderer {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')!
  const font = (size: number, weight: number) => `${weight} ${size}px Archivo, system-ui, sans-serif`
  const width = (text: string, size: number, weight: number) => {
    context.font = font(size, weight)
    return context.measureText(text).width
  }
  return {
    width,
    picture(text, { size, weight, color }) {
      const picture = {
        left: size * BESIDE,
        below: size * BELOW,
        width: width(text, size, weight) + 2 * size * BESIDE,
        height: size * (ABOVE + BELOW),
      }
      canvas.width = Math.ceil(picture.width * DOTS_PER_POINT)
      canvas.height = Math.ceil(picture.height * DOTS_PER_POINT)
      context.scale(DOTS_PER_POINT, DOTS_PER_POINT)
      context.font = font(size, weight)
      context.fillStyle = `rgb(${channel(color.red)} ${channel(color.green)} ${channel(color.blue)})`
      context.fillText(text, picture.left, size * ABOVE)
      return { ...picture, url: canvas.toDataURL('image/png') }
    },
  }
}
