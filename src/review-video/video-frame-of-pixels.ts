import type { Frame } from 'node-av'
import type { NodeAv } from '../../modules/media/child/node-av.ts'

/**
 * A video frame with a copy of these pixels. `Frame.fromVideoBuffer` of node-av does not copy, although it is documented to: its frame
 * points at the buffer without keeping it alive, and turns black if the buffer is garbage collected before FFmpeg has read it (node-av 6.1.1,
 * `Frame::FromBuffer`).
 * @throws Error if the buffer is too small or memory runs out
 */
export function videoFrameOfPixels(av: NodeAv, pixels: Buffer, properties: Parameters<typeof Frame.fromVideoBuffer>[1]): Frame {
  using borrowing = av.Frame.fromVideoBuffer(pixels, properties)
  const frame = new av.Frame()
  frame.alloc()
  frame.width = borrowing.width
  frame.height = borrowing.height
  frame.format = borrowing.format
  av.FFmpegError.throwIfError(frame.getBuffer(), 'getBuffer')
  av.FFmpegError.throwIfError(frame.copy(borrowing), 'copy')
  av.FFmpegError.throwIfError(frame.copyProps(borrowing), 'copyProps')
  return frame
}
