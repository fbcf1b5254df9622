/**
 * Reads the burned-in number of the frame in a <video>, canvas or bitmap; -1 if it has none. `page-driver.ts` sends this function's source
 * to a page, so it must not use anything from the surrounding module.
 */
export function readBurnedInFrameNumber(picture: CanvasImageSource, width: number, height: number): number {
  const bits = 12
  const canvas = document.createElement('canvas')
  canvas.width = bits * 8
  canvas.height = 16
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  context.drawImage(picture, 0, 0, width, Math.floor(height / 8) * 2, 0, 0, canvas.width, canvas.height)
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  let number = 0
  for (let bit = 0; bit < bits; bit++) {
    const x = bit * 8 + 4
    const contrast = data[(4 * canvas.width + x) * 4]! - data[(12 * canvas.width + x) * 4]!
    if (Math.abs(contrast) < 40) return -1
    if (contrast > 0) number |= 1 << bit
  }
  return number
}
