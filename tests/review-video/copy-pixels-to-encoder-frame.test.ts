import * as av from 'node-av'
import { expect, test } from 'vitest'
import { copyPixelsToEncoderFrame } from '../../src/review-video/copy-pixels-to-encoder-frame.ts'

test('a video frame keeps its picture when its pixel buffer is overwritten', () => {
  // FFmpeg pads the rows of a frame with this width.
  const [width, height] = [50, 20]
  const pixels = Buffer.from(Array.from({ length: width * height * 4 }, (_, i) => i % 251))
  const original = Buffer.from(pixels)
  using frame = copyPixelsToEncoderFrame(av, pixels, { width, height })
  pixels.fill(0)
  expect(frame.toBuffer()).toEqual(original)
})
