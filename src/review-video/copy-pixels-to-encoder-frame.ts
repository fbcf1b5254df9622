import type { Frame } from 'node-av'
import type { NodeAv } from '../../modules/media/preparation-process/node-av-helpers.ts'

const BYTES_PER_PIXEL = 4

/**
 * A video frame with a copy of `pixels` (RGBA). `Frame.fromVideoBuffer` of node-av does not copy, although it is documented to: its frame
 * points at the buffer without keeping it alive, and turns black if the buffer is garbage collected before FFmpeg has read it (node-av
 * 6.1.1, `Frame::FromBuffer`).
 * @throws FFmpegError if memory runs out
 */
export function copyPixelsToEncoderFrame(av: NodeAv, pixels: Buffer, { width, height }: { width: number; height: number }): Frame {
  const frame = new av.Frame()
  frame.alloc()
  frame.width = width
  frame.height = height
  frame.format = av.AV_PIX_FMT_RGBA
  av.FFmpegError.throwIfError(frame.getBuffer(), 'getBuffer')
  // FFmpeg pads each row, so that the next one is aligned in memory.
  const [paddedRowBytes, rowBytes] = [frame.linesize[0]!, width * BYTES_PER_PIXEL]
  const plane = frame.data![0]!
  for (let row = 0; row < height; row++) pixels.copy(plane, row * paddedRowBytes, row * rowBytes, (row + 1) * rowBytes)
  return frame
}
