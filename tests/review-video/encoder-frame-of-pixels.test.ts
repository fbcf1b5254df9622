import * as av from 'node-av'
import { expect, test } from 'vitest'
import { encoderFrameOfPixels } from '../../src/review-video/encoder-frame-of-pixels.ts'

test('a video frame keeps its picture when its pixel buffer is overwritten', () => {
  // FFmpeg pads the rows of a frame with this width.
  const [width, height] = [50, 20]
  const pixels = Buffer.from(Array.from({ length: width * height * 4 }, (_, i) => i % 251))
  const original = Buffer.from(pixels)
  using frame = encoderFrameOfPixels(av, pixels, { width, height })
  pixels.fill(0)
  expect(frame.toBuffer()).toEqual(original)
})
