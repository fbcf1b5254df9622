import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { frameTimeline } from '../../modules/media/frames.ts'
import type { NodeAv } from '../../modules/media/preparation-process/node-av-helpers.ts'
import { paintShape } from '../drawing/paint-shape.ts'
import { visibleShapes } from '../feedback/watch/stage-content.ts'
import { installFontsAndPath2D } from './install-fonts-and-path2d.ts'
import { type PrintedStillsInput, type RequestedStill, stillFileName } from './printed-stills-input.ts'
import { openRenditionReader } from './rendition-reader.ts'
import { studioInks } from './studio-colors.ts'

const JPEG_QUALITY = 88

/** Paints a frame, mirrored if requested, and its drawings, at the size of the rendition. */
function paintStill(picture: Canvas, { frame, shapes, mirrored }: RequestedStill): Canvas {
  const { width, height } = picture
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  if (mirrored) context.setTransform(-1, 0, 0, 1, width, 0)
  context.drawImage(picture, 0, 0, width, height)
  context.resetTransform()
  for (const { shape, opacity } of visibleShapes(shapes, frame))
    paintShape(context as unknown as CanvasRenderingContext2D, shape, { left: 0, top: 0, width, height }, studioInks, opacity)
  return canvas
}

/** Writes each still as a JPEG into `dir`. Each clip is opened once, and its frames are read in order. */
export async function writePrintedStills(av: NodeAv, { clips, stills }: PrintedStillsInput, dir: string): Promise<void> {
  installFontsAndPath2D()
  for (const { video, file, table } of clips) {
    const stillsOfVideo = stills.map((still, index) => ({ still, index })).filter(({ still }) => still.video === video)
    if (!stillsOfVideo.length) continue
    const times = frameTimeline(table)
    const reader = await openRenditionReader(av, join(dir, file), times)
    try {
      for (const { still, index } of stillsOfVideo.sort((a, b) => a.still.frame - b.still.frame)) {
        const picture = await reader.picture(times.clamp(still.frame))
        await writeFile(join(dir, stillFileName(index)), await paintStill(picture, still).encode('jpeg', JPEG_QUALITY))
      }
    } finally {
      await reader.close()
    }
  }
}
