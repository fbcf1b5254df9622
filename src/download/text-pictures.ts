import type { TextPictures } from './pdf-text.ts'

/** Dots for each point: what a printer shows. */
const DOTS_PER_POINT = 4
/** Room around the letters in sizes of them, as some scripts reach far above and below. */
const [ABOVE, BELOW, BESIDE] = [1.2, 0.5, 0.1]

const channel = (part: number) => Math.round(part * 255)

/**
 * Draws text with the fonts of the device, which shapes every script that it can show on the screen. Fonts for all of them would be a download
 * of megabytes for each script.
 */
export function createTextPictures(): TextPictures {
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
