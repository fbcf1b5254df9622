/**
 * Makes a bitmap of a decoded frame by a canvas; null where the browser has no 2D context for it. Some versions of Safari decode frames but
 * reject `createImageBitmap` of a VideoFrame.
 */
export function drawBitmap(picture: VideoFrame, width: number, height: number): ImageBitmap | null {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  context?.drawImage(picture, 0, 0, width, height)
  return context && canvas.transferToImageBitmap()
}
