/**
 * Converts a decoded frame to a bitmap by drawing it on a canvas; null if the canvas has no 2D context. Some versions of Safari decode
 * frames, but reject `createImageBitmap` for a VideoFrame.
 */
export function videoFrameToBitmap(picture: VideoFrame, width: number, height: number): ImageBitmap | null {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  context?.drawImage(picture, 0, 0, width, height)
  return context && canvas.transferToImageBitmap()
}
