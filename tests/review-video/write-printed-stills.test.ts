import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import * as av from 'node-av'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logFfmpegErrorsAndFlagOversizedPictures } from '../../modules/media/preparation-process/node-av-helpers.ts'
import { stillFileName } from '../../src/review-video/printed-stills-input.ts'
import { writePrintedStills } from '../../src/review-video/write-printed-stills.ts'
import { ensureCustomTestClip, ffmpegPath, frameTableOf, renderRenditionOfTestClip } from '../support/test-clips.ts'
import { lineFromFrame } from './sample-review.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'write-printed-stills-'))
})
afterAll(() => rm(dir, { recursive: true }))

/** Reads a still's size, and its brightness at two points of its middle row: on the drawn line, and on the black next to it. */
async function readStill(index: number) {
  const image = await loadImage(await readFile(join(dir, stillFileName(index))))
  const { width, height } = image
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const brightness = (part: number) => context.getImageData(Math.round(width * part), height / 2, 1, 1).data[0]!
  return { width, height, left: brightness(0.3), right: brightness(0.9) }
}

describe.skipIf(!ffmpegPath)('stills for printing (needs ffmpeg)', () => {
  test('have the size of the rendition and the drawings of their frame', { timeout: 300_000 }, async () => {
    const clip = await ensureCustomTestClip('review-video.mp4', {
      frames: 300,
      rate: '60',
      width: 640,
      height: 360,
      filter: 'drawbox=y=100:h=200:w=iw:color=black:t=fill',
      encode: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p'],
    })
    const rendition = await renderRenditionOfTestClip(clip)
    await copyFile(rendition, join(dir, 'clip-0'))
    logFfmpegErrorsAndFlagOversizedPictures(av)
    const shapes = [lineFromFrame('s', 75)]
    const stills = [
      { video: 'a', frame: 75, shapes },
      { video: 'a', frame: 10, shapes },
      { video: 'other', frame: 0, shapes },
    ]
    await writePrintedStills(av, { clips: [{ video: 'a', file: 'clip-0', table: await frameTableOf(rendition) }], stills }, dir)
    const [drawn, plain] = [await readStill(0), await readStill(1)]
    expect([drawn.width / drawn.height, plain.width]).toEqual([16 / 9, drawn.width])
    expect(drawn.left).toBeGreaterThan(200)
    for (const dark of [drawn.right, plain.left, plain.right]) expect(dark).toBeLessThan(40)
    await expect(readStill(2)).rejects.toThrow()
  })
})
