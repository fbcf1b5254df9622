import type { Shape } from '../../modules/reviews/contract.ts'
import type { InkColors } from '../drawing/ink-colors-from-theme.ts'
import { paintShape } from '../drawing/paint-shape.ts'
import { shapeAtFrame } from '../drawing/shape-at-frame.ts'
import { shapeOpacityAtFrame } from '../drawing/shape-geometry.ts'
import type { FrameGrabber } from '../player/frame-grabber.ts'

/**
 * Renders a frame with its drawings at the video's full size, mirrored if the drawings were made on the mirrored picture.
 * @returns null if the browser cannot show the frame
 */
export async function renderStill(
  frames: FrameGrabber,
  still: { frame?: number | undefined; at: number; mirrored?: true | undefined },
  shapes: readonly Shape[],
  inks: InkColors,
  type: 'image/png' | 'image/jpeg',
): Promise<Blob | null> {
  const shown = await frames.show(still)
  if (!shown) return null
  const { video, frame } = shown
  const canvas = document.createElement('canvas')
  const [width, height] = [video.videoWidth, video.videoHeight]
  Object.assign(canvas, { width, height })
  const ctx = canvas.getContext('2d')
  if (!ctx) return null
  if (still.mirrored) ctx.setTransform(-1, 0, 0, 1, width, 0)
  ctx.drawImage(video, 0, 0, width, height)
  ctx.resetTransform()
  for (const shape of shapes) {
    const opacity = shapeOpacityAtFrame(shape, frame)
    if (opacity > 0) paintShape(ctx, shapeAtFrame(shape, frame), { left: 0, top: 0, width, height }, inks, opacity)
  }
  return new Promise(resolve => canvas.toBlob(resolve, type, 0.88))
}
